// Sequences of changes of a schedule over HTTP, compared after each change with an independent model of who is on
// call (`model.ts`). A failure prints the shortest sequence that fails, to be written down in `cases.ts`, and the seed.
import { afterEach, describe, expect, test, vi } from "vitest";
import { sized } from "../../../support/generated/sizes.ts";
import { CASES } from "./cases.ts";
import { describeSequences } from "./generated.ts";
import { play } from "./play.ts";

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

describeSequences(0, sized(12, 500));
