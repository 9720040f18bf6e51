// The limits of the tree: one idea per file, and no folder without a reason.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findLoneFiles } from "../../support/source/lone-files.ts";
import { root, sourceFiles, testFiles } from "../../support/source/source-files.ts";

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

const file = (path: string, ...imported: readonly string[]) => ({
  path,
  text: imported.map((from) => `import { a } from "${from}";`).join("\n"),
});
const SMALL = "src/domain/alerts/small.ts";
const IMPORTER = file("src/domain/alerts/a.ts", "./small.ts");

test.each([
  ["one importer beside it", [file(SMALL), IMPORTER], [], true],
  [
    "two importers",
    [file(SMALL), IMPORTER, file("src/domain/b.ts", "./alerts/small.ts")],
    [],
    false,
  ],
  ["a test, too", [file(SMALL), IMPORTER], [file("test/a.test.ts", `../${SMALL}`)], false],
  [
    "an importer of another subject",
    [file(SMALL), file("src/domain/oncall/a.ts", "../alerts/small.ts")],
    [],
    false,
  ],
  [
    "an importer of another part",
    [file("src/features/alerts/a/rows.ts"), file("src/features/alerts/a/verbs.ts", "./rows.ts")],
    [],
    false,
  ],
  [
    "an entrance",
    [file("src/kernel/small.ts"), file("src/app.ts", "./kernel/small.ts")],
    [],
    false,
  ],
  [
    "siblings",
    [
      ...["a", "b", "c"].map((name) => file(`src/domain/alerts/${name}-rule.ts`)),
      file("src/domain/alerts/d.ts", "./a-rule.ts"),
    ],
    [],
    false,
  ],
] as const)("a small file with %s", (_, files, tests, isLone) => {
  expect(findLoneFiles(files, tests).length === 1).toBe(isLone);
});

test("no small file of src belongs to the only file that imports it", () => {
  expect(findLoneFiles(sourceFiles(), testFiles())).toEqual([]);
});
