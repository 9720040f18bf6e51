// Holidays become absences by the absence calendars: they follow the company holidays at once, not only with the next
// daily reading.
import { all } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { readHolidays } from "../../people/users/follow-time-zone.ts";
import { selectCompanyHolidayCalendars } from "./rows.ts";

/** Reads the account's absence calendars that have the company holidays, after the response. */
export function followHolidays({ env, db, actor, waitUntil }: Context): void {
  const calendars = () => all(db, selectCompanyHolidayCalendars(actor.accountId));
  waitUntil(calendars().then((found) => readHolidays(env, found)));
}
