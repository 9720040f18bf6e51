import { describe, expect, test } from "vitest";
import { newlyUnseen, nextUnseenAt, unseenText } from "../../../src/domain/people/unseen-push.ts";
import { DAY } from "../../../src/domain/shared/time.ts";

const MARCH = Date.UTC(2026, 2, 2, 9);
const browser = (name: string, days: number) => ({ name, seenAt: MARCH + days * DAY });

describe("a browser is told of 30 days after it was last seen", () => {
  test.each([
    ["the first of several", [browser("a", 4), browser("b", 2)], 0, 32],
    ["only one that was not told of yet", [browser("a", 4), browser("b", 2)], 32, 34],
    ["nothing after the last", [browser("a", 4)], 34, null],
    ["nothing without browsers", [], 0, null],
  ])("%s", (_, browsers, after, day) => {
    const at = nextUnseenAt(browsers, MARCH + after * DAY);
    expect(at).toBe(day === null ? null : MARCH + day * DAY);
  });

  test("once: those that have become due since", () => {
    const browsers = [browser("a", 1), browser("b", 2), browser("c", 5)];
    const due = newlyUnseen(browsers, MARCH + 32 * DAY, MARCH + 33 * DAY);
    expect(due.map(({ name }) => name)).toEqual(["b"]);
    expect(newlyUnseen(browsers, MARCH + 36 * DAY, MARCH + 90 * DAY)).toEqual([]);
  });
});

test("the text names each browser and when it was seen, in the owner's zone", () => {
  expect(unseenText([], "UTC")).toBe(null);
  const one = unseenText([browser("Chrome, Android", 0)], "Europe/Berlin");
  expect(one?.subject).toBe("No push shown for 30 days: Chrome, Android");
  expect(one?.text).toContain("- Chrome, Android: last seen Mon 2 Mar 10:00");
  const two = unseenText([browser("Safari", 0), browser("", 1)], "UTC");
  expect(two?.subject).toBe("No push shown for 30 days: 2 of your browsers");
  expect(two?.text).toContain("- A browser without a name: last seen Tue 3 Mar 09:00");
});
