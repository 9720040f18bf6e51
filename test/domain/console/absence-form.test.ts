// What the form of an absence submits, and the hours in which people who are away are still on call.

import { describe, expect, test } from "vitest";
import { absenceBody, absenceValues } from "../../../src/console/oncall/absences/absence-form.ts";
import { hoursStillOnCall } from "../../../src/console/oncall/conflicts.tsx";
import type { Absence } from "../../../src/features/oncall/absences/contract.ts";
import type { OnCallEntry } from "../../../src/features/oncall/on-call/contract.ts";

const HOURS = { start_datetime: "2030-01-07T20:00", end_datetime: "2030-01-08T04:00" };
const IN_BERLIN = {
  start_datetime: "2030-01-07T19:00:00.000Z",
  end_datetime: "2030-01-08T03:00:00.000Z",
};
const OTHERS = {
  ...{ covering_account_user_id: "C", account_user_ids: ["D"], event: "E" },
  ...{ return_start: "2030-01-14T20:00", return_end: "", expires_at: "" },
};

describe("the body of an absence", () => {
  test.each([
    ["nobody_yet", {}],
    ["next_in_line", {}],
    ["empty", {}],
    ["person", { covering_account_user_id: "C" }],
    [
      "ask",
      {
        account_user_ids: ["D"],
        expires_at: "",
        in_return: {
          start_datetime: "2030-01-14T19:00:00.000Z",
          end_datetime: "2030-01-15T03:00:00.000Z",
        },
      },
    ],
  ])("has only what counts for %s", (instead, own) => {
    const form = { ...HOURS, ...OTHERS, instead, reason: "", schedule_ids: [""] };
    expect(absenceBody(form, "Europe/Berlin")).toEqual({
      ...{ ...IN_BERLIN, instead, reason: "", schedule_ids: [] },
      ...own,
    });
  });

  test("asks everybody of the rotation if nobody is chosen", () => {
    const form = { ...HOURS, instead: "ask", account_user_ids: [""], event: "E" };
    expect(absenceBody(form, "UTC")).toMatchObject({ event_id: "E", in_return: null });
    expect(absenceBody({ ...form, event: "" }, "UTC")).toMatchObject({ account_user_ids: [] });
  });

  test("keeps the instant that a field shows, also in the hour that the clock repeats", () => {
    const repeated = "2030-10-27T01:30:17.000Z";
    const wall = { start_datetime: "2030-10-27T02:30", shown_start_datetime: repeated };
    const body = absenceBody({ ...HOURS, ...wall, instead: "empty" }, "Europe/Berlin");
    expect(body.start_datetime).toBe(repeated);
  });
});

const absence = (of: Partial<Absence>) =>
  ({
    ...{ id: "abs", account_user_id: "A", status: "uncovered", schedule_ids: [] },
    ...{ start_datetime: "2030-01-07T00:00:00Z", end_datetime: "2030-01-09T00:00:00Z" },
    ...{ in_return: null, expires_at: null },
    ...of,
  }) as unknown as Absence;

const entry = (of: Partial<OnCallEntry>, people = ["A"]) =>
  ({
    ...{ event_id: "E", schedule_id: "S", layer: 1, absent: [] },
    ...{ start_time: "2030-01-08T12:00:00Z", end_time: "2030-01-10T00:00:00Z" },
    attendees: people.map((attendee_id) => ({ attendee_id })),
    ...of,
  }) as unknown as OnCallEntry;

describe("the hours in which people who are away are still on call", () => {
  const [from, to] = [Date.parse("2030-01-01T00:00:00Z"), Date.parse("2030-02-01T00:00:00Z")];
  const hours = (entries: readonly OnCallEntry[], of: Partial<Absence> = {}) =>
    hoursStillOnCall(entries, [absence(of)], from, to).map(({ startAt, endAt }) => [
      new Date(startAt).toISOString().slice(5, 13),
      new Date(endAt).toISOString().slice(5, 13),
    ]);
  const both = [["01-08T12", "01-09T00"]];

  test.each([
    ["what a shift and the absence have in common", [entry({})], {}, both],
    ["a shift of several teams once", [entry({}), entry({})], {}, both],
    ["nothing of others", [entry({}, ["B"])], {}, []],
    ["nothing of other schedules", [entry({})], { schedule_ids: ["T"] }, []],
    ["nothing if it was taken back", [entry({})], { status: "cancelled" as const }, []],
  ])("are %s", (_, entries, of, expected) => {
    expect(hours(entries, of)).toEqual(expected);
  });
});

test("a stored absence is shown with the hours in return as fields", () => {
  const inReturn = { start_datetime: "2030-01-14T20:00:00Z", end_datetime: "2030-01-15T04:00:00Z" };
  expect(absenceValues(absence({ in_return: inReturn }))).toMatchObject({
    ...{ return_start: inReturn.start_datetime, return_end: inReturn.end_datetime },
    expires_at: "",
  });
});
