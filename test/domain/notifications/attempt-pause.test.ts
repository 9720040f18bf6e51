import { describe, expect, test } from "vitest";
import { pauseAfter } from "../../../src/domain/notifications/attempt-pause.ts";

describe("the pause after a temporary failure", () => {
  test.each([
    [1, undefined, 2_000],
    [2, 0, 4_000],
    [1, 14_000, 14_000],
    [5, 14_000, 32_000],
    [1, 300_000, 300_000],
    [1, 86_400_000, 300_000],
    [1, 999_999_999_000, 300_000],
    [20, 0, 300_000],
  ])("of attempt %i, with Retry-After %s: %i ms", (attempts, retryAfterMs, pause) => {
    expect(pauseAfter(attempts, retryAfterMs)).toBe(pause);
  });
});
