// The limit of messages to one person on one channel in a short time. It is read from the person's
// own rows in the statement that inserts new ones, so that it needs no counter and no other row.
//
// A page is deferred only by pages, and only by ones that are at least as urgent; so is a notice by
// notices. What somebody has to answer never waits behind what only informs them.
import { type SQL, sql } from "drizzle-orm";
import {
  ALERT_URGENCIES,
  type AlertUrgency,
  type PageEvent,
} from "../../../domain/alerts/alert.ts";
import { alerts, notifications } from "../../schema/alerts.ts";

/** The span in which messages are counted (ms); bundled ones are sent at its end. */
const SPAN_MS = 30_000;

/** Critical pages that are sent at once, at least: only a storm of them is bundled. */
const CRITICAL_AT_ONCE = 10;

/**
 * The rows that are read on either side of a new one: ids sort by time, so messages of the last
 * half minute are near. Enough for the critical pages that are sent at once on six channels.
 */
const MAX_NEIGHBOURS = 60;

/** The latest bundled rows that are read: most are of one burst. */
const MAX_BUNDLED = 20;

/** A new row, as far as the limit needs it. */
type LimitedRow = {
  readonly accountId: string;
  readonly accountUserId: string;
  readonly id: string;
  readonly channel: string;
  readonly event: PageEvent;
  /** Null unless it is about an alert: such a row is neither counted nor deferred. */
  readonly urgency: AlertUrgency | null;
  /** Whether it is to be sent at once unless the limit defers it. */
  readonly isImmediate: boolean;
};

const isCriticalPage = ({ event, urgency }: Pick<LimitedRow, "event" | "urgency">) =>
  event === "alert.open" && urgency === "critical";

const RANKS = ALERT_URGENCIES.join(" ");

/** Whether a message asks for an answer, or only informs. */
const isPage = (event: SQL) => sql`(${event} = 'alert.open')`;

/**
 * A `with` clause: the table `planned` with a row for each of these, as JSON in `value`, and in
 * `burst_at` when it is sent as part of a burst (epoch ms; null = at once). A burst that is still
 * waiting is joined. Otherwise the person's messages since the last burst count, at most half a
 * minute back, and the new rows before this one; rows that exist already do not. A critical page
 * joins a burst only as one of a storm: the waiting ones count too, since an alert whose page waits
 * may have become critical since.
 *
 * @param rows in the order in which they count
 */
export function withBurstTimes(rows: readonly LimitedRow[], most: number, now: number): SQL {
  const limited = rows.map(({ isImmediate, ...row }) => ({
    ...row,
    isLimited: isImmediate && most > 0 && row.urgency !== null,
    joins: !isCriticalPage(row),
    most: isCriticalPage(row) ? Math.max(most, CRITICAL_AT_ONCE) : most,
  }));
  const isOf = (row: SQL) => sql`${notifications.accountId} = ${row}.value->>'accountId'
    and ${notifications.accountUserId} = ${row}.value->>'accountUserId'`;
  const neighbours = (side: SQL) => sql`select * from (
      select account_id, owner_id, channel, event, attempts, due_at, created_at, bundle from ${notifications}
      where ${isOf(sql`burst`)} and ${notifications.id} ${side} limit ${MAX_NEIGHBOURS})`;
  // An alert that is not projected yet counts as urgent as the new one.
  const isAsUrgent = (
    row: SQL,
  ) => sql`coalesce((select instr(${RANKS}, ${alerts.urgency}) from ${alerts}
      where ${alerts.accountId} = it.account_id and ${alerts.id} = it.owner_id), ${RANKS.length})
      >= instr(${RANKS}, ${row}.value->>'urgency')`;
  const isSameKind = (row: SQL) =>
    sql`${isPage(sql`it.event`)} = ${isPage(sql`${row}.value->>'event'`)}`;
  const bursts = sql`select * from (
      select account_id, owner_id, event, due_at, created_at from ${notifications}
      where given.is_counted and ${isOf(sql`given`)} and ${notifications.channel} = given.value->>'channel'
        and ${notifications.bundle} = 'burst' and ${notifications.dueAt} is not null
      order by ${notifications.dueAt} desc limit ${MAX_BUNDLED})
    where due_at > created_at`;
  return sql`with
    given as materialized (
      select key, value, value->>'isLimited' and not exists (select 1 from ${notifications}
        where ${isOf(sql`it`)} and ${notifications.id} = it.value->>'id') as is_counted
      from json_each(${JSON.stringify(limited)}) as it),
    burst as materialized (
      select key, value, is_counted,
        (select count(*) from given as earlier where earlier.is_counted and earlier.key < given.key
          and earlier.value->>'accountUserId' = given.value->>'accountUserId'
          and earlier.value->>'channel' = given.value->>'channel'
          and ${isPage(sql`earlier.value->>'event'`)} = ${isPage(sql`given.value->>'event'`)}
          and instr(${RANKS}, earlier.value->>'urgency') >= instr(${RANKS}, given.value->>'urgency')) as earlier,
        (select max(due_at) from (${bursts}) as it
          where due_at > ${now} and ${isSameKind(sql`given`)} and ${isAsUrgent(sql`given`)}) as ends_at,
        (select coalesce(max(due_at), 0) from (${bursts}) where due_at <= ${now}) as ended_at
      from given),
    planned as materialized (
      select value, case when not is_counted then null
        when ends_at is not null and value->>'joins' then ends_at else (
        select iif(count(*) + earlier >= value->>'most',
          coalesce(ends_at, coalesce(min(created_at), ${now}) + ${SPAN_MS}), null)
        from (${neighbours(sql`< burst.value->>'id' order by ${notifications.id} desc`)}
          union all ${neighbours(sql`> burst.value->>'id' order by ${notifications.id}`)}) as it
        where channel = burst.value->>'channel' and substr(event, 1, 6) = 'alert.'
          and iif(due_at is null, attempts > 0 and created_at > ${now - SPAN_MS} and created_at >= ended_at,
            bundle = 'burst' and due_at > ${now} and not value->>'joins')
          and ${isSameKind(sql`burst`)} and ${isAsUrgent(sql`burst`)}) end as burst_at
      from burst)`;
}
