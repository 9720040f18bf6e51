// A calendar of a person's absences, read every day into their absences: of a URL, or the
// public holidays of a region.
import * as z from "zod";
import { common, flag, identifier, instant, text } from "../../../kernel/contract/fields.ts";

export const AbsenceCalendar = z.object({
  ...common("absence_calendar"),
  account_user_id: identifier("account_user", "The person."),
  name: text("The name.", "Holidays"),
  url: text(
    "The https or webcal URL of the calendar. `null` for holidays.",
    "https://hr.example.com/absences.ics",
  ).nullable(),
  region: text(
    "Instead of a `url`: the region whose public holidays are the absences, a code that `GET /holidays/regions` lists. A holiday lasts its local date in the person's time zone.",
    null,
  ).nullable(),
  company_holidays: flag(
    "Instead of a `url`: whether the company holidays are absences, too.",
    false,
  ),
  last_read_at: instant("When the calendar was last read.").nullable(),
  last_error: text(
    "Why the last reading failed; the absences stay as they were. Without `failing_since`: what it could not read.",
    null,
  ).nullable(),
  failing_since: instant("The first of the present failures.", null).nullable(),
  next_read_at: instant("When the calendar is read next."),
});
export type AbsenceCalendar = z.output<typeof AbsenceCalendar>;
