// Absences: what a record shows (contract 2, Absences).
import { type SQL, sql } from "drizzle-orm";
import type { PersonActor } from "../../../domain/access/actor.ts";
import type {
  Absence,
  ReleasedHours,
  ServedInstead,
} from "../../../domain/oncall/absences/absence.ts";
import type {
  ABSENCE_SOURCES,
  AbsenceStatus,
} from "../../../domain/oncall/absences/absence-record.ts";
import { DAY, formatInstant } from "../../../domain/shared/time.ts";
import {
  commonAttributes,
  instant,
  nestedAs,
  reference,
  references,
  string,
} from "../../../kernel/db/attributes.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { parsed, type Select, select } from "../../../kernel/db/select.ts";
import { absencePeople, absences, pastAbsences } from "../../schema/absences.ts";
import { absenceCalendars } from "../../schema/calendar-imports.ts";
import { schedules } from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";
import type { AskedPerson, HoursInReturn } from "./contract.ts";

/** Epoch ms; the database's clock. */
const NOW = sql`(unixepoch('subsec') * 1000)`;

/** Asking ends on time, also before the object of the absence has noted it. */
const hasExpired = sql`(${absences.askingStatus} = 'open' and ${absences.askingExpiresAt} <= ${NOW})`;
const endedAt = sql<
  number | null
>`iif(${hasExpired}, ${absences.askingExpiresAt}, ${absences.askingEndedAt})`;
const status = sql<AbsenceStatus>`(case
    when ${hasExpired} then 'expired'
    when ${absences.askingStatus} = 'open' then 'asking'
    when ${absences.askingStatus} <> 'accepted' then ${absences.askingStatus}
    when ${absences.instead} in ('person', 'ask')
      then iif(${absences.coveringAccountUserId} is null, 'uncovered', 'covered')
    else iif(${absences.instead} = 'nobody_yet', 'uncovered', 'covered') end)`;

/** Those that still exist. */
export const schedulesOfAbsence = sql<
  readonly string[]
>`(select json_group_array(${schedules.id} order by ${schedules.id})
  from json_each(${absences.scheduleIds}) as named join ${schedules} on ${schedules.id} = named.value)`;

const ofAbsence = sql`from ${absencePeople} where ${absencePeople.absenceId} = ${absences.id}`;

type AskedRow = Omit<AskedPerson, "answered_at"> & { readonly answered_at: number | null };

/** The people who are asked, as JSON, in the order in which they were named. */
const asked = sql<readonly AskedRow[]>`(select json_group_array(json_object(
    'account_user_id', ${absencePeople.accountUserId}, 'answer', ${absencePeople.answer},
    'answered_at', ${absencePeople.answeredAt}, 'channel', ${absencePeople.channel})
    order by ${absencePeople.position}) ${ofAbsence})`;
const askedIds = sql<
  readonly string[]
>`(select json_group_array(${absencePeople.accountUserId} order by ${absencePeople.position})
  ${ofAbsence})`;

const inReturn = sql<{
  readonly start: number;
  readonly end: number;
} | null>`iif(${absences.returnStartAt} is null, 'null',
    json_object('start', ${absences.returnStartAt}, 'end', ${absences.returnEndAt}))`;

/** The reason of an absence, for the person, admins and those who are asked; null for others. */
export const visibleReason = (actor: PersonActor): SQL<string | null> =>
  "roles" in actor && actor.roles.admin
    ? sql`${absences.reason}`
    : sql`(case when ${absences.accountUserId} = ${actor.accountUserId} or exists (
        select 1 ${ofAbsence} and ${absencePeople.accountUserId} = ${actor.accountUserId})
      then ${absences.reason} end)`;

/** The records of absences, limited to what the caller may see. */
export const absenceRecords = ({ actor }: { readonly actor: PersonActor }): Records<"Absence"> => ({
  kind: "absence",
  shows: "Absence",
  from: absences,
  accountId: absences.accountId,
  id: absences.id,
  prefixId: absences.prefixId,
  attributes: {
    ...commonAttributes(absences),
    account_user_id: reference(absences.accountUserId, absences.accountId, accountUsers),
    start_datetime: instant(absences.startAt),
    end_datetime: instant(absences.endAt),
    start_time: instant(absences.startAt),
    end_time: instant(absences.endAt),
    schedule_ids: references(schedulesOfAbsence, absences.accountId, schedules),
    reason: string(visibleReason(actor)),
    instead: string(absences.instead),
    covering_account_user_id: reference(
      absences.coveringAccountUserId,
      absences.accountId,
      accountUsers,
    ),
    status: string(status),
    asked: nestedAs(asked, (people): readonly AskedPerson[] =>
      people.map((it) => ({
        ...it,
        answered_at: it.answered_at === null ? null : formatInstant(it.answered_at),
      })),
    ),
    account_user_ids: references(askedIds, absences.accountId, accountUsers),
    in_return: nestedAs(
      inReturn,
      (value): HoursInReturn =>
        value === null
          ? null
          : { start_datetime: formatInstant(value.start), end_datetime: formatInstant(value.end) },
    ),
    expires_at: instant(absences.askingExpiresAt),
    ended_at: instant(endedAt),
    source: string(
      sql<
        (typeof ABSENCE_SOURCES)[number]
      >`iif(${absences.absenceCalendarId} is null, 'person', 'calendar')`,
    ),
    absence_calendar_id: reference(
      absences.absenceCalendarId,
      absences.accountId,
      absenceCalendars,
    ),
    return_of: reference(absences.returnOf, absences.accountId, absences),
  },
  search: [],
  total: "absences",
});

// Absences as the calculation of who is on call reads them: as they are, and in hours of the past as
// they were.

const isAccepted = sql`${absences.askingStatus} = 'accepted'`;

/** The columns of `past_absences`, for a select from `absences`. See `servedBy` in the domain. */
const asServed = sql`${absences.accountId} as account_id, ${absences.id} as absence_id,
    ${absences.accountUserId} as account_user_id,
    ${absences.startAt} as since, max(${absences.startAt}, ${absences.servesFrom}) as start_at,
    ${absences.endAt} as end_at,
    iif(${absences.instead} = 'ask', iif(${isAccepted}, 'person', 'nobody_yet'), ${absences.instead})
      as instead,
    ${absences.coveringAccountUserId} as covering_account_user_id,
    ${absences.scheduleIds} as schedule_ids, ${absences.decidedAt} as decided_at,
    ${absences.released} as released`;

/** Whoever cancels that others are asked is not away. */
const isAway = sql`${absences.askingStatus} is not 'cancelled'`;

/** All absences of an account that end after an instant (epoch ms). */
const absencesAfter = (accountId: string, from: number | SQL): SQL => sql`
  select ${asServed} from ${absences}
    where ${absences.accountId} = ${accountId} and ${absences.endAt} > ${from} and ${isAway}
  union all select account_id, absence_id, account_user_id, coalesce(since, start_at),
      start_at, end_at, case instead when 'default' then 'nobody_yet' when 'nobody' then 'empty' else instead end,
      covering_account_user_id, schedule_ids, decided_at, released from ${pastAbsences}
    where account_id = ${accountId} and end_at > ${from}`;

/** An occurrence that runs at an instant is shown whole, with absences that have ended in it. */
const LONGEST_OCCURRENCE = 31 * DAY;

/**
 * Selects the absences of an account that may matter from an instant on.
 *
 * @param from epoch ms, or a select of it; null selects nothing
 */
export const selectAbsences = (accountId: string, from: number | SQL): Select<Absence> =>
  select(
    {
      id: sql<string>`absence_id`,
      accountUserId: sql<string>`account_user_id`,
      since: sql<number>`since`,
      startAt: sql<number>`start_at`,
      endAt: sql<number>`end_at`,
      instead: sql<ServedInstead>`instead`,
      coveringAccountUserId: sql<string | null>`covering_account_user_id`,
      scheduleIds: parsed<readonly string[] | null>(sql`coalesce(schedule_ids, 'null')`),
      decidedAt: sql<number>`decided_at`,
      released: parsed<readonly ReleasedHours[]>(sql`released`),
    },
    sql`from (${absencesAfter(accountId, sql`(${from} - ${LONGEST_OCCURRENCE})`)})
      where start_at < end_at`,
  );

/**
 * Selects the ids of everybody who may serve instead of somebody because an absence names them, from
 * an instant on.
 */
export const selectCovering = (accountId: string, from: number | SQL): SQL =>
  sql`select covering_account_user_id from (${absencesAfter(accountId, from)})
    where covering_account_user_id is not null`;

/**
 * Selects people, and everybody instead of whom they may serve because absences name them, one after
 * the other.
 *
 * @param people a select of account user ids
 * @param from epoch ms
 */
export const selectCoveredBy = (accountId: string, people: SQL, from: number): SQL =>
  sql`with recursive absence as (${absencesAfter(accountId, from)}),
    served(id) as (select * from (${people})
      union select absence.account_user_id from served
        join absence on absence.covering_account_user_id = served.id)
    select id from served`;

/**
 * Keeps what absences did until `now` (epoch ms), before they change or are deleted: who was on call
 * stays. After a change they serve from `now` on only: see `servesFrom`.
 *
 * @param where which rows
 */
export const keepServed = (
  where: SQL,
  now: number,
): SQL => sql`insert or ignore into ${pastAbsences} (account_id, absence_id, account_user_id, since,
      start_at, end_at, instead, covering_account_user_id, schedule_ids, decided_at, released)
    select account_id, absence_id, account_user_id, since, start_at, min(end_at, ${now}), instead,
      covering_account_user_id, schedule_ids, decided_at, released
    from (select ${asServed} from ${absences} where ${isAway} and ${where})
    where start_at < min(end_at, ${now})`;
