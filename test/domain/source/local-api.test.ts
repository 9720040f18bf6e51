// The API in memory (test/support/local) stands on src as the layout allows it, and needs nothing
// that only the runtime has: else tests in Node would run against stand-ins of it.
import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { findImportCycles } from "../../support/source/import-cycles.ts";
import { importsOf, partOf, storeyOf } from "../../support/source/imports.ts";
import { filesBelow, type SourceFile, sourceFiles } from "../../support/source/source-files.ts";

/** Entry points to src: the routes, what answers them, how accounts begin, and what objects do. */
const ENTRIES = [
  "src/features/oncall/absence-calendars/absence-source.ts",
  "src/features/oncall/absence-calendars/read-absences.ts",
  "src/features/oncall/calendar-imports/preview-reading.ts",
  "src/features/oncall/calendar-imports/read-import.ts",
  "src/kernel/http/find-route.ts",
  "src/kernel/http/serve.ts",
  "src/routes.ts",
  "src/setup/first-account.ts",
];

const local = filesBelow("test/support/local", ".ts");
const all = new Map([...sourceFiles(), ...filesBelow("test", ".ts")].map((it) => [it.path, it]));

/** The paths and packages that a file imports at run time. */
const valuesOf = ({ path, text }: SourceFile): string[] =>
  importsOf(text)
    .filter(({ typeOnly }) => !typeOnly)
    .map(({ from }) => (from.startsWith(".") ? posix.join(posix.dirname(path), from) : from));

/** Everything that files load, themselves included. */
function loadedBy(files: readonly SourceFile[]): Set<string> {
  const loaded = new Set<string>();
  const open = files.map(({ path }) => path);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (loaded.has(path)) continue;
    loaded.add(path);
    const file = all.get(path);
    if (file) open.push(...valuesOf(file));
  }
  return loaded;
}

describe("the API in memory", () => {
  test("enters src only by the routes, their answers and what follows them", () => {
    const entered = local.flatMap(valuesOf).filter((path) => path.startsWith("src/"));
    const beyond = entered.filter((path) => storeyOf(path) !== "domain");
    expect([...new Set(beyond)].sort()).toEqual(ENTRIES);
  });

  test("has no import cycles", () => {
    expect(local.length).toBeGreaterThan(2);
    expect(findImportCycles(local)).toEqual([]);
  });

  test("loads the whole API, and nothing that only the runtime has", () => {
    const loaded = [...loadedBy(local)];
    expect(loaded.filter((path) => partOf(path) === "verbs").length).toBeGreaterThan(50);
    expect(loaded.filter((path) => path.startsWith("cloudflare:"))).toEqual([]);
    const objects = loaded.filter(
      (path) => partOf(path) === "object" || path.startsWith("src/kernel/objects/"),
    );
    const classes = objects.filter((path) =>
      /\bclass\s+\w+\s+extends\b/.test(all.get(path)?.text ?? ""),
    );
    expect(classes).toEqual([]);
  });

  test("names the extension in every relative import", () => {
    const bare = local.flatMap(({ path, text }) =>
      importsOf(text)
        .filter(({ from }) => from.startsWith(".") && !from.endsWith(".ts"))
        .map(({ from }) => `${path} imports ${from}`),
    );
    expect(bare).toEqual([]);
  });
});
