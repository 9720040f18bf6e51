// Absence calendars: what their records show (contract 2, Absence calendars).
import { sql } from "drizzle-orm";
import {
  boolean,
  commonAttributes,
  instant,
  reference,
  string,
} from "../../../kernel/db/attributes.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { absenceCalendars } from "../../schema/calendar-imports.ts";
import { accountUsers } from "../../schema/people.ts";

/** The records of absence calendars. */
export const absenceCalendarRecords: Records<"AbsenceCalendar"> = {
  kind: "absence_calendar",
  shows: "AbsenceCalendar",
  from: absenceCalendars,
  accountId: absenceCalendars.accountId,
  id: absenceCalendars.id,
  prefixId: absenceCalendars.prefixId,
  attributes: {
    ...commonAttributes(absenceCalendars),
    account_user_id: reference(
      absenceCalendars.accountUserId,
      absenceCalendars.accountId,
      accountUsers,
    ),
    name: string(absenceCalendars.name),
    url: { ...string(sql<string | null>`nullif(${absenceCalendars.url}, '')`), unfiltered: true },
    region: string(absenceCalendars.region),
    company_holidays: boolean(absenceCalendars.companyHolidays),
    last_read_at: instant(absenceCalendars.lastReadAt),
    last_error: string(absenceCalendars.lastError),
    failing_since: instant(absenceCalendars.failingSince),
    next_read_at: instant(absenceCalendars.nextReadAt),
  },
  search: [absenceCalendars.name],
  total: "absence_calendars",
};
