// Public holidays are whole days of the person's time zone: a new zone moves the absences at once.
import { selectHolidayCalendars } from "../../../db/oncall/unavailability/absence-rows.ts";
import { all } from "../../../db/shared/select.ts";
import { absenceCalendarObject } from "../../../objects/shared/stubs.ts";
import type { Context } from "../../shared/context.ts";

/**
 * Reads the public holidays of a person's absence calendars again, in all their accounts. A reading
 * that fails is logged; the daily one follows.
 *
 * @param userId the ULID of the person
 */
export async function followTimeZone({ env, db }: Context, userId: string): Promise<void> {
  const calendars = await all(db, selectHolidayCalendars(userId));
  await Promise.all(
    calendars.map(({ prefixId, ...calendar }) =>
      absenceCalendarObject(env, prefixId)
        .refresh(calendar)
        .catch((error: unknown) => {
          const reason = String(error).slice(0, 200);
          console.error({ message: "a calendar is not read", error: reason });
        }),
    ),
  );
}
