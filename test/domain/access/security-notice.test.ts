// Security notices of changed addresses, and the limit on their mails.
import { describe, expect, test } from "vitest";
import {
  contactNotices,
  describeNotice,
  nextMailAt,
  recentMails,
  SECURITY_KINDS,
} from "../../../src/domain/access/security-notice.ts";
import { changeContacts } from "../../../src/domain/people/contact-changes.ts";

const contact = (id: string, value: string, primary = false) => ({
  id,
  prefixId: `eml_${id}`,
  value,
  primary,
});

const STORED = [contact("A", "a@x", true), contact("B", "b@x")];

const change = (given: object) => ({ field: "f", remove: false, newId: "NEW", ...given });

describe("the notices of changed addresses", () => {
  test.each<[string, object[], string[]]>([
    ["no change", [], []],
    ["an existing address", [{ value: "a@x" }], []],
    ["an added address", [{ value: "c@x" }], ["email_added c@x"]],
    ["a removed address", [{ id: "B", remove: true }], ["email_removed b@x"]],
    ["a changed address", [{ id: "B", value: "c@x" }], ["email_added c@x", "email_removed b@x"]],
    ["a new primary address", [{ id: "B", primary: true }], ["email_primary b@x"]],
    [
      "a removed primary address",
      [{ id: "A", remove: true }],
      ["email_removed a@x", "email_primary b@x"],
    ],
    [
      "exchanged rows, where only the primary changes",
      [
        { id: "A", value: "b@x" },
        { id: "B", value: "a@x" },
      ],
      ["email_primary b@x"],
    ],
  ])("%s", (_, changes, expected) => {
    const changed = changeContacts(STORED, changes.map(change));
    const notices = contactNotices("email", STORED, changed, String);
    expect(notices.map(({ kind, detail }) => `${kind} ${detail}`)).toEqual(expected);
  });
});

test("every kind has a different description", () => {
  const descriptions = SECURITY_KINDS.map((kind) => describeNotice(kind, "x"));
  expect(new Set(descriptions).size).toBe(SECURITY_KINDS.length);
});

test("three mails are sent at once, further ones an hour after the first of the last three", () => {
  expect([nextMailAt([]), nextMailAt([1]), nextMailAt([1, 2])]).toEqual([0, 0, 0]);
  expect(nextMailAt([1, 2, 3])).toBe(3_600_001);
  expect(nextMailAt([1, 2, 3, 4])).toBe(3_600_002);
  expect(recentMails([1, 2, 3, 4], 5)).toEqual([2, 3, 4]);
  expect(recentMails([1, 3_600_000], 3_600_005)).toEqual([3_600_000]);
});
