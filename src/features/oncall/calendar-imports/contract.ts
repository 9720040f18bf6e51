// A calendar import: the shifts of an iCalendar URL or text in a schedule.
import * as z from "zod";
import {
  common,
  identifier,
  instant,
  integer,
  listOf,
  text,
} from "../../../kernel/contract/fields.ts";

export const CalendarImport = z.object({
  ...common("calendar_import"),
  schedule_id: identifier("schedule", "The schedule of the shifts."),
  name: text("The name.", "PagerDuty primary"),
  layer: integer(
    "The escalation layer of the shifts, from 1. The shifts of a Tocsin feed have the feed's layers.",
    1,
  ),
  url: text(
    "The https or webcal URL of the calendar. Shown only to admins of the account or of a team of the schedule, and not with a read-only key.",
    "https://calendar.example.com/on-call.ics",
  ).optional(),
  ical: text(
    "The iCalendar text, instead of a `url`, of at most 1 MiB. Reads back as `***`.",
    null,
  ).nullable(),
  last_read_at: instant("When the calendar was last read.").nullable(),
  last_error: text("Why the last reading failed. The shifts stay as they were.", null).nullable(),
  failing_since: instant("The first of the present failures.", null).nullable(),
  next_read_at: instant("When the calendar is read next."),
  shift_count: integer("The number of current and coming shifts of the calendar.", 26),
  unmatched: listOf(
    z.string(),
    "The titles of calendar events with an attendee, or without anybody, who is not in the account, and of those that cannot be read. At most 50.",
    ["On call: ana@example.com"],
  ),
  imported_until: instant(
    "Until when shifts are imported: 180 days ahead, or less if the calendar has more than 1,000 shifts.",
    "2026-07-30T00:00:00.000Z",
  ).nullable(),
});
export type CalendarImport = z.output<typeof CalendarImport>;
