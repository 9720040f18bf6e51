// The object of a person's absence calendar: reads it every day.
import { CalendarReader } from "./calendar-reader.ts";
import { readAbsences } from "./read-absences.ts";

export class AbsenceCalendarObject extends CalendarReader {
  protected override readonly read = (request: Parameters<typeof readAbsences>[1]) =>
    readAbsences(this.env, request);
}
