// Absence calendars: what their records show (contract 2, Absence calendars).
import { type SQL, sql } from "drizzle-orm";
import type {
  AbsenceChanges,
  ImportedAbsence,
} from "../../../domain/oncall/absences/calendar-absences.ts";
import {
  boolean,
  commonAttributes,
  instant,
  reference,
  string,
} from "../../../kernel/db/attributes.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { type RowOf, type Select, select } from "../../../kernel/db/select.ts";
import { holidayCalendarColumns } from "../../people/users/follow-time-zone.ts";
import { absences } from "../../schema/absences.ts";
import { absenceCalendars } from "../../schema/calendar-imports.ts";
import { accountUsers, users } from "../../schema/people.ts";
import { keepServed } from "../absences/absence-rows.ts";

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

const calendarColumns = {
  id: absenceCalendars.id,
  accountId: absenceCalendars.accountId,
  accountUserId: absenceCalendars.accountUserId,
  updatedAt: absenceCalendars.updatedAt,
  url: absenceCalendars.url,
  region: absenceCalendars.region,
  companyHolidays: absenceCalendars.companyHolidays,
  timeZone: sql<string>`(select ${users.timeZone} from ${accountUsers}
    join ${users} on ${users.id} = ${accountUsers.userId}
    where ${accountUsers.id} = ${absenceCalendars.accountUserId})`,
  completeAt: absenceCalendars.completeAt,
  etag: absenceCalendars.etag,
  lastModified: absenceCalendars.lastModified,
  failures: absenceCalendars.failures,
  failingSince: absenceCalendars.failingSince,
};

/** An absence calendar as a reading needs it. */
export type StoredAbsenceCalendar = RowOf<typeof calendarColumns>;

/** Selects the calendar; no row if it was deleted. */
export const selectStoredAbsenceCalendar = (accountId: string, id: string) =>
  select(
    calendarColumns,
    sql`from ${absenceCalendars}
      where ${absenceCalendars.accountId} = ${accountId} and ${absenceCalendars.id} = ${id}`,
  );

/** Selects the time zone of a person. */
export const selectTimeZone = (accountUserId: string) =>
  select(
    { timeZone: users.timeZone },
    sql`from ${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}
      where ${accountUsers.id} = ${accountUserId}`,
  );

/** Selects the account's absence calendars that have the company holidays, as a reading needs them. */
export const selectCalendarsOfHolidays = (accountId: string) =>
  select(
    calendarColumns,
    sql`from ${absenceCalendars} where ${absenceCalendars.accountId} = ${accountId}
      and ${absenceCalendars.companyHolidays}`,
  );

/** Selects the absence calendars of an account that have the company holidays. */
export const selectCompanyHolidayCalendars = (accountId: string) =>
  select(
    holidayCalendarColumns,
    sql`from ${absenceCalendars} where ${absenceCalendars.accountId} = ${accountId}
      and ${absenceCalendars.companyHolidays}`,
  );

/** Selects the absences of a calendar that end after `from` (epoch ms). */
export const selectStoredAbsences = (calendarId: string, from: number): Select<ImportedAbsence> =>
  select(
    {
      id: absences.id,
      key: sql<string>`coalesce(${absences.calendarKey}, '')`,
      startAt: absences.startAt,
      endAt: absences.endAt,
      reason: absences.reason,
    },
    sql`from ${absences} where ${absences.absenceCalendarId} = ${calendarId}
      and ${absences.endAt} > ${from}`,
  );

/** Selects the ids of the absences of calendars (a JSON list of ids) that end after `now`. */
export const selectComingAbsences = (calendarIds: string, now: number) =>
  select(
    { id: absences.id },
    sql`from ${absences} where ${absences.endAt} > ${now}
      and ${absences.absenceCalendarId} in (select value from json_each(${calendarIds}))`,
  );

const json = (value: unknown) => sql`json_each(${JSON.stringify(value)})`;

/**
 * The writes of a reading's changes.
 *
 * @param forgetBefore absences of the calendar that ended before it (epoch ms) are deleted
 */
export function writeAbsences(
  calendar: StoredAbsenceCalendar,
  { added, changed, removed }: AbsenceChanges,
  forgetBefore: number,
  now: number,
): readonly SQL[] {
  const rows = added.map((it) => ({ ...newIdentity("absence", now), ...it }));
  const { id, accountId, accountUserId } = calendar;
  const gone = [...removed, ...changed.map((it) => it.id)];
  return [
    keepServed(
      sql`${absences.absenceCalendarId} = ${id} and (${absences.endAt} < ${forgetBefore}
        or ${absences.id} in (select value from ${json(gone)}))`,
      now,
    ),
    sql`delete from ${absences} where ${absences.absenceCalendarId} = ${id}
      and (${absences.endAt} < ${forgetBefore}
        or ${absences.id} in (select value from ${json(removed)}))`,
    sql`update ${absences} set start_at = absence.value ->> 'startAt',
        end_at = absence.value ->> 'endAt', reason = absence.value ->> 'reason',
        decided_at = ${now}, serves_from = ${now},
        updated_at = max(updated_at + 1, ${now})
      from ${json(changed)} as absence where ${absences.id} = absence.value ->> 'id'`,
    sql`insert into ${absences} (id, prefix_id, created_at, updated_at, account_id,
        account_user_id, start_at, end_at, reason, instead, decided_at, serves_from,
        absence_calendar_id, calendar_key)
      select value ->> 'id', value ->> 'prefixId', ${now}, ${now}, ${accountId}, ${accountUserId},
        value ->> 'startAt', value ->> 'endAt', value ->> 'reason', 'nobody_yet', ${now}, ${now},
        ${id}, value ->> 'key'
      from ${json(rows)}`,
  ];
}
