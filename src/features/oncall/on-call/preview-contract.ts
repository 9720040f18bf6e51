// What a change of on-call events would do, without doing it.
import * as z from "zod";
import {
  flag,
  identifier,
  identifiers,
  instant,
  integer,
  listOf,
  nested,
  number,
} from "../../../kernel/contract/fields.ts";
import { AbsenceWarning } from "../absences/contract.ts";
import { CalendarReading } from "../calendar-imports/reading-contract.ts";

export const PreviewWindow = z.object({
  start: instant("The start of the compared time.", "2026-01-03T12:00:00.000Z"),
  end: instant("The end of the compared time.", "2026-03-14T12:00:00.000Z"),
});

export const ChangedOnCall = z.object({
  layer: integer("The escalation layer.", 1),
  start_time: instant("The start of the difference.", "2026-02-02T09:00:00.000Z"),
  end_time: instant("The end of the difference.", "2026-02-09T09:00:00.000Z"),
  account_user_ids_before: identifiers("account_user", "Who is on call now; empty: nobody."),
  account_user_ids_after: identifiers("account_user", "Who would be; empty: a gap appears."),
});
export type ChangedOnCall = z.output<typeof ChangedOnCall>;

export const PlannedShift = z.object({
  layer: integer("The escalation layer.", 1),
  start_time: instant("The start, not before the present.", "2026-02-02T09:00:00.000Z"),
  end_time: instant("The end, not after the compared time.", "2026-02-09T09:00:00.000Z"),
  account_user_ids: identifiers("account_user", "Who would be on call."),
});
export type PlannedShift = z.output<typeof PlannedShift>;

export const HoursOnCall = z.object({
  account_user_id: identifier("account_user", "The person."),
  before: number("The hours on call in the window.", 168),
  after: number("The hours on call with the change.", 84),
});
export type HoursOnCall = z.output<typeof HoursOnCall>;

export const SchedulePreview = z.object({
  schedule_id: identifier("schedule", "The schedule."),
  changes: listOf(ChangedOnCall, "Who would be on call differently, when."),
  gaps_opened: listOf(ChangedOnCall, "Those of the changes after which nobody is on call.", []),
  gaps_closed: listOf(ChangedOnCall, "Those of the changes before which nobody is on call.", []),
  shifts: listOf(PlannedShift, "Who would be on call from now on, on all layers."),
  hours: listOf(HoursOnCall, "The hours on call of each person in the window."),
});
export type SchedulePreview = z.output<typeof SchedulePreview>;

export const OnCallPreview = z.object({
  unchanged: flag("Whether the change has no effect on who is on call in the window.", false),
  window: nested(
    PreviewWindow,
    "The last 28 days and the next 42; if nothing differs in them, until 42 days after the first " +
      "difference; if the people planned for later differ, until 42 days after the last of these; " +
      "at most 338 days ahead; of an absence at least until its end.",
  ),
  schedules: listOf(SchedulePreview, "The schedules of the events that would change."),
  warnings: listOf(
    AbsenceWarning,
    "Of an absence only: what somebody should look at.",
    [],
  ).optional(),
  calendar: nested(
    CalendarReading,
    "Of a calendar import or an absence calendar, if it would be read: what is in it now.",
  ).optional(),
});
export type OnCallPreview = z.output<typeof OnCallPreview>;
