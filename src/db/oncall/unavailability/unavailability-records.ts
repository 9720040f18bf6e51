// Unavailabilities and absence calendars: what their records show (contract 2, Unavailability).
import { type SQL, sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { boolean, commonAttributes, instant, reference, string } from "../../records/attributes.ts";
import type { Records } from "../../records/records.ts";
import { absenceCalendars, unavailabilities } from "../../schema/calendars/calendar-imports.ts";
import { accountUsers } from "../../schema/people.ts";

/** The reason of an absence, for the person and admins; null for others. */
export const visibleReason = ({ roles, accountUserId }: MemberActor): SQL<string | null> =>
  roles.admin
    ? sql`${unavailabilities.reason}`
    : sql`(case when ${unavailabilities.accountUserId} = ${accountUserId}
        then ${unavailabilities.reason} end)`;

/** The records of unavailabilities, limited to what the caller may see. */
export const unavailabilityRecords = ({
  actor,
}: {
  readonly actor: MemberActor;
}): Records<"Unavailability"> => ({
  kind: "unavailability",
  shows: "Unavailability",
  from: unavailabilities,
  accountId: unavailabilities.accountId,
  id: unavailabilities.id,
  prefixId: unavailabilities.prefixId,
  attributes: {
    ...commonAttributes(unavailabilities),
    account_user_id: reference(
      unavailabilities.accountUserId,
      unavailabilities.accountId,
      accountUsers,
    ),
    start_datetime: instant(unavailabilities.startAt),
    end_datetime: instant(unavailabilities.endAt),
    start_time: instant(unavailabilities.startAt),
    end_time: instant(unavailabilities.endAt),
    reason: string(visibleReason(actor)),
    imported: boolean(sql<boolean>`(${unavailabilities.absenceCalendarId} is not null)`),
    absence_calendar_id: reference(
      unavailabilities.absenceCalendarId,
      unavailabilities.accountId,
      absenceCalendars,
    ),
  },
  search: [],
  total: "unavailabilities",
});

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
