import { expect, test } from "vitest";
import { findDoubles } from "../../crash/load/doubles.ts";

const SENT_FIRST = 100_000;
const killAt = (at: number, ...recorded: readonly string[]) => ({
  at,
  until: at + 8_000,
  recorded: new Set(recorded),
});
/** One mail that was accepted twice, and 99 that were accepted once. */
const sentAgainAt = (at: number) => [
  { notificationId: "ntf_1", at: SENT_FIRST },
  ...Array.from({ length: 99 }, (_, i) => ({ notificationId: `other_${i}`, at: SENT_FIRST })),
  { notificationId: "ntf_1", at },
];

const NO_DOUBLES = { inWindow: 0, stalled: 0, unexplained: [] };

test.each([
  ["a kill in between, and the lease is over", 116_000, [killAt(101_000)], [], { inWindow: 1 }],
  [
    "a kill in between, whose restart is no stall",
    116_000,
    [killAt(101_000)],
    [{ from: 101_200, until: 109_100 }],
    { inWindow: 1 },
  ],
  ["a stall", 116_000, [], [{ from: 101_000, until: 115_000 }], { stalled: 1 }],
  [
    "a stall, and a kill long before",
    116_000,
    [killAt(50_000)],
    [{ from: 101_000, until: 115_000 }],
    { stalled: 1 },
  ],
  [
    "nothing",
    116_000,
    [],
    [],
    { unexplained: ["mail ntf_1 was sent again after 16000 ms, though nothing died"] },
  ],
  [
    "a kill before the first copy",
    116_000,
    [killAt(99_000)],
    [],
    { unexplained: ["mail ntf_1 was sent again after 16000 ms, though nothing died"] },
  ],
  [
    "a kill in between, within the lease",
    114_000,
    [killAt(101_000)],
    [],
    { unexplained: ["mail ntf_1 was sent again after 14000 ms, within its lease"] },
  ],
  [
    "a kill after it was stored as sent",
    116_000,
    [killAt(101_000, "ntf_1")],
    [],
    { unexplained: ["mail ntf_1 was sent again, though it was stored as sent before the kill"] },
  ],
])("a mail that was sent again is explained by %s", (_, at, kills, stalls, found) => {
  expect(findDoubles(sentAgainAt(at), kills, stalls)).toEqual({ ...NO_DOUBLES, ...found });
});

test("stalls explain 1 of 100 mails at most", () => {
  const taken = (again: number) => {
    const first = Array.from({ length: 100 }, (_, i) => ({
      notificationId: `ntf_${i}`,
      at: 1_000,
    }));
    return [...first, ...first.slice(0, again).map((it) => ({ ...it, at: 20_000 }))];
  };
  const stalls = [{ from: 2_000, until: 18_000 }];
  expect(findDoubles(taken(1), [], stalls)).toEqual({ ...NO_DOUBLES, stalled: 1 });
  expect(findDoubles(taken(2), [], stalls)).toEqual({
    ...NO_DOUBLES,
    stalled: 2,
    unexplained: ["2 mails were sent again while the runtime stood still"],
  });
});
