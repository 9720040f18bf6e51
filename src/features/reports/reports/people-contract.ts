// The on-call load of people.
import * as z from "zod";
import {
  flag,
  identifier,
  instant,
  integer,
  listOf,
  number,
  text,
} from "../../../kernel/contract/fields.ts";

export const ReportPerson = z.object({
  account_user_id: identifier("account_user", "The person's membership in the account."),
  hours: number("The hours on call.", 42),
  pages: integer("The number of pages.", 14),
  pages_at_night: integer(
    "The number of pages between 22:00 and 06:00 in the person's time zone.",
    3,
  ),
});
export type ReportPerson = z.output<typeof ReportPerson>;

export const PeopleReport = z.object({
  start_time: instant(
    "The start. In records the same as `start_datetime`.",
    "2026-01-31T09:00:00.000Z",
  ),
  end_time: instant("The end. In records the same as `end_datetime`.", "2026-01-31T17:00:00.000Z"),
  time_zone: text("The requested time zone.", "UTC"),
  complete: flag("Whether the result is complete. If false, the result was cut off."),
  by_person: listOf(ReportPerson, "The people who were on call or paged."),
});
export type PeopleReport = z.output<typeof PeopleReport>;
