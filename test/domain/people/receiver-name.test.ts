// Whom a written command names.
import { describe, expect, test } from "vitest";
import { firstWordOf, readReceiver } from "../../../src/domain/people/receiver-name.ts";

const named = (name: string, type: "team" | "account_user" = "team") => ({
  ...{ type, id: name, prefixId: name, name },
});
const RECEIVERS = [
  ...["Pay", "Pay ments", "Straße", "Twins", "TWINS"].map((name) => named(name)),
  named("Ada  Admin", "account_user"),
];

describe("the receiver", () => {
  test.each([
    ["pay down", "Pay", "down"],
    ["PAY MENTS  the   db", "Pay ments", "the   db"],
    ["@pay down", "Pay", "down"],
    ["STRASSE a", "Straße", "a"],
    ['"Pay" ments down', "Pay", "ments down"],
    ["“pay ments” down", "Pay ments", "down"],
    ["ada admin (now) $1", "Ada  Admin", "(now) $1"],
    ["pay", "Pay", ""],
  ])("of %s is %s, and the rest %s", (text, name, rest) => {
    const read = readReceiver(text, RECEIVERS);
    expect(read).toMatchObject({ kind: "found", receiver: { name }, rest });
  });

  test.each(["payer down", "", "   ", '"Pay ment" x', "down pay"])("of %j is nobody", (text) => {
    expect(readReceiver(text, RECEIVERS)).toEqual({ kind: "none" });
  });

  test("of names that differ in accents is the one that is written so", () => {
    const both = ["Müller", "Muller"].map((name, i) => ({ ...RECEIVERS[0], id: `${i}`, name }));
    const named = (text: string) => readReceiver(text, both as typeof RECEIVERS);
    expect(named("Muller down")).toMatchObject({ kind: "found", receiver: { name: "Muller" } });
    expect(named("Müller down")).toMatchObject({ kind: "found", receiver: { name: "Müller" } });
    expect(named("müller down")).toMatchObject({ kind: "several" });
  });

  test("of a name that several have is asked for", () => {
    expect(readReceiver("twins down", RECEIVERS)).toEqual({ kind: "several", name: "Twins" });
  });
});

test.each([
  ["pay down", "pay"],
  ['"Pay ments" x', "Pay"],
  ["@pay x", "pay"],
  ["", ""],
])("the first word of the name in %j is %j", (text, word) => {
  expect(firstWordOf(text)).toBe(word);
});
