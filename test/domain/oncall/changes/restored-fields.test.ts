import { describe, expect, test } from "vitest";
import { restoreFields } from "../../../../src/domain/oncall/changes/restored-fields.ts";

const undo = (before: object, after: object | null, now: object) =>
  restoreFields({
    changed: Object.keys(before),
    before: { ...before },
    after: after && { ...after },
    now: { ...now },
  });

describe("taking back a change of fields", () => {
  test.each([
    ["as the change left it", "AB", "BC", "BC", "AB"],
    ["in its order before", "AB", "BA", "BA", "AB"],
    ["with somebody added since", "AB", "A", "AC", "ACB"],
    ["with somebody removed since", "ABC", "AB", "A", "AC"],
    ["with the added one removed since", "A", "AB", "A", "A"],
    ["with the removed one added since", "AB", "A", "AB", "AB"],
    ["of which nothing is left", "A", "B", "", "A"],
  ])("a list %s", (_case, before, after, now, restored) => {
    const fields = (letters: string) => ({ people: [...letters] });
    expect(undo(fields(before), fields(after), fields(now))).toEqual({
      ok: true,
      values: fields(restored),
    });
  });

  test.each([
    ["as the change left it", "new", true],
    ["cleared since", null, true],
    ["changed since", "other", false],
  ])("a single value %s", (_case, now, ok) => {
    expect(undo({ name: "old" }, { name: "new" }, { name: now })).toEqual(
      ok ? { ok, values: { name: "old" } } : { ok, field: "name" },
    );
  });

  test("only of the fields that the change changed", () => {
    const before = { name: "old", schedule: "one" };
    const images = { before, after: { ...before, name: "new" }, now: { name: "new" } };
    expect(restoreFields({ changed: ["name"], ...images })).toEqual({
      ok: true,
      values: { name: "old" },
    });
  });

  test("a single value whose later value is not known", () => {
    expect(undo({ name: "old" }, null, { name: "other" })).toEqual({
      ok: true,
      values: { name: "old" },
    });
  });
});
