import { describe, expect, test } from "vitest";
import { type ContactChange, changeContacts } from "../../../src/domain/people/contact-changes.ts";
import {
  preserveVerified,
  type StoredEmail,
  unverifiedAddresses,
  verifyInitialAddress,
} from "../../../src/domain/people/verified-addresses.ts";

const stored = (id: string, value: string, verifiedAt: number | null, primary = false) => ({
  id,
  prefixId: `eml_${id}`,
  value,
  primary,
  verifiedAt,
});

const changesOf = (current: readonly StoredEmail[], given: readonly Partial<ContactChange>[]) =>
  changeContacts(
    current,
    given.map((it, i) => ({
      field: `emails_attributes[${i}]`,
      remove: false,
      newId: `N${i}`,
      ...it,
    })),
  );

const preserved = (current: readonly StoredEmail[], given: readonly Partial<ContactChange>[]) =>
  preserveVerified(current, changesOf(current, given), "SPARE", "emails_attributes");

const A = stored("A", "a", 1, true);
const B = stored("B", "b", null);
const C = stored("C", "c", 3);

describe("the verified addresses of a person", () => {
  test.each<[string, StoredEmail[], Partial<ContactChange>[], string[], string[]]>([
    ["nothing changes", [A, B], [], [], []],
    ["another is added", [A], [{ value: "x" }], ["x"], []],
    ["the last verified one gets a new value", [A, B], [{ id: "A", value: "x" }], ["x"], ["a"]],
    ["one of two gets a new value", [A, C], [{ id: "A", value: "x" }], ["x"], []],
    ["an unverified one gets a new value", [A, B], [{ id: "B", value: "x" }], ["x"], []],
    [
      "both of two get new values: the primary one stays",
      [C, A],
      [
        { id: "A", value: "x" },
        { id: "C", value: "y" },
      ],
      ["x", "y"],
      ["a"],
    ],
    [
      "it swaps values with an unverified one",
      [A, B],
      [
        { id: "A", value: "b" },
        { id: "B", value: "a" },
      ],
      ["b"],
      [],
    ],
    [
      "it moves to another row",
      [A, B],
      [
        { id: "A", remove: true },
        { id: "B", value: "a" },
      ],
      [],
      [],
    ],
    ["one of two is removed", [A, C], [{ id: "A", remove: true }], [], []],
    ["none was verified", [B], [{ id: "B", value: "x" }], ["x"], []],
  ])("%s", (_, current, given, unverified, spare) => {
    const changes = preserved(current, given);
    expect(changes.errors).toEqual([]);
    expect(unverifiedAddresses(changes).map(({ email }) => email)).toEqual(unverified);
    expect(changes.added.filter(({ id }) => id === "SPARE").map(({ value }) => value)).toEqual(
      spare,
    );
    expect(changes.left).toBe(changesOf(current, given).left + spare.length);
    for (const value of spare) expect(changes.verified.has(value)).toBe(true);
  });

  test.each<[string, StoredEmail[], Partial<ContactChange>[]]>([
    ["the only one", [A, B], [{ id: "A", remove: true }]],
    ["the only one, replaced by a new one", [A], [{ id: "A", remove: true }, { value: "x" }]],
    [
      "all of them",
      [A, B, C],
      [
        { id: "A", remove: true },
        { id: "C", remove: true },
      ],
    ],
  ])("cannot be removed: %s", (_, current, given) => {
    expect(preserved(current, given).errors).toEqual([
      expect.objectContaining({ field: "emails_attributes" }),
    ]);
  });

  test("include only the primary one of a new person", () => {
    const changes = verifyInitialAddress(
      changesOf([], [{ value: "a" }, { value: "b", primary: true }]),
      7,
    );
    expect([...changes.verified]).toEqual([["b", 7]]);
    expect(unverifiedAddresses(changes)).toEqual([{ id: "N0", email: "a" }]);
    expect([...verifyInitialAddress(changesOf([], []), 7).verified]).toEqual([]);
  });
});
