// A calendar of a person's absences, read every day into their unavailabilities.
import * as z from "zod";
import { common, identifier, instant, text } from "../shared/fields.ts";

export const AbsenceCalendar = z.object({
  ...common("absence_calendar"),
  account_user_id: identifier("account_user", "The person."),
  name: text("The name.", "Holidays"),
  url: text("The https or webcal URL of the calendar.", "https://hr.example.com/absences.ics"),
  last_read_at: instant("When the calendar was last read.").nullable(),
  last_error: text("Why the last reading failed. The absences stay as they were.", null).nullable(),
  failing_since: instant("The first of the present failures.", null).nullable(),
  next_read_at: instant("When the calendar is read next."),
});
export type AbsenceCalendar = z.output<typeof AbsenceCalendar>;
