import { describe, expect, test } from "vitest";
import { type ContactChange, changeContacts } from "../../../src/domain/people/contact-changes.ts";

const stored = (id: string, value: string, primary = false) => ({
  id,
  prefixId: `eml_${id}`,
  value,
  primary,
});

const change = (given: Partial<ContactChange>): ContactChange => ({
  field: "emails_attributes[0]",
  remove: false,
  newId: "NEW",
  ...given,
});

describe("changes of a person's addresses", () => {
  test.each<[string, Partial<ContactChange>[], string | null]>([
    ["none marked: the current one", [], "A"],
    ["another one marked", [{ id: "B", primary: true }], "B"],
    [
      "two marked: the last one",
      [
        { id: "B", primary: true },
        { id: "A", primary: true },
      ],
      "A",
    ],
    ["the primary one unmarked", [{ id: "A", primary: false }], "B"],
    [
      "all unmarked",
      [
        { id: "A", primary: false },
        { id: "B", primary: false },
      ],
      "A",
    ],
    ["the primary one removed", [{ id: "eml_A", remove: true }], "B"],
    [
      "marked, then removed",
      [
        { id: "B", primary: true },
        { id: "B", remove: true },
      ],
      "A",
    ],
    ["a new one marked", [{ value: "c", primary: true }], "NEW"],
    [
      "none left",
      [
        { id: "A", remove: true },
        { id: "B", remove: true },
      ],
      null,
    ],
  ])("the primary address: %s", (_, changes, primaryId) => {
    const current = [stored("A", "a", true), stored("B", "b")];
    expect(changeContacts(current, changes.map(change))).toMatchObject({ primaryId, errors: [] });
  });

  test("an existing address is changed, not added", () => {
    const result = changeContacts(
      [stored("A", "a", true)],
      [change({ value: "a", primary: true })],
    );
    expect(result.added).toEqual([]);
    expect(result.changed).toMatchObject([{ id: "A", differs: false }]);
  });

  test("an address added and removed in one request is not stored", () => {
    const changes = [change({ value: "b" }), change({ value: "b", remove: true })];
    const result = changeContacts([stored("A", "a", true)], changes);
    expect(result).toMatchObject({ added: [], primaryId: "A", left: 1, errors: [] });
  });

  test("an address removed and added again gets a new row", () => {
    const changes = [change({ id: "A", remove: true }), change({ value: "a" })];
    const result = changeContacts([stored("A", "a", true)], changes);
    expect(result).toMatchObject({ removed: ["A"], added: [{ id: "NEW" }], primaryId: "NEW" });
  });

  test("two addresses can swap values", () => {
    const current = [stored("A", "a", true), stored("B", "b")];
    const changes = [change({ id: "A", value: "b" }), change({ id: "B", value: "a" })];
    const result = changeContacts(current, changes);
    expect(result.errors).toEqual([]);
    expect(result.changed.map(({ id, value }) => [id, value])).toEqual([
      ["A", "b"],
      ["B", "a"],
    ]);
  });

  test("an unknown id and the value of another row are errors", () => {
    const current = [stored("A", "a", true), stored("B", "b")];
    const changes = [change({ id: "C", value: "c" }), change({ field: "x", id: "B", value: "a" })];
    const result = changeContacts(current, changes);
    expect(result.errors.map(({ field }) => field)).toEqual(["emails_attributes[0].id", "x"]);
    expect(result).toMatchObject({ added: [], removed: [], left: 2 });
  });
});
