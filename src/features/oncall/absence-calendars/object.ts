// The object of a person's absence calendar: reads it every day.
import type { AbsenceCalendarStub, PreviewedAbsences } from "../../rpc.ts";
import { CalendarReader } from "../calendar-imports/calendar-reader.ts";
import { previewAbsences } from "./absence-source.ts";
import { readAbsences } from "./read-absences.ts";

export class AbsenceCalendarObject extends CalendarReader implements AbsenceCalendarStub {
  protected override readonly read = (request: Parameters<typeof readAbsences>[1]) =>
    readAbsences(this.env, request);

  /** What a reading would find; nothing is stored. Throws if D1 does. */
  preview(source: PreviewedAbsences): ReturnType<typeof previewAbsences> {
    return this.inTurn(() => previewAbsences(this.env, source));
  }
}
