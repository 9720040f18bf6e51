// Puts the script and the styles of the reference page beside it, from the package they come in: the page asks no
// other host for anything. Run before a start and before a deploy.
import { copyFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const FILES = ["swagger-ui-bundle.js", "swagger-ui.css"];

const from = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
const to = join(import.meta.dirname, "assets", "docs");

for (const file of FILES) copyFileSync(join(from, file), join(to, file));
