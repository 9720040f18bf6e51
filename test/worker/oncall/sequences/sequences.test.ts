// Sequences of changes of a schedule over HTTP, compared after each change with an independent model of who is on
// call (`model.ts`). A failure prints the shortest sequence that fails, to be written down in `cases.ts`, and the seed.
// SEQUENCES=<from>-<to> plays a part of them, so that they can be shared out.
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { seed, sized } from "../../../support/generated/sizes.ts";
import { CASES } from "./cases.ts";
import { generate } from "./generator.ts";
import { play, shorten } from "./play.ts";

const CHANGES = 9;
const part = process.env.SEQUENCES?.split("-").map(Number) ?? [];
const [FROM = 0, TO = sized(12, 500)] = part.length === 2 ? part : [];

afterEach(() => {
  vi.useRealTimers();
});

describe("a fault", () => {
  for (const { name, ...sequence } of CASES) {
    test(name, async () => {
      const { kinds, refused } = await play(sequence);
      expect(refused).toEqual([]);
      expect(kinds).toHaveLength(sequence.steps.length);
    });
  }
});

describe("a generated sequence of changes", () => {
  const refused: string[] = [];
  let made = 0;

  test.each(Array.from({ length: TO - FROM }, (_, index) => FROM + index))("%i", async (index) => {
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
