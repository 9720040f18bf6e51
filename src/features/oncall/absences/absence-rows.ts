// Absences as the calculation of who is on call reads them: as they are, and in hours of the past as
// they were.
import { type SQL, sql } from "drizzle-orm";
import type {
  Absence,
  ReleasedHours,
  ServedInstead,
} from "../../../domain/oncall/absences/absence.ts";
import { DAY } from "../../../domain/shared/time.ts";
import { parsed, type Select, select } from "../../../kernel/db/select.ts";
import { absences, pastAbsences } from "../../schema/absences.ts";

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
