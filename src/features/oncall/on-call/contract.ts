// Who is on call.
import * as z from "zod";
import {
  choice,
  flag,
  identifier,
  identifiers,
  instant,
  integer,
  listOf,
  nested,
  number,
  text,
} from "../../../kernel/contract/fields.ts";
import { AbsenceWarning } from "../absences/contract.ts";
import { CalendarReading } from "../calendar-imports/reading-contract.ts";

export const CoverageGap = z.object({
  start_time: instant(
    "The start. In records the same as `start_datetime`.",
    "2026-01-31T09:00:00.000Z",
  ),
  end_time: instant("The end. In records the same as `end_datetime`.", "2026-01-31T17:00:00.000Z"),
});
export type CoverageGap = z.output<typeof CoverageGap>;

export const CoverageOverlap = z.object({
  start_time: instant(
    "The start. In records the same as `start_datetime`.",
    "2026-01-31T09:00:00.000Z",
  ),
  end_time: instant("The end. In records the same as `end_datetime`.", "2026-01-31T17:00:00.000Z"),
  event_ids: identifiers("event", "The on-call events."),
});
export type CoverageOverlap = z.output<typeof CoverageOverlap>;

export const LayerCoverage = z.object({
  layer: integer("The escalation layer, from 1.", 1),
  share: number("The share of the window in which somebody is on call.", 0.75).min(0).max(1),
  has_shifts: flag(
    "Whether it has shifts that have not ended before the window. A layer above the first that has " +
      "none has no gaps.",
    true,
  ),
  gaps: listOf(
    CoverageGap,
    "The periods without anybody on call: on the first layer from the schedule's first shift on, " +
      "on another one from its own first shift on.",
  ),
  overlaps: listOf(CoverageOverlap, "The periods with several events."),
});
export type LayerCoverage = z.output<typeof LayerCoverage>;

export const PersonCoverage = z.object({
  account_user_id: identifier("account_user", "The person."),
  hours: number("The hours on call.", 42),
});
export type PersonCoverage = z.output<typeof PersonCoverage>;

export const Coverage = z.object({
  schedule_id: identifier("schedule", "A schedule."),
  start_time: instant(
    "The start. In records the same as `start_datetime`.",
    "2026-01-31T09:00:00.000Z",
  ),
  end_time: instant("The end. In records the same as `end_datetime`.", "2026-01-31T17:00:00.000Z"),
  layers: listOf(LayerCoverage, "The coverage of each layer."),
  people: listOf(PersonCoverage, "The hours on call of each person."),
});
export type Coverage = z.output<typeof Coverage>;

export const EventAttendee = z.object({
  id: identifier("event", "The record's identifier, a ULID."),
  attendee_id: identifier("account_user", "The account user."),
  attendee_type: choice(["AccountUser"], "The type of the attendee."),
  position: integer("The position in the order, from 0."),
});
export type EventAttendee = z.output<typeof EventAttendee>;

export const AbsentPerson = z.object({
  account_user_id: identifier("account_user", "Who would be on call."),
  absence_id: text("The absence.", "01K3Y4Z5A6B7C8D9E0F1G2H3J4"),
});

export const OnCallEntry = z.object({
  layer: integer("The escalation layer, from 1.", 1),
  start_time: instant(
    "The start. In records the same as `start_datetime`.",
    "2026-01-31T09:00:00.000Z",
  ),
  end_time: instant("The end. In records the same as `end_datetime`.", "2026-01-31T17:00:00.000Z"),
  event_id: identifier("event", "The on-call event."),
  schedule_id: identifier("schedule", "A schedule."),
  attendees: listOf(EventAttendee, "The people on call."),
  absent: listOf(AbsentPerson, "Who would be on call but for an absence.", []),
});
export type OnCallEntry = z.output<typeof OnCallEntry>;

export const OnCallTeam = z.object({
  team_id: identifier("team", "The team."),
  schedule_id: identifier("schedule", "A schedule.").nullable(),
  entries: listOf(OnCallEntry, "The `window_events` of the schedule, by layer and start."),
  layers: listOf(LayerCoverage, "The coverage of each layer."),
});
export type OnCallTeam = z.output<typeof OnCallTeam>;

export const UncoveredLayer = z.object({
  team_id: identifier("team", "The team."),
  schedule_id: identifier("schedule", "A schedule.").nullable(),
  layer: integer("The escalation layer, from 1.", 1),
  start_time: instant(
    "From when nobody is on call. The time of the request if nobody is on call now.",
    "2026-01-31T09:00:00.000Z",
  ),
  end_time: instant(
    "Until when nobody is on call; null: for the next 14 days.",
    "2026-01-31T17:00:00.000Z",
  ).nullable(),
});
export type UncoveredLayer = z.output<typeof UncoveredLayer>;

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
