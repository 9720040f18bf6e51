import { describe, expect, it } from "vitest";
import { createAnonymizer, searchTermsOf } from "../../../src/domain/shared/anonymize.ts";

const traces = (name: string, addresses: readonly string[] = []) => ({
  accountId: "a",
  accountUserId: "u",
  name,
  addresses,
});

describe("anonymizer", () => {
  const ann = createAnonymizer(traces("Ann Lee", ["ann.lee@x.example", "+14155550123"]));
  it.each([
    ["Acknowledged by Ann Lee", "Acknowledged by Former member"],
    ["ANN  LEE's shift", "Former member's shift"],
    ["Joann Lee, Ann Leeds, Ann", "Joann Lee, Ann Leeds, Ann"],
    ["to Ann.Lee@X.example.", "to [removed]."],
    [
      "to joann.lee@x.example, ann.lee@x.example.org",
      "to joann.lee@x.example, ann.lee@x.example.org",
    ],
    [
      "+14155550123 14155550123 114155550123 141555501234",
      "[removed] [removed] 114155550123 141555501234",
    ],
    ["sms:+14155550123;x", "sms:[removed];x"],
  ])("%j becomes %j", (before, after) => {
    expect(ann.text(before, false)).toBe(after);
    expect(ann.text(after, true)).toBe(after);
  });

  it("replaces a one-word name only in our own text, or if it is the whole text", () => {
    const max = createAnonymizer(traces("Max"));
    expect(max.text("Max connections reached", false)).toBe("Max connections reached");
    expect(max.text("Acknowledged by Max", true)).toBe("Acknowledged by Former member");
    expect(max.value({ by: { name: "Max" } }, false)).toEqual({ by: { name: "Former member" } });
  });

  it("searches JSON, its keys and JSON in its strings", () => {
    const inner = JSON.stringify({ to: "ann.lee@x.example" });
    const before = JSON.stringify({ "ann.lee@x.example": ["Ann Lee", 1, null, inner] });
    const after = JSON.stringify({ "[removed]": ["Former member", 1, null, '{"to":"[removed]"}'] });
    expect(ann.stored(before, false)).toBe(after);
  });

  it("returns unchanged input exactly as it is", () => {
    const text = '{ "a" : 1 }';
    expect(ann.stored(text, true)).toBe(text);
    const value = { a: [1, { b: "x" }] };
    expect(ann.value(value, true)).toBe(value);
    expect(createAnonymizer(traces("")).text("nobody", true)).toBe("nobody");
  });

  it("has search terms that occur in every text it changes, lowercased as in SQLite", () => {
    const person = traces('Ölaf "Bo" Ünal', ["o@x.example", "+4930123"]);
    const terms = searchTermsOf(person);
    const lower = (text: string) => text.replace(/[A-Z]/g, (it) => it.toLowerCase());
    for (const text of [
      'by Ölaf "Bo" Ünal',
      JSON.stringify({ by: 'Ölaf "Bo" Ünal' }),
      "O@X.EXAMPLE",
      "004930123",
    ]) {
      expect(
        terms.some((it) => lower(text).includes(it)),
        text,
      ).toBe(true);
    }
  });
});
