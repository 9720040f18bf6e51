// The names of the console's scripts and styles. Each has its content's hash in its name, so that a
// browser keeps it for a year; the build writes the names into a static asset.
import { createContext, useContext } from "hono/jsx";

/** The path of a script or style, by the name that pages give it: `style.css`. */
export type AssetNames = Readonly<Record<string, string>>;

const Names = createContext<AssetNames>({});

/** Gives the names to the components inside it. */
export const AssetNamesProvider = Names.Provider;

/** The binding needs a host, of any name. */
const FILE = "https://assets.invalid/asset-names.json";

let known: AssetNames | null = null;

/**
 * Reads the names, once in an isolate; none if they cannot be read: an alert can be acknowledged on a
 * page without scripts and styles, too.
 */
export async function readAssetNames(env: Cloudflare.Env): Promise<AssetNames> {
  if (known !== null) return known;
  try {
    const response = await env.ASSETS.fetch(FILE);
    if (!response.ok) throw new Error(`status ${response.status}`);
    known = await response.json<AssetNames>();
    return known;
  } catch (error) {
    console.error("the names of the console's assets could not be read", error);
    return {};
  }
}

/** The path of an asset; that of none if the names could not be read. */
export const useAssetPath = (name: string): string => useContext(Names)[name] ?? `/assets/${name}`;

/** Says that the page is plain, if the names could not be read. Nothing else depends on them. */
export const MissingAssets = () =>
  useContext(Names)["style.css"] === undefined ? (
    <p role="status">The styles and scripts of this page were not found. Its forms work without.</p>
  ) : null;

/** A style sheet of the console, by its name without the hash. */
export const Style = ({ name }: { readonly name: string }) => (
  <link rel="stylesheet" href={useAssetPath(`${name}.css`)} />
);

/** A script of the console, by its name without the hash. */
export const Script = ({ name }: { readonly name: string }) => (
  <script type="module" src={useAssetPath(`${name}.js`)}></script>
);

/** A script that runs where it stands, while the page is parsed. */
export const EarlyScript = ({ name }: { readonly name: string }) => (
  <script src={useAssetPath(`${name}.js`)}></script>
);
