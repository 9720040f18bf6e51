// `npm run assets` builds the folder of static assets: the documentation, the console's bundled
// scripts, styles and images, and what the worker reads: public holidays and the set-up of integration
// types. Runs before a start, a deploy and the tests. The output is not in git.
//
// The scripts and styles are served under a name with their content's hash, which browsers keep for
// a year (`_headers`); `asset-names.json` tells the worker what each is called.
//
// A worker that is running serves the same folder: everything is built beside it, and only what is
// different is replaced, so that no request finds a file missing or half written.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { type BuildOptions, build } from "esbuild";
import { ROWS_CSS } from "../console/oncall/calendar-rows.ts";
import { PALETTE_CSS, PEOPLE_CSS } from "../domain/shared/palette.ts";
import { setUpsText } from "../products/stored-set-ups.ts";
import { buildFolder } from "./build-folder.ts";
import { root } from "./processes/wrangler.ts";

const sources = join(root, "src/console");
const reference = join(root, "src/reference");
const holidays = join(root, "src/domain/oncall/holidays/data");

/** What is served under a name with its hash, by the name that pages give it. */
const ENTRIES = {
  console: "client/console.client.ts",
  calendar: "oncall/calendar.client.ts",
  offline: "client/offline.client.ts",
  "rules-text": "routing/rules-text.client.ts",
};

const STYLES = { style: "styles/console.css" };

/** Run while the page is parsed, not after it: what they draw is there from the start. */
const EARLY = { rules: "routing/rules.client.ts" };

const COMMON = {
  bundle: true,
  minify: true,
  target: "es2022",
  // The calendar's components: use their browser builds, not their server builds.
  conditions: ["browser"],
  legalComments: "none",
  logLevel: "warning",
} satisfies BuildOptions;

/** Builds entries under names with their hash. Returns the files that it wrote. */
async function buildHashed(
  outdir: string,
  entries: Readonly<Record<string, string>>,
  options: Pick<BuildOptions, "banner" | "format" | "loader">,
) {
  const { metafile } = await build({
    ...COMMON,
    ...options,
    outdir,
    entryPoints: Object.entries(entries).map(([out, file]) => ({ in: join(sources, file), out })),
    entryNames: "assets/hashed/[name]-[hash]",
    metafile: true,
  });
  return Object.keys(metafile.outputs);
}

/** Builds the console's scripts and styles; returns the path of each by the name that pages give it. */
async function buildConsole(output: string): Promise<Readonly<Record<string, string>>> {
  const written = [
    // A style sheet that a script imports is text in the script: it saves a request.
    ...(await buildHashed(output, ENTRIES, { format: "esm", loader: { ".css": "text" } })),
    ...(await buildHashed(output, EARLY, { format: "iife" })),
    ...(await buildHashed(output, STYLES, {
      banner: { css: PALETTE_CSS + PEOPLE_CSS + ROWS_CSS },
    })),
  ];
  return Object.fromEntries(
    written.map((file) => {
      const path = `/${relative(output, file).replaceAll("\\", "/")}`;
      return [path.replace(/^.*\/(.+)-[A-Z0-9]+(\.\w+)$/, "$1$2"), path];
    }),
  );
}

/** Writes the API's document and the pages at /docs, which are bundled for it: Node reads no JSX, of which mails are made. */
async function buildReference(output: string): Promise<void> {
  const bundle = `${output}-reference.mjs`;
  await build({
    ...{ bundle: true, platform: "node", format: "esm", packages: "external", outfile: bundle },
    ...{ entryPoints: [join(reference, "build.ts")], logLevel: "warning" },
  });
  try {
    const { writeReference }: typeof import("../reference/build.ts") = await import(
      pathToFileURL(bundle).href
    );
    writeReference(output, join(reference, "manual"));
  } finally {
    rmSync(bundle, { force: true });
  }
  await build({
    ...COMMON,
    outdir: join(output, "docs"),
    entryPoints: { docs: join(reference, "docs.client.ts"), style: join(reference, "style.css") },
    banner: { css: PALETTE_CSS },
  });
}

async function buildInto(output: string): Promise<void> {
  await buildReference(output);
  cpSync(join(sources, "static"), output, { recursive: true });
  cpSync(holidays, join(output, "holidays"), { recursive: true });
  mkdirSync(join(output, "integrations"));
  writeFileSync(join(output, "integrations/set-ups.json"), setUpsText());
  const names = await buildConsole(output);
  writeFileSync(join(output, "asset-names.json"), JSON.stringify(names));
  // The offline page is a file, and the service worker stores what it needs.
  const offlinePage = readFileSync(join(output, "offline.html"), "utf8");
  writeFileSync(
    join(output, "offline.html"),
    offlinePage.replace(/"\/assets\/((?:style|offline)\.\w+)"/g, (_, name) => `"${names[name]}"`),
  );
  await build({
    ...COMMON,
    outdir: output,
    format: "esm",
    entryPoints: [join(root, "src/console/service-worker/service-worker.ts")],
    define: {
      STYLE_PATH: JSON.stringify(names["style.css"]),
      OFFLINE_SCRIPT_PATH: JSON.stringify(names["offline.js"]),
    },
  });
  const headers = [reference, sources].map((from) => readFileSync(join(from, "_headers"), "utf8"));
  writeFileSync(join(output, "_headers"), headers.join("\n"));
}

/** Builds the assets into `dist/assets`. */
export async function buildAssets(): Promise<void> {
  await buildFolder("dist/assets", buildInto);
}

if (process.argv[1] === import.meta.filename) await buildAssets();
