// No test of the runtime depends on the speed of the machine: each wait states its own patience, since
// the default of `vi.waitFor` is one second.
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
