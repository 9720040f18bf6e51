import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pausesByCount, retryDelayMs } from "../../../src/domain/access/sign-in-limits.ts";
import { sized } from "../../support/generated/sizes.ts";

describe("the delay before the next attempt", () => {
  test("is never longer than half a minute, after any attempts", () => {
    for (const pauses of Object.values(pausesByCount)) {
      expect(Math.max(...pauses)).toBeLessThan(28_000);
      expect([...pauses].sort((a, b) => a - b)).toEqual(pauses);
    }
    fc.assert(
      fc.property(
        fc.nat(500),
        fc.nat(500),
        fc.nat(20),
        fc.nat(60_000),
        (mine, others, nth, ago) => {
          const now = 1_800_000_000_000;
          const delay = retryDelayMs({ mine, anybody: mine + others, latest: now - ago }, nth, now);
          expect(delay).toBeGreaterThan(0);
          expect(delay).toBeLessThan(28_000);
        },
      ),
      { numRuns: sized(1_000, 20_000) },
    );
  });
});
