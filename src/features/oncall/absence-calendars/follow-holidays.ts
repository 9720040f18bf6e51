// Holidays become absences by the absence calendars: they follow a person's time zone and the
// company holidays at once, not only with the next daily reading.

import { logFault } from "../../../kernel/db/log-fault.ts";
import { all } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { absenceCalendarObject } from "../../stubs.ts";
import {
  type HolidayCalendar,
  selectCompanyHolidayCalendars,
  selectHolidayCalendars,
} from "./rows.ts";

/** Calendars that are read at the same time. */
const AT_ONCE = 20;

/**
 * Reads the holidays of a person's absence calendars again, in all their accounts.
 *
 * @param userId the ULID of the person
 */
export async function followTimeZone({ env, db }: Context, userId: string): Promise<void> {
  await readAll(env, await all(db, selectHolidayCalendars(userId)));
}

/** Reads the account's absence calendars that have the company holidays, after the response. */
export function followHolidays({ env, db, actor, waitUntil }: Context): void {
  const calendars = () => all(db, selectCompanyHolidayCalendars(actor.accountId));
  waitUntil(calendars().then((found) => readAll(env, found)));
}

/** A reading that fails is logged; the daily one follows. */
async function readAll(env: Cloudflare.Env, calendars: readonly HolidayCalendar[]): Promise<void> {
  for (let at = 0; at < calendars.length; at += AT_ONCE) {
    const some = calendars.slice(at, at + AT_ONCE);
    await Promise.all(
      some.map(({ prefixId, ...calendar }) =>
        absenceCalendarObject(env, prefixId)
          .refresh(calendar)
          .catch((error: unknown) => {
            logFault("a calendar is not read", error);
          }),
      ),
    );
  }
}
