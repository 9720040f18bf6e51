// No test of the runtime depends on the speed of the machine: each wait states its own patience, since
// the default of `vi.waitFor` is one second; tests and hooks have the patience of their project.
import { expect, test } from "vitest";
import { filesBelow } from "../../support/source/source-files.ts";

/** The number of arguments of the call whose parenthesis opens at an index. */
function countArguments(text: string, open: number): number {
  let depth = 0;
  let quote = "";
  let commas = 0;
  let isTrailing = false;
  for (let at = open; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (quote !== "") {
      if (char === "\\") at += 1;
      else if (char === quote) quote = "";
      continue;
    }
    if (char === "/" && text[at + 1] === "/") at = text.indexOf("\n", at);
    else if (/["'`]/.test(char)) quote = char;
    else if (/[([{]/.test(char)) depth += 1;
    else if (/[)\]}]/.test(char)) depth -= 1;
    if (depth === 0) return commas + (isTrailing ? 0 : 1);
    if (char === "," && depth === 1) commas += 1;
    if (/\S/.test(char)) isTrailing = char === "," && depth === 1;
  }
  throw new Error("the call is not closed");
}

test.each([
  ["wait(a)", 1],
  ["wait(() => f(a, b))", 1],
  ['wait(() => "a, b)", soon)', 2],
  ["wait(\n  async () => ({ a, b }),\n  soon,\n)", 2],
  ["wait(a,)", 1],
  ["wait(() => {\n  // Only this account's, and no other's (\n  f();\n}, soon)", 2],
])("%j has %i", (text, count) => {
  expect(countArguments(text, text.indexOf("("))).toBe(count);
});

test("every wait states its patience", () => {
  const calls = filesBelow("test", ".ts").flatMap(({ path, text }) =>
    [...text.matchAll(/\bvi\s*\.wait(?:For|Until)\(/g)].map((call) => ({
      place: `${path}:${text.slice(0, call.index).split("\n").length}`,
      count: countArguments(text, call.index + call[0].length - 1),
    })),
  );
  expect(calls.length).toBeGreaterThan(100);
  expect(calls.filter(({ count }) => count < 2).map(({ place }) => place)).toEqual([]);
});

/** The lines of tests and hooks (formatted) that state a time of their own, which at full size would be a shorter one. */
function ownPatience(text: string): number[] {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    const indent = /^( *)(?:test|it|(?:before|after)(?:Each|All))\b/.exec(line)?.[1];
    if (indent === undefined) return [];
    const length = lines
      .slice(at)
      .findIndex((it) => it.startsWith(indent) && /^[^ ].*;$/.test(it.slice(indent.length)));
    const whole = lines.slice(at, at + length + 1).join("\n");
    const closes = /[})],\s*\d+_000,?\s*\);$/.test(whole);
    return closes || /^[^\n]*, \{\s*timeout: [\d_]+/.test(whole) ? [at + 1] : [];
  });
}

test.each([
  ['test("a", () => {\n  f();\n});', false],
  ['test("a", () => {\n  f(2, () => {\n  }, 5);\n});', false],
  ['test("a", () => {\n  f();\n}, 60_000);', true],
  ["  beforeAll(async () => {\n    f();\n  }, 60_000);", true],
  ["  afterAll(() => f(), 60_000);", true],
  ['test.each([\n  ["a"],\n])(\n  "a",\n  () => {\n    f();\n  },\n  60_000,\n);', true],
  ['test("a", { timeout: 60_000 }, () => {\n  f();\n});', true],
  ['test("a", {\n  timeout: 60_000,\n}, () => {\n  f();\n});', true],
])("%j states a time: %j", (text, expected) => {
  expect(ownPatience(text).length > 0).toBe(expected);
});

test("no test or hook has less patience than its project", () => {
  const faults = filesBelow("test", ".ts")
    .filter(({ path }) => !path.endsWith("waits.test.ts"))
    .flatMap(({ path, text }) => ownPatience(text).map((line) => `${path}:${line}`));
  expect(faults).toEqual([]);
});
