// The limit of messages to one person on one channel in a short time. It is read from the person's
// own rows in the statement that inserts new ones, so that it needs no counter and no other row.
import { type SQL, sql } from "drizzle-orm";
import { notifications } from "../../schema/alerts.ts";

/** The span in which messages are counted (ms); bundled ones are sent at its end. */
const SPAN_MS = 30_000;

/**
 * The rows that are read on either side of a new one: ids sort by time, so messages of the last
 * half minute are near. A storm needs no more: once one message is deferred, the others join it.
 */
const MAX_NEIGHBOURS = 25;

/** The latest bundled rows that are read: most are of one burst. */
const MAX_BUNDLED = 20;

/** A new row, as far as the limit needs it. */
type LimitedRow = {
  readonly accountId: string;
  readonly accountUserId: string;
  readonly id: string;
  readonly channel: string;
  /** False for a row that is not counted and not deferred. */
  readonly isLimited: boolean;
};

/**
 * A `with` clause: the table `planned` with a row for each of these, as JSON in `value`, and in
 * `burst_at` when it is sent as part of a burst (epoch ms; null = at once). A burst that is still
 * waiting is joined. Otherwise the person's messages since the last burst count, at most half a
 * minute back, and the new rows before this one; rows that exist already do not.
 *
 * @param rows in the order in which they count
 */
export function withBurstTimes(rows: readonly LimitedRow[], most: number, now: number): SQL {
  const isOf = (row: SQL) => sql`${notifications.accountId} = ${row}.value->>'accountId'
    and ${notifications.accountUserId} = ${row}.value->>'accountUserId'`;
  const neighbours = (side: SQL) => sql`select * from (
      select channel, event, attempts, due_at, created_at from ${notifications}
      where ${isOf(sql`burst`)} and ${notifications.id} ${side} limit ${MAX_NEIGHBOURS})`;
  return sql`with
    given as materialized (
      select key, value, value->>'isLimited' and not exists (select 1 from ${notifications}
        where ${isOf(sql`it`)} and ${notifications.id} = it.value->>'id') as is_counted
      from json_each(${JSON.stringify(rows)}) as it),
    burst as materialized (
      select key, value, is_counted,
        (select count(*) from given as earlier where earlier.is_counted and earlier.key < given.key
          and earlier.value->>'accountUserId' = given.value->>'accountUserId'
          and earlier.value->>'channel' = given.value->>'channel') as earlier,
        (select coalesce(max(due_at), 0) from (
          select due_at, created_at from ${notifications} where given.is_counted and ${isOf(sql`given`)}
            and ${notifications.channel} = given.value->>'channel' and ${notifications.bundle} = 'burst'
            and ${notifications.dueAt} is not null
          order by ${notifications.dueAt} desc limit ${MAX_BUNDLED})
          where due_at > created_at) as ends_at
      from given),
    planned as materialized (
      select value, case when not is_counted then null when ends_at > ${now} then ends_at else (
        select iif(count(*) + earlier >= ${most}, coalesce(min(created_at), ${now}) + ${SPAN_MS}, null)
        from (${neighbours(sql`< burst.value->>'id' order by ${notifications.id} desc`)}
          union all ${neighbours(sql`> burst.value->>'id' order by ${notifications.id}`)})
        where channel = burst.value->>'channel' and substr(event, 1, 6) = 'alert.'
          and attempts > 0 and due_at is null and created_at > ${now - SPAN_MS} and created_at >= ends_at) end as burst_at
      from burst)`;
}
