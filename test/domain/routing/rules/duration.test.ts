import { describe, expect, test } from "vitest";
import { formatDuration, parseDuration } from "../../../../src/domain/routing/rules/duration.ts";

describe("a duration", () => {
  test.each<[text: string, ms: number | null]>([
    ["5m", 300_000],
    ["5 m", 300_000],
    ["1.5h", 5_400_000],
    [".5 mins", 30_000],
    ["90 seconds", 90_000],
    ["100", 100],
    ["100ms", 100],
    ["2 days", 172_800_000],
    ["1w", 604_800_000],
    ["1 year", 31_557_600_000],
    ["5M", 300_000],
    ["0", 0],
    ["-5m", null],
    ["5 fortnights", null],
    ["m", null],
    ["", null],
    ["5m 3s", null],
    ["1e3", null],
  ])("%j is %j ms", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each([
    [0, "0ms"],
    [1500, "1s 500ms"],
    [300_000, "5m"],
    [5_400_000, "1h 30m"],
    [176_400_000, "2d 1h"],
  ])("%i ms is formatted as %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});
