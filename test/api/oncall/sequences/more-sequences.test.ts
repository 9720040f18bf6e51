// The other half of the generated sequences of `sequences.test.ts`, which runs beside it.
import { afterEach, vi } from "vitest";
import { sized } from "../../../support/generated/sizes.ts";
import { describeSequences } from "./generated.ts";

afterEach(() => {
  vi.useRealTimers();
});

describeSequences(1, sized(12, 500));
