// Which hours somebody may take over, and what the notices of it say.
import { describe, expect, test } from "vitest";
import { decideTakeOver } from "../../../src/domain/oncall/changes/take-over.ts";
import {
  relievedText,
  type TakeOverNotice,
  takeOverRecipients,
  takeOverText,
} from "../../../src/domain/oncall/notices/take-overs.ts";
import { type OnCallEvent, SINGLE_SHIFT } from "../../../src/domain/oncall/on-call-event.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 2, 2);

const attendee = (attendeeId: string, position: number) => ({
  ...{ id: `row ${attendeeId}`, attendeeId, attendeeType: "AccountUser" as const, position },
});

/** A and B take daily turns. */
const SERIES: OnCallEvent = {
  ...SINGLE_SHIFT,
  ...{ id: "series", seriesId: "series", createdAt: 0, parentId: null, exceptions: [] },
  ...{ startAt: START, endAt: START + DAY, layer: 1, timeZone: "UTC" },
  ...{ repeat: true, frequency: 1, frequencyUnit: "daily", rotation: true },
  attendees: [attendee("A", 0), attendee("B", 1)],
};

/** C overrides hours of the first day. */
const override = (from: number, to: number): OnCallEvent => ({
  ...SERIES,
  ...{ id: "override", createdAt: 1, parentId: "series" },
  ...{ startAt: START + from * HOUR, endAt: START + to * HOUR },
  ...{ repeat: false, rotation: false, attendees: [attendee("C", 0)] },
});

const decide = (
  actionAt: number,
  now: number,
  { by = "C", event = SERIES, overrides = [] as readonly OnCallEvent[] } = {},
) => {
  const events = [SERIES, ...overrides].map((it) => (it.id === event.id ? event : it));
  const schedule = { events, absences: [] };
  return decideTakeOver(event, schedule, { actionAt: START + actionAt, by }, START + now);
};

const hours = (taken: ReturnType<typeof decide>) =>
  taken.kind === "refusal"
    ? taken.errors[0]?.message
    : [(taken.startAt - START) / HOUR, (taken.endAt - START) / HOUR, taken.relieved.join()];

const OLDER = override(8, 12);
/** D has the hours of the override of C. */
const REPLACED = {
  event: OLDER,
  overrides: [
    OLDER,
    { ...override(6, 14), id: "newer", createdAt: 2, attendees: [attendee("D", 0)] },
  ],
  by: "B",
};

describe("somebody takes over", () => {
  test.each([
    ["a running shift from now on", 0, 10 * HOUR, [10, 24, "A"]],
    ["a coming one whole", DAY, 10 * HOUR, [24, 48, "B"]],
    ["one that begins now", DAY, DAY, [24, 48, "B"]],
    ["one in four weeks", 28 * DAY, 0, [28 * 24, 29 * 24, "A"]],
  ])("%s", (_, at, now, expected) => {
    expect(hours(decide(at, now))).toEqual(expected);
  });

  test("the part of a shift that an override leaves, or the override", () => {
    const overrides = [override(8, 12)];
    expect(hours(decide(12 * HOUR, 9 * HOUR, { overrides, by: "B" }))).toEqual([12, 24, "A"]);
    expect(hours(decide(0, 2 * HOUR, { overrides }))).toEqual([2, 8, "A"]);
    const [event = SERIES] = overrides;
    const ofOverride = { event, overrides, by: "B" };
    expect(hours(decide(8 * HOUR, 9 * HOUR, ofOverride))).toEqual([9, 12, "C"]);
  });

  test.each([
    ["one that has ended", 0, DAY, {}, /nobody is on call/],
    [
      "one of which an override has the rest",
      0,
      13 * HOUR,
      { overrides: [override(12, 24)] },
      /nobody/,
    ],
    ["one that an override has", 0, HOUR, { overrides: [override(0, 24)] }, /nobody/],
    ["their own", 0, HOUR, { by: "A" }, /you are on call/],
    ["one in five weeks", 35 * DAY, 0, {}, /more than 28 days/],
    ["hours before the first", -HOUR, -2 * HOUR, {}, /nobody is on call/],
    ["an override whose hours a newer one has", 8 * HOUR, 0, REPLACED, /nobody is on call/],
    ["an empty one", 0, HOUR, { event: { ...SERIES, attendees: [] } }, /nobody is on call/],
  ])("but not %s", (_, at, now, more, reason) => {
    expect(hours(decide(at, now, more))).toMatch(reason);
  });
});

describe("the notice of a take-over", () => {
  const notice: TakeOverNotice = {
    ...{ id: "change", createdAt: START, isUndo: false, layer: 2 },
    ...{ authorId: "C", author: "Cid", takerId: "C", taker: "Cid" },
    ...{ relievedIds: ["A", "B"], relieved: ["Ann", "Bob"] },
    ...{ startAt: START + 9 * HOUR, endAt: START + 17 * HOUR },
  };

  test("says who took over from whom, and when", () => {
    const { subject, text } = takeOverText("Payments", notice, "UTC");
    expect(subject).toBe(
      "Cid took over from Ann and Bob in Payments: step 2: Mon 2 Mar 09:00 – 17:00",
    );
    expect(text).toContain("Times in UTC.");
    const undone = takeOverText("Payments", { ...notice, isUndo: true, author: "Ann" }, "UTC");
    expect(undone.subject).toContain("Ann undid in Payments that Cid took over from Ann and Bob: ");
  });

  test("tells whoever was relieved who took over, and nobody else", () => {
    expect(relievedText([notice], "A")).toEqual([
      "Cid took over from you. You can undo it in the history of the schedule.",
    ]);
    expect(relievedText([notice], "D")).toEqual([]);
    expect(relievedText([{ ...notice, isUndo: true }], "A")).toEqual([]);
  });

  test("goes to the admins except who did it, and who is told of their own shifts", () => {
    const recipients = takeOverRecipients(notice, ["A", "C", "D"], new Set(["A"]));
    expect(recipients).toEqual(["D"]);
  });
});
