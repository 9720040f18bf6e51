// What a person is told of a change, and how many mails it takes.
import { describe, expect, test } from "vitest";
import {
  contactNotices,
  describeNotice,
  nextMailAt,
  recentMails,
  SECURITY_KINDS,
} from "../../../src/domain/access/security-notice.ts";
import { changeContacts } from "../../../src/domain/people/contact-changes.ts";

const held = (id: string, value: string, primary = false) => ({
  id,
  prefixId: `eml_${id}`,
  value,
  primary,
});

const HELD = [held("A", "a@x", true), held("B", "b@x")];

const change = (given: object) => ({ field: "f", remove: false, newId: "NEW", ...given });

describe("the notices of changed addresses", () => {
  test.each<[string, object[], string[]]>([
    ["nothing", [], []],
    ["the same again", [{ value: "a@x" }], []],
    ["one more", [{ value: "c@x" }], ["email_added c@x"]],
    ["one less", [{ id: "B", remove: true }], ["email_removed b@x"]],
    ["another text", [{ id: "B", value: "c@x" }], ["email_added c@x", "email_removed b@x"]],
    ["another primary", [{ id: "B", primary: true }], ["email_primary b@x"]],
    [
      "the primary one removed",
      [{ id: "A", remove: true }],
      ["email_removed a@x", "email_primary b@x"],
    ],
    [
      "rows that change places: only the primary is another",
      [
        { id: "A", value: "b@x" },
        { id: "B", value: "a@x" },
      ],
      ["email_primary b@x"],
    ],
  ])("%s", (_, changes, expected) => {
    const changed = changeContacts(HELD, changes.map(change));
    const notices = contactNotices("email", HELD, changed, String);
    expect(notices.map(({ kind, detail }) => `${kind} ${detail}`)).toEqual(expected);
  });
});

test("every kind is described in words of its own", () => {
  const said = SECURITY_KINDS.map((kind) => describeNotice(kind, "x"));
  expect(new Set(said).size).toBe(SECURITY_KINDS.length);
});

test("three mails go out at once, further ones as the hour of the first of three is over", () => {
  expect([nextMailAt([]), nextMailAt([1]), nextMailAt([1, 2])]).toEqual([0, 0, 0]);
  expect(nextMailAt([1, 2, 3])).toBe(3_600_001);
  expect(nextMailAt([1, 2, 3, 4])).toBe(3_600_002);
  expect(recentMails([1, 2, 3, 4], 5)).toEqual([2, 3, 4]);
  expect(recentMails([1, 3_600_000], 3_600_005)).toEqual([3_600_000]);
});
