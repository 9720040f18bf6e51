// What being on call cost people.
import * as z from "zod";
import { flag, identifier, instant, integer, listOf, number, text } from "../shared/fields.ts";

export const ReportPerson = z.object({
  account_user_id: identifier("account_user", "The membership of the person in the account."),
  hours: number("Hours on call.", 42),
  pages: integer("Pages sent to them.", 14),
  pages_at_night: integer("Those sent between 22:00 and 06:00 on their clock.", 3),
});
export type ReportPerson = z.output<typeof ReportPerson>;

export const PeopleReport = z.object({
  start_time: instant(
    "When it starts; of a record the same as `start_datetime`.",
    "2026-01-31T09:00:00.000Z",
  ),
  end_time: instant(
    "When it ends; of a record the same as `end_datetime`.",
    "2026-01-31T17:00:00.000Z",
  ),
  time_zone: text("The zone that was asked for.", "UTC"),
  complete: flag("Whether this is all of it; else it would go on for longer than was looked."),
  by_person: listOf(ReportPerson, "Everybody who was on call or was paged."),
});
export type PeopleReport = z.output<typeof PeopleReport>;
