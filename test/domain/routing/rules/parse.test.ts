// Any text is parsed within bounds, or refused with line and column; nothing throws.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeFault, plain } from "../../../../src/domain/routing/conditions/located.ts";
import { readNotificationRules } from "../../../../src/domain/routing/rules/notification-rules.ts";
import { MAX_TEXT, parseRules } from "../../../../src/domain/routing/rules/parse.ts";
import { readRouterRules } from "../../../../src/domain/routing/rules/router-rules.ts";
import { sized } from "../../../support/generated/sizes.ts";
import { shown } from "./make.ts";

const read = (text: string) => {
  const { root, faults } = parseRules(text);
  if (faults.length > 0) throw new Error(faults.map(describeFault).join("; "));
  return root && plain(root);
};

describe("a document", () => {
  test.each<[text: string, value: unknown]>([
    ["", null],
    ["# only a comment\n", null],
    ["a: 1\nb: [x, 'y', \"z\"]", { a: 1, b: ["x", "y", "z"] }],
    ['{\n\t"a": {"b": [1.5, null, true, "\\u00e9\\/"]}\n}', { a: { b: [1.5, null, true, "é/"] } }],
    [
      "time: 08:00\nday: 2026-01-31\nword: yes\nnone:",
      {
        time: "08:00",
        day: "2026-01-31",
        word: "yes",
        none: null,
      },
    ],
    ["a: &x [1]\nb: *x", { a: [1], b: [1] }],
    ["a: &x 1\nb: &x 2\nc: *x", { a: 1, b: 2, c: 2 }],
    ["text: |\n  one\n  two\n", { text: "one\ntwo\n" }],
    ["\uFEFFa: 1", { a: 1 }],
    ["1: x\ntrue: y", { "1": "x", true: "y" }],
    ["__proto__: 1", Object.fromEntries([["__proto__", 1]])],
  ])("%j is %j", (text, value) => {
    expect(read(text)).toEqual(value);
  });

  test("has the position of each of its parts", () => {
    const { root } = parseRules("rules:\n  - match: { always: true }\n    actions:\n      - x\n");
    const rule = root?.kind === "map" ? root.entries[0]?.value : undefined;
    const first = rule?.kind === "list" ? rule.items[0] : undefined;
    expect(first).toMatchObject({ line: 2, column: 5, path: "rules[0]" });
    const actions = first?.kind === "map" ? first.entries[1] : undefined;
    expect(actions?.place).toEqual({ line: 3, column: 5, path: "rules[0].actions" });
    const action = actions?.value.kind === "list" ? actions.value.items[0] : undefined;
    expect(action).toMatchObject({ line: 4, column: 9, path: "rules[0].actions[0]" });
  });
});

test("a document has room for the maximum number of typical rules", () => {
  const rule = (number: number) => `  - match:
      alert.title: { $regex: "db-${number}|replica", $options: i }
      alert.urgency: { $in: [high, critical] }
      $timeBetween: { timezone: Europe/Berlin, starttime: "08:00 am", endtime: "05:00 pm" }
    actions:
      - { type: assign, receiver: tem_AAAAAAAAAAAAAA, delay: 5m }
`;
  const text = `rules:\n${Array.from({ length: 200 }, (_, number) => rule(number)).join("")}`;
  const result = readRouterRules(text);
  expect(shown(result)).toEqual([]);
  expect(result.ok && result.rules.length).toBe(200);
});

describe("what is refused", () => {
  const laughs = ["a: &a [x, x, x, x, x, x, x, x]"];
  for (const [name, before] of ["ba", "cb", "dc", "ed", "fe"].map((pair) => [...pair])) {
    laughs.push(`${name}: &${name} [${Array(8).fill(`*${before}`).join(", ")}]`);
  }
  test.each<[name: string, text: string, message: RegExp]>([
    [
      "bad indentation",
      "rules:\n  - match:\n    always: true\n   actions: []",
      /^line 4, column \d+: /,
    ],
    ["a tab", "rules:\n\t- a", /^line 2, column 1: Tabs are not allowed/],
    ["an open list", "a: [1,\n  2", /^line 2, column \d+: .*\]/],
    ["truncated JSON", '{"rules": [', /^line 1, column 12: /],
    ["a duplicate key", "a: 1\nb: 2\na: 3", /^line 3, column 1 \(a\): a is there twice$/],
    ["an unknown anchor", "a: *nothing", /^line 1, column 4.*nothing/],
    ["an alias to itself", "a: &a [*a]", /^line 1, column 8 \(a\[0\]\): an alias to what it/],
    ["a billion laughs", laughs.join("\n"), /^line \d+, column \d+ .*too many values$/],
    ["a tag", "a: !!js/function x", /^line 1, column 4: .*tag/i],
    ["a custom tag", "a: !secret x", /^line 1, column 4: .*tag/i],
    ["two documents", "a: 1\n---\nb: 2", /^line 2, column \d+: /],
    ["a list as a key", "? [a]\n: b", /a key must be a text$/],
    ["an empty key", ": b", /a key must be a text$/],
    ["infinity", "a: .inf", /^line 1, column 4 \(a\): must be a text/],
    ["deep nesting", `${"[".repeat(40)}${"]".repeat(40)}`, /nests deeper than 32 levels$/],
    ["a long text", "a".repeat(MAX_TEXT + 1), /longer than 65536 characters$/],
    ["many elements", "[,".repeat(MAX_TEXT / 2), /too many elements$/],
    ["directives", "%YAML 1.1\n---\na: !!timestamp 2001-01-01", /^line 3/],
  ])("%s", (_, text, message) => {
    const { root, faults } = parseRules(text);
    expect(root).toBeNull();
    expect(describeFault(faults[0] as never)).toMatch(message);
  });
});

describe("no text throws", () => {
  const pieces = fc.constantFrom(
    ..."[]{}:,-?&*!|>'\"%@`#\n\t \\",
    "rules:",
    "\n  - match: ",
    "\n    actions: ",
    "\n      - type: ",
    "assign",
    "notify",
    "alert.x",
    "$regex",
    "$timeBetween",
    "&a ",
    "*a ",
    "null",
    "1e999",
    "\uD800",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.oneof(pieces, fc.string()), { maxLength: 60 }).map((parts) => parts.join("")),
    fc.json(),
  );
  test("when parsed as either kind of document", () => {
    fc.assert(
      fc.property(text, (any) => {
        for (const faults of [shown(readRouterRules(any)), shown(readNotificationRules(any))]) {
          for (const fault of faults) expect(fault).toMatch(/^line \d+, column \d+/);
        }
      }),
      { numRuns: sized(120, 6_000) },
    );
  });

  test.each([
    ["[", 1],
    ["{a: ", 4],
    ["- ", 2],
    ["? ", 2],
    ["&a ", 3],
    ["!a ", 3],
    ["*a ", 3],
    ["]", 1],
    ["|\n", 2],
    ["---\n", 4],
    ["%\n", 2],
    ["'", 1],
    ["a\n", 2],
  ])("when it repeats %j", (piece, length) => {
    const { faults } = parseRules(piece.repeat(Math.floor(MAX_TEXT / length)));
    expect(faults.length).toBeLessThanOrEqual(50);
  });
});
