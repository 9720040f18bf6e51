import { describe, expect, test } from "vitest";
import { type ContactChange, changeContacts } from "../../../src/domain/people/contact-changes.ts";

const held = (id: string, value: string, primary = false) => ({
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
    ["nothing said: the one that was", [], "A"],
    ["another named", [{ id: "B", primary: true }], "B"],
    [
      "the last of two named",
      [
        { id: "B", primary: true },
        { id: "A", primary: true },
      ],
      "A",
    ],
    ["the primary one refused", [{ id: "A", primary: false }], "B"],
    [
      "all refused",
      [
        { id: "A", primary: false },
        { id: "B", primary: false },
      ],
      "A",
    ],
    ["the primary one removed", [{ id: "eml_A", remove: true }], "B"],
    [
      "named, then removed",
      [
        { id: "B", primary: true },
        { id: "B", remove: true },
      ],
      "A",
    ],
    ["a new one named", [{ value: "c", primary: true }], "NEW"],
    [
      "none left",
      [
        { id: "A", remove: true },
        { id: "B", remove: true },
      ],
      null,
    ],
  ])("the primary one: %s", (_, changes, primaryId) => {
    const current = [held("A", "a", true), held("B", "b")];
    expect(changeContacts(current, changes.map(change))).toMatchObject({ primaryId, errors: [] });
  });

  test("an address that is there already is changed, not added", () => {
    const made = changeContacts([held("A", "a", true)], [change({ value: "a", primary: true })]);
    expect(made.added).toEqual([]);
    expect(made.changed).toMatchObject([{ id: "A", differs: false }]);
  });

  test("one added and removed in the same request leaves nothing", () => {
    const changes = [change({ value: "b" }), change({ value: "b", remove: true })];
    const made = changeContacts([held("A", "a", true)], changes);
    expect(made).toMatchObject({ added: [], primaryId: "A", left: 1, errors: [] });
  });

  test("one removed and added again is another row", () => {
    const changes = [change({ id: "A", remove: true }), change({ value: "a" })];
    const made = changeContacts([held("A", "a", true)], changes);
    expect(made).toMatchObject({ removed: ["A"], added: [{ id: "NEW" }], primaryId: "NEW" });
  });

  test("values may change places", () => {
    const current = [held("A", "a", true), held("B", "b")];
    const changes = [change({ id: "A", value: "b" }), change({ id: "B", value: "a" })];
    const made = changeContacts(current, changes);
    expect(made.errors).toEqual([]);
    expect(made.changed.map(({ id, value }) => [id, value])).toEqual([
      ["A", "b"],
      ["B", "a"],
    ]);
  });

  test("an unknown id, and a value that another row has, are at fault", () => {
    const current = [held("A", "a", true), held("B", "b")];
    const changes = [change({ id: "C", value: "c" }), change({ field: "x", id: "B", value: "a" })];
    const made = changeContacts(current, changes);
    expect(made.errors.map(({ field }) => field)).toEqual(["emails_attributes[0].id", "x"]);
    expect(made).toMatchObject({ added: [], removed: [], left: 2 });
  });
});
