// The bundle from which the tests of the worker take what they import below `src`.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { bundleFile, partOf, readBundle } from "../../support/bundle/build-bundle.ts";
import { root } from "../../support/source/source-files.ts";

const OPTIONS = { project: `probe-${process.pid}`, alias: {}, packages: "external" } as const;
const bundle = bundleFile(OPTIONS.project);
const temporary = mkdtempSync(join(tmpdir(), "bundle-"));
const folder = join(temporary, "test/support");
mkdirSync(folder, { recursive: true });
const value = relative(root, join(folder, "value.ts"));
const list = relative(root, join(folder, "list.ts"));

afterAll(() => {
  rmSync(temporary, { recursive: true });
  for (const it of ["", ".map", ".json"]) rmSync(`${bundle}${it}`, { force: true });
});

const load = async (version: number) => import(`${pathToFileURL(bundle).href}?${version}`);

test("has what its files export, with what they pass on, and is built anew when one changes", async () => {
  writeFileSync(join(root, value), "export const answer: number = 41;\n");
  writeFileSync(join(root, list), 'export * from "./value.ts";\nexport const own = "own";\n');
  const exports = await readBundle([value, list], OPTIONS);
  expect(exports).toEqual({ [value]: ["answer"], [list]: ["own", "answer"] });
  const first = await load(1);
  expect(first[partOf(list)].answer).toBe(first[partOf(value)].answer);

  writeFileSync(join(root, value), "export const answer: number = 42;\n");
  expect(await readBundle([value, list], OPTIONS)).toEqual(exports);
  expect((await load(2))[partOf(list)].answer).toBe(42);
});

test("knows the folder that a file was in", async () => {
  writeFileSync(join(root, value), "export const folder = import.meta.dirname;\n");
  await readBundle([value], OPTIONS);
  expect((await load(3))[partOf(value)].folder).toBe(folder);
});
