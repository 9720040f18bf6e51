// The generated sequences, shared out among test files, which run beside each other.
// SEQUENCES=<from>-<to> plays a part of them.
import { afterAll, describe, expect, test } from "vitest";
import { seed } from "../../../support/generated/sizes.ts";
import { generate } from "./generator.ts";
import { play, shorten } from "./play.ts";

const CHANGES = 9;
const part = process.env.SEQUENCES?.split("-").map(Number) ?? [];
const [FROM = 0, TO] = part.length === 2 ? part : [];

/** The number of test files that share them. */
const FILES = 2;

/**
 * Describes every second sequence.
 *
 * @param file 0 or 1
 * @param count how many there are together
 */
export function describeSequences(file: number, count: number): void {
  describe("a generated sequence of changes", () => {
    const refused: string[] = [];
    let made = 0;
    const all = Array.from({ length: (TO ?? count) - FROM }, (_, index) => FROM + index);

    test.each(all.filter((index) => index % FILES === file))("%i", async (index) => {
      const sequence = generate(seed + index, CHANGES);
      try {
        const played = await play(sequence);
        made += played.kinds.length;
        refused.push(...played.refused);
      } catch (error) {
        const shortest = await shorten(sequence, error);
        const text = JSON.stringify(shortest.sequence);
        throw new Error(`TEST_SEED=${seed}, sequence ${index}: ${text}`, { cause: shortest.error });
      }
    });

    // Otherwise nothing would be compared.
    afterAll(() => {
      expect(refused.length, refused.join("\n")).toBeLessThanOrEqual(made / 5);
    });
  });
}
