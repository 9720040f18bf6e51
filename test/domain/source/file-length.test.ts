// The limits of the tree: one idea per file, and no folder without a reason.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root, sourceFiles } from "../../support/source/source-files.ts";

const MAX_LINES = 400;

test(`no file of src has more than ${MAX_LINES} lines`, () => {
  const long = sourceFiles()
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split("\n").length }))
    .filter(({ lines }) => lines > MAX_LINES);
  expect(long).toEqual([]);
});

test("no folder of src holds only one folder", () => {
  const paths = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true });
  const below = Map.groupBy(paths, ({ parentPath }) => parentPath);
  const lone = [...below].filter(([, its]) => its.length === 1 && its[0]?.isDirectory());
  expect(lone.map(([folder]) => folder)).toEqual([]);
});
