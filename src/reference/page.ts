// Puts the script and the styles of the reference page beside it, from the package they come in: the page asks no
// other host for anything; and writes the page of the rule language. Run before a start and before a deploy.
import { copyFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { rulesPage } from "./rules/page.ts";

const FILES = ["swagger-ui-bundle.js", "swagger-ui.css"];

const from = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
const to = join(import.meta.dirname, "assets", "docs");

for (const file of FILES) copyFileSync(join(from, file), join(to, file));
writeFileSync(join(to, "rules.html"), rulesPage());
