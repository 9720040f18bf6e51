// Limits that keep one idea per file and one subject per folder.
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { root, sourceFiles } from "../../support/source/source-files.ts";

const MAX_LINES = 350;
const MAX_FILES = 12;
/** A generated file for each country. */
const GENERATED = new Set(["src/domain/oncall/holidays/data"]);

test(`no file of src has more than ${MAX_LINES} lines`, () => {
  const long = sourceFiles()
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split("\n").length }))
    .filter(({ lines }) => lines > MAX_LINES);
  expect(long).toEqual([]);
});

test(`no folder of src and test has more than ${MAX_FILES} files`, () => {
  const entries = ["src", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }),
  );
  const files = entries.filter((entry) => entry.isFile());
  const byFolder = Map.groupBy(files, ({ parentPath }) => relative(root, parentPath));
  expect(byFolder.size).toBeGreaterThan(50);
  const large = [...byFolder].filter(
    ([folder, inside]) => inside.length > MAX_FILES && !GENERATED.has(folder),
  );
  expect(large.map(([folder, inside]) => `${folder}: ${inside.length}`)).toEqual([]);
});
