// The limit that keeps one idea per file.
import { expect, test } from "vitest";
import { sourceFiles } from "../../support/source/source-files.ts";

const MAX_LINES = 350;

test(`no file of src has more than ${MAX_LINES} lines`, () => {
  const long = sourceFiles()
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split("\n").length }))
    .filter(({ lines }) => lines > MAX_LINES);
  expect(long).toEqual([]);
});
