// Reading a configuration file: every fault has its place, and no text stops the reader.
import { describe, expect, test } from "vitest";
import { parseConfiguration } from "../../../src/features/operations/configuration/configuration-file.ts";
import { SECTIONS } from "../../../src/features/operations/configuration/sections.ts";

const messagesOf = (text: string) => {
  const parsed = parseConfiguration(text, SECTIONS);
  return parsed.ok ? [] : parsed.errors.map(({ message }) => message);
};

describe("parseConfiguration", () => {
  test.each([
    ["tocsin: 1\nteams: [{ key: a, name: A }]", []],
    ["tocsin: 1\nteams:\n", []],
    ["[]", ["configuration must be a map of sections, such as teams"]],
    ["teams: []", ["configuration must have the version of its format, tocsin: 1"]],
    ["tocsin: 1\nteams: 5", ["teams must be a list"]],
    ["tocsin: 1\nteams: [5]", ["teams[0] must be a map"]],
    [
      "tocsin: 1\nteams: [{ key: a b }]",
      ["teams[0].key must be 1 to 100 letters, digits, . _ or -"],
    ],
    [
      "tocsin: 1\npeople: [{ email: A@b.c }, { email: a@B.c }]",
      ["people[1].email is the one of people[0] too"],
    ],
    ["tocsin: 1\nteams: []\nteams: []", ["configuration line 3, column 1: teams is there twice"]],
    ["tocsin: 1\nteams: [", [expect.stringMatching(/^configuration line 2, column 9: /)]],
    [
      "tocsin: 1\nteams: [{ key: a, __proto__: 1, meta: 1 }]",
      [
        expect.stringMatching(/^teams\[0\]\.__proto__ is not a field/),
        "teams[0].meta must be a map",
      ],
    ],
    ["tocsin: 1\nfeeds: []", [expect.stringMatching(/^feeds is not a section; there are /)]],
  ])("%j", (text, expected) => {
    expect(messagesOf(text)).toEqual(expected);
  });

  test("refuses a text that nests deeper than the parser can follow, in words of its own", () => {
    expect(messagesOf("[".repeat(50_000))).toEqual(["configuration nests too deeply"]);
  });

  test.each([
    ["[".repeat(90_000)],
    ["}]".repeat(200_000)],
    ["? ".repeat(190_000)],
    [`tocsin: 1\nteams: &a [${"*a,".repeat(1_000)}]`],
    [`a: &a [1,1,1,1,1,1,1,1,1]\nb: &b [${"*a,".repeat(9)}]\nc: [${"*b,".repeat(500)}]`],
    [Array.from({ length: 30_000 }, (_, at) => `k${at}: 1`).join("\n")],
    ["x".repeat(400_001)],
    ["!!binary x: *y"],
  ])("refuses %#, a hostile text", (text) => {
    expect(messagesOf(text)).not.toEqual([]);
  });
});
