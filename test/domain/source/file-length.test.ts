// One idea a file: what grows past this has two.
import { expect, test } from "vitest";
import { sourceFiles } from "../../support/source/source-files.ts";

const MOST_LINES = 350;

test(`no file of src has more than ${MOST_LINES} lines`, () => {
  const long = sourceFiles()
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split("\n").length }))
    .filter(({ lines }) => lines > MOST_LINES);
  expect(long).toEqual([]);
});
