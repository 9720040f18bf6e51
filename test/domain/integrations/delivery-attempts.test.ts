// The retry schedule of deliveries, and its end.
import { expect, test } from "vitest";
import {
  type AttemptOutcome,
  nextAttemptAt,
  parseRetryAfter,
  receiverPauseMs,
} from "../../../src/domain/integrations/delivery-attempts.ts";

const T0 = Date.UTC(2026, 0, 5, 9);
const failedAttempt = (retryAfterMs: number | null = null): AttemptOutcome => ({
  kind: "again",
  responseCode: 503,
  reason: "it answered 503",
  retryAfterMs,
});

test("makes twelve attempts within a day, at growing intervals", () => {
  const seconds: number[] = [];
  let now = T0;
  for (let tries = 1; ; tries += 1) {
    const next = nextAttemptAt(tries, T0, failedAttempt(), now);
    if (next === null) break;
    seconds.push((next - now) / 1000);
    now = next;
  }
  expect(seconds).toEqual([5, 25, 90, 480, 1200, 1800, 3600, 7200, 14400, 28800, 28800]);
  expect(now - T0).toBe(86_400_000);
});

test("makes no attempt after a day", () => {
  expect(nextAttemptAt(1, T0, failedAttempt(), T0 + 86_399_999)).toBe(T0 + 86_404_999);
  expect(nextAttemptAt(1, T0, failedAttempt(), T0 + 86_400_000)).toBeNull();
});

test("delays the next attempt as the receiver requests, up to an hour", () => {
  expect(nextAttemptAt(1, T0, failedAttempt(600_000), T0)).toBe(T0 + 600_000);
  expect(nextAttemptAt(3, T0, failedAttempt(1_000), T0)).toBe(T0 + 90_000);
  expect(receiverPauseMs(failedAttempt(86_400_000))).toBe(3_600_000);
  expect(receiverPauseMs(failedAttempt())).toBeNull();
});

test.each<[string | null, number | null]>([
  ["120", 120_000],
  [" 0 ", 0],
  ["1.2345", 1_235],
  ["-5", 0],
  ["Mon, 05 Jan 2026 09:01:00 GMT", 60_000],
  ["Mon, 05 Jan 2026 08:00:00 GMT", 0],
  ["soon", null],
  ["", null],
  [null, null],
])("parses Retry-After: %s", (header, expected) => {
  expect(parseRetryAfter(header, T0)).toBe(expected);
});
