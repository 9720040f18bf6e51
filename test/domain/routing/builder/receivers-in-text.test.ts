// Receivers of rules are renamed in the text; the rest of it stays.
import { describe, expect, test } from "vitest";
import { mapReceivers } from "../../../../src/domain/routing/builder/receivers-in-text.ts";

const rename = (name: string) => `<${name}>`;

describe("mapReceivers", () => {
  test.each([
    [
      "a single receiver, not the same text in a title",
      "rules:\n  # one\n  - match: { alert.title: one }\n    actions: [{ type: assign, receiver: one }]\n",
      "rules:\n  # one\n  - match: { alert.title: one }\n    actions: [{ type: assign, receiver: <one> }]\n",
    ],
    [
      "a list, in the quotes that it has",
      "rules:\n  - match: { always: true }\n    actions:\n      - type: aggregate\n        receiver: ['one', \"two\", three] # all\n",
      "rules:\n  - match: { always: true }\n    actions:\n      - type: aggregate\n        receiver: ['<one>', \"<two>\", <three>] # all\n",
    ],
    [
      "JSON",
      '{"rules":[{"match":{"always":true},"actions":[{"type":"assign","receiver":"one"}]}]}',
      '{"rules":[{"match":{"always":true},"actions":[{"type":"assign","receiver":"<one>"}]}]}',
    ],
    [
      "an alias, once and at its anchor",
      "rules:\n  - match: { always: true }\n    actions: [{ type: assign, receiver: &a one }]\n  - match: { always: true }\n    actions: [{ type: assign, receiver: *a }]\n",
      "rules:\n  - match: { always: true }\n    actions: [{ type: assign, receiver: &a <one> }]\n  - match: { always: true }\n    actions: [{ type: assign, receiver: *a }]\n",
    ],
    ["a text that cannot be read", "rules: [", "rules: ["],
    ["an empty text", "", ""],
  ])("%s", (_, text, expected) => {
    expect(mapReceivers(text, rename)).toBe(expected);
  });
});
