// What a reading of a calendar finds, in the preview of it.
import * as z from "zod";
import { instant, integer, listOf, text } from "../../../kernel/contract/fields.ts";

export const CalendarReading = z.object({
  error: text(
    "Why the calendar cannot be read; the shifts then stay as they are.",
    null,
  ).nullable(),
  shift_count: integer(
    "The number of current and coming shifts, or absences, of the calendar.",
    26,
  ),
  unmatched: listOf(
    z.string(),
    "The titles of calendar events with an attendee, or without anybody, who is not in the account, and of those that cannot be read. At most 50.",
    ["On call: ana@example.com"],
  ),
  imported_until: instant("Until when shifts are imported.", "2026-07-30T00:00:00.000Z").nullable(),
});
export type CalendarReading = z.output<typeof CalendarReading>;
