// Builds the folder of static assets: the API reference's page, the console's bundled scripts, styles
// and images, and what the worker reads: public holidays and the set-up of integration types. Runs
// before a start, a deploy and the browser tests. The output is not in git.
//
// The scripts and styles are served under a name with their content's hash, which browsers keep for
// a year (`assets/_headers`); `asset-names.json` tells the worker what each is called.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { setUpsText } from "../integrations/set-up/stored-set-ups.ts";

const root = join(import.meta.dirname, "../..");
const sources = join(import.meta.dirname, "assets");
const reference = join(root, "src/reference/assets");
const holidays = join(root, "src/domain/oncall/holidays/data");
const output = join(root, "dist/assets");

/** What is served under a name with its hash, by the name that pages give it. */
const ENTRIES = {
  console: "console.ts",
  calendar: "oncall/calendar.ts",
  offline: "offline.ts",
  "rules-text": "routing/rules-text.ts",
};

const STYLES = { style: "styles/console.css" };

/** Run while the page is parsed, not after it: what they draw is there from the start. */
const EARLY = { rules: "routing/rules.ts" };

rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
cpSync(reference, output, { recursive: true });
cpSync(join(sources, "static"), output, { recursive: true });
cpSync(holidays, join(output, "holidays"), { recursive: true });
mkdirSync(join(output, "integrations"));
writeFileSync(join(output, "integrations/set-ups.json"), setUpsText());

const COMMON = {
  bundle: true,
  minify: true,
  target: "es2022",
  // The calendar's components: use their browser builds, not their server builds.
  conditions: ["browser"],
  legalComments: "none",
  logLevel: "warning",
  outdir: output,
} satisfies BuildOptions;

/** Builds entries under names with their hash. Returns the files that it wrote. */
async function buildHashed(
  entries: Readonly<Record<string, string>>,
  options: Pick<BuildOptions, "format" | "loader">,
) {
  const { metafile } = await build({
    ...COMMON,
    ...options,
    entryPoints: Object.entries(entries).map(([out, file]) => ({ in: join(sources, file), out })),
    entryNames: "assets/hashed/[name]-[hash]",
    metafile: true,
  });
  return Object.keys(metafile.outputs);
}
const written = [
  // A style sheet that a script imports is text in the script: it saves a request.
  ...(await buildHashed(ENTRIES, { format: "esm", loader: { ".css": "text" } })),
  ...(await buildHashed(EARLY, { format: "iife" })),
  ...(await buildHashed(STYLES, {})),
];

/** The path of each script and style, by the name that pages give it: `style.css`. */
const names = Object.fromEntries(
  written.map((file) => {
    const path = `/${relative(output, file).replaceAll("\\", "/")}`;
    return [path.replace(/^.*\/(.+)-[A-Z0-9]+(\.\w+)$/, "$1$2"), path];
  }),
);
writeFileSync(join(output, "asset-names.json"), JSON.stringify(names));

// The offline page is a file, and the service worker stores what it needs.
const offlinePage = readFileSync(join(output, "offline.html"), "utf8");
writeFileSync(
  join(output, "offline.html"),
  offlinePage.replace(/"\/assets\/((?:style|offline)\.\w+)"/g, (_, name) => `"${names[name]}"`),
);
await build({
  ...COMMON,
  format: "esm",
  entryPoints: [join(sources, "../service-worker/service-worker.ts")],
  define: {
    STYLE_PATH: JSON.stringify(names["style.css"]),
    OFFLINE_SCRIPT_PATH: JSON.stringify(names["offline.js"]),
  },
});
const headers = [reference, sources].map((from) => readFileSync(join(from, "_headers"), "utf8"));
writeFileSync(join(output, "_headers"), headers.join("\n"));
