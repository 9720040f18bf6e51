/**
 * Expected outcomes are values. An exception of our own that is told apart from others where it is
 * caught would be one: as a class, or as a constant.
 */
import { describe, expect, test } from "vitest";
import { withoutComments } from "../../support/source/imports.ts";
import { sourceFiles } from "../../support/source/source-files.ts";

/** What may be thrown to be caught by name, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "src/products/calendars/recurrence.ts throws STOP": "ends an iteration of ical.js",
  "src/products/reading/templates.ts throws TOO_LARGE": "ends a rendering of Mustache",
  "src/setup/deploying/refusals.ts declares DeployRefusal": "ends the command with its message",
};

const CLASS = /\bclass (\w+) extends \w*(?:Error|Exception)\b/g;
const CONSTANT = /\bthrow ([A-Z][A-Z0-9_]+)\b/g;

function findExceptions({ path, text }: { readonly path: string; readonly text: string }) {
  const code = withoutComments(text);
  return [
    ...[...code.matchAll(CLASS)].map(([, name]) => `${path} declares ${name}`),
    ...[...code.matchAll(CONSTANT)].map(([, name]) => `${path} throws ${name}`),
  ];
}

describe("exceptions", () => {
  test("are found as classes and as constants", () => {
    const text = [
      "export class Left extends Error {}",
      "class Late extends RangeError {",
      "if (isOver) throw DONE;",
      '// throw IGNORED; throw new Error("a fault");',
      'throw new Error("a fault");',
      "throw error;",
    ].join("\n");
    expect(findExceptions({ path: "a.ts", text })).toEqual([
      "a.ts declares Left",
      "a.ts declares Late",
      "a.ts throws DONE",
    ]);
  });

  test("are no control flow", () => {
    const found = sourceFiles().flatMap(findExceptions);
    expect([...new Set(found)].sort()).toEqual(Object.keys(EXCEPTIONS).sort());
  });
});
