// Dated identifiers: the `prefix_id` alone leads to the ids of the minute of creation.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  datedIdentifierOf,
  idRangeOf,
  instantOfId,
  prefixIdOf,
  randomHexOf,
} from "../../../src/domain/shared/identifiers.ts";

const instants = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2055, 9, 31) });
const random = fc.uint8Array({ minLength: 7, maxLength: 7 });

const lastBytes = (id: string) => randomHexOf({ form: "id", value: id }).slice(14);

describe("dated identifiers", () => {
  test("are within the range of their prefix_id, which is one minute long", () => {
    fc.assert(
      fc.property(instants, random, fc.constantFrom("alert", "log"), (at, bytes, kind) => {
        const id = datedIdentifierOf(at, bytes);
        const range = idRangeOf(prefixIdOf(kind, id));
        if (range === null) throw new Error("no range");
        expect(id >= range.from && id < range.to).toBe(true);
        expect(instantOfId(range.to) - instantOfId(range.from)).toBe(60_000);
        expect(instantOfId(id)).toBe(at);
      }),
    );
  });

  test("of one minute are distinct, and so are their last bytes", () => {
    const at = Date.UTC(2026, 5, 1);
    const ids = Array.from({ length: 2_000 }, () =>
      datedIdentifierOf(at, crypto.getRandomValues(new Uint8Array(7))),
    );
    expect(new Set(ids).size).toBe(ids.length);
    // 2,000 random numbers of 24 bits have 0.1 duplicates on average.
    expect(new Set(ids.map(lastBytes)).size).toBeGreaterThan(ids.length - 5);
  });

  test("of successive minutes show no pattern in their last bytes", () => {
    const bits = Array.from({ length: 24 }, () => 0);
    const count = 4_000;
    for (let minute = 0; minute < count; minute += 1) {
      const at = Date.UTC(2026, 5, 1) + minute * 60_000;
      const id = datedIdentifierOf(at, crypto.getRandomValues(new Uint8Array(7)));
      const value = Number.parseInt(lastBytes(id), 16);
      bits.forEach((_, i) => {
        bits[i] = (bits[i] ?? 0) + ((value >> i) & 1);
      });
    }
    // Six standard deviations around one half.
    for (const set of bits) expect(Math.abs(set - count / 2)).toBeLessThan(190);
  });

  test.each(["tem_AAAAAAAAAAAAAA", "dlv_AAAAAAAAAAAAAA", "alt_", "alt_AAAAAAAAAAAAAB", ""])(
    "%j has no range",
    (text) => {
      expect(idRangeOf(text)).toBeNull();
    },
  );
});
