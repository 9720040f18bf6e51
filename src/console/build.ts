// Builds the folder of static assets: the API reference's page, the console's bundled scripts, styles
// and images, and the public holidays that the worker reads. Runs before a start, a deploy and the browser tests. The output is not in git.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BuildOptions, build } from "esbuild";

const root = join(import.meta.dirname, "../..");
const sources = join(import.meta.dirname, "assets");
const reference = join(root, "src/reference/assets");
const holidays = join(root, "src/domain/oncall/holidays/data");
const output = join(root, "dist/assets");

/** By the name under which each is served. */
const ENTRIES = {
  "assets/console": "console.ts",
  "assets/calendar": "oncall/calendar.ts",
  "assets/rotation": "oncall/rotation.ts",
  "assets/offline": "offline.ts",
  "service-worker": "../service-worker/service-worker.ts",
  "assets/style": "styles/console.css",
  "assets/plan": "styles/plan.css",
};

/** Run while the page is parsed, not after it: what they draw is there from the start. */
const EARLY = { "assets/rules": "routing/rules.ts" };

rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
cpSync(reference, output, { recursive: true });
cpSync(join(sources, "static"), output, { recursive: true });
cpSync(holidays, join(output, "holidays"), { recursive: true });
const OPTIONS: BuildOptions = {
  outdir: output,
  bundle: true,
  minify: true,
  target: "es2022",
  // The calendar's components: use their browser builds, not their server builds.
  conditions: ["browser"],
  legalComments: "none",
  logLevel: "warning",
};
const entriesOf = (entries: Readonly<Record<string, string>>) =>
  Object.entries(entries).map(([out, file]) => ({ in: join(sources, file), out }));
await build({ ...OPTIONS, format: "esm", entryPoints: entriesOf(ENTRIES) });
await build({ ...OPTIONS, format: "iife", entryPoints: entriesOf(EARLY) });
const headers = [reference, sources].map((from) => readFileSync(join(from, "_headers"), "utf8"));
writeFileSync(join(output, "_headers"), headers.join("\n"));
