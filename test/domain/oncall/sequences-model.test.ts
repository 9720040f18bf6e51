// The model that generated sequences of changes are compared with has nothing of the code under test, types included:
// what the code has wrong, the model would have too.
import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { importsOf } from "../../support/source/imports.ts";

const ROOT = resolve(import.meta.dirname, "../../..");

/** The files that one imports, directly or through others. */
function reachedFrom(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const { from } of importsOf(readFileSync(file, "utf8"))) {
    if (from.startsWith(".")) reachedFrom(resolve(dirname(file), from), found);
    else found.add(from);
  }
  return found;
}

test.each(["model.ts", "changes.ts", "generator.ts"])("%s imports nothing of src", (name) => {
  const reached = reachedFrom(`${ROOT}/test/api/oncall/sequences/${name}`);
  const paths = [...reached].map((file) => (file.startsWith("/") ? relative(ROOT, file) : file));
  expect(paths.length).toBeGreaterThan(3);
  expect(paths.filter((path) => !path.startsWith("test/"))).toEqual([]);
});
