// A class that only the style sheets name styles nothing: it was renamed on the pages alone.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root, sourceFiles } from "../../support/source/source-files.ts";

const STYLES = join(root, "src/console/styles");

/** Classes of the calendar library's own elements. */
const isOfLibrary = (name: string) => name === "ec" || name.startsWith("ec-");

/** `who-3` → `who-`: the number is computed. */
const writtenFormOf = (name: string) => name.replace(/\d+$/, "");

test("every class of the style sheets is on a page", () => {
  const sheets = readdirSync(STYLES).map((file) => readFileSync(join(STYLES, file), "utf8"));
  const selectors = sheets
    .join("\n")
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/\{[^{}]*\}/g, "{}");
  const classes = new Set(
    [...selectors.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = ""]) => name),
  );
  expect(classes.size).toBeGreaterThan(100);
  const pages = sourceFiles()
    .filter(({ path }) => /^src\/(console|features|kernel|links|domain)\//.test(path))
    .map(({ text }) => text)
    .join("\n");
  const words = new Set(pages.match(/[\w-]+/g));
  const unused = [...classes].filter(
    (name) => !isOfLibrary(name) && !words.has(name) && !words.has(writtenFormOf(name)),
  );
  expect(unused).toEqual([]);
});
