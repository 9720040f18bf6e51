// Holidays become absences by a person's absence calendars, which follow the person's time zone at once, not only with the
// next daily reading.
import { sql } from "drizzle-orm";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { all, type RowOf, select } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { absenceCalendars } from "../../schema/calendar-imports.ts";
import { accountUsers } from "../../schema/people.ts";
import { absenceCalendarObject } from "../../stubs.ts";

/** Calendars that are read at the same time. */
const AT_ONCE = 20;

export const holidayCalendarColumns = {
  id: absenceCalendars.id,
  prefixId: absenceCalendars.prefixId,
  accountId: absenceCalendars.accountId,
};

/** An absence calendar whose absences are holidays. */
export type HolidayCalendar = RowOf<typeof holidayCalendarColumns>;

/** Selects the absence calendars of a person that have holidays, in all their accounts. */
const selectHolidayCalendars = (userId: string) =>
  select(
    holidayCalendarColumns,
    sql`from ${accountUsers} join ${absenceCalendars}
      on ${absenceCalendars.accountUserId} = ${accountUsers.id}
      where ${accountUsers.userId} = ${userId} and ${absenceCalendars.url} = ''`,
  );

/**
 * Reads the holidays of a person's absence calendars again, in all their accounts.
 *
 * @param userId the ULID of the person
 */
export async function followTimeZone({ env, db }: Context, userId: string): Promise<void> {
  await readHolidays(env, await all(db, selectHolidayCalendars(userId)));
}

/** A reading that fails is logged; the daily one follows. */
export async function readHolidays(
  env: Cloudflare.Env,
  calendars: readonly HolidayCalendar[],
): Promise<void> {
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
