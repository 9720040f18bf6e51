// Selects and deletes what retention or the size of the database removes: ended alerts with
// everything that belongs to them, and request logs. Selects lead with the account and the id, which
// sorts by time; each takes a limited number, after the last one of the batch before.
import { type SQL, sql } from "drizzle-orm";
import { ENDED_STATUSES, firstIdentifierAt } from "../../../domain/shared/retention.ts";
import { rowsOf, uncount } from "../../../kernel/db/folded-totals.ts";
import { returning, type Select, select, truth } from "../../../kernel/db/select.ts";
import { DESTINATION_ALERTS } from "../../alerts/alerts/destination-totals.ts";
import {
  alertDestinations,
  alerts,
  alertTimelines,
  IS_NOTICE,
  logs,
  notifications,
  notificationsByOwner,
} from "../../schema/alerts.ts";
import { changeSchedules, changes } from "../../schema/changes.ts";
import { chatMessages, deliveries } from "../../schema/integrations.ts";
import { comments } from "../../schema/messages.ts";
import { accounts } from "../../schema/people.ts";

/** A record that may be removed. */
export type Removable = {
  readonly accountId: string;
  readonly id: string;
  /** Changes with the record. */
  readonly version: number;
  /** Its approximate size. */
  readonly bytes: number;
  /** Whether it is an ended alert that still receives its sender's events. */
  readonly holdsKeys: boolean;
};

/** Which alerts: created before one instant, ended before the other (epoch ms). */
export type AlertCutoff = { readonly createdBefore: number; readonly endedBefore: number };

/** The position in a list ordered by account and id: the record before the next batch. */
export type Position = Pick<Removable, "accountId" | "id">;

export const START: Position = { accountId: "", id: "" };

const statusList = sql.raw(ENDED_STATUSES.map((status) => `'${status}'`).join(", "));

/** A suppressed alert ends with its maintenance window. */
const endedBefore = (before: number) =>
  sql`status in (${statusList}) and ${alerts.updatedAt} < ${before}
    and coalesce(${alerts.state} ->> 'suppressedUntil', 0) < ${before}`;

/** The timeline of a deleted alert is all that is left of it. */
const deletedBefore = (before: number) => sql`${logs.ownerType} = 'Alert'
  and ${logs.updatedAt} < ${before}`;

const isRequestLog = sql`${logs.ownerType} = 'Integration'`;

type Table = typeof alerts | typeof logs;

/**
 * The rows of a table after a position that were created before an instant, by account. The join's
 * order is fixed: one range of `(account_id, id)` per account, whatever else the table holds.
 */
const createdBefore = (table: Table, before: number, { accountId, id }: Position) =>
  sql`from ${accounts} cross join ${table} on ${table.accountId} = ${accounts.id}
      and ${table.id} < ${firstIdentifierAt(before)}
      and ${table.id} > iif(${accounts.id} = ${accountId}, ${id}, '')
    where ${accounts.id} >= ${accountId}`;

const inOrder = (table: Table, most: number) =>
  sql`order by ${accounts.id}, ${table.id} limit ${most}`;

/** Selects alerts that ended, after a position. */
export const selectEnded = (cutoff: AlertCutoff, after: Position, most: number) =>
  select(
    {
      accountId: alerts.accountId,
      id: alerts.id,
      version: alerts.version,
      bytes: sql<number>`1000 + octet_length(${alerts.additionalData})
        + octet_length(${alerts.timeline}) + coalesce(octet_length(${alerts.description}), 0)`,
      /** Whether its sender's next event would open it again: the object is told to let go of it. */
      holdsKeys: truth(sql`${alerts.status} = 'dropped' or ${alerts.mergedIntoId} is not null`),
    },
    sql`${createdBefore(alerts, cutoff.createdBefore, after)} and ${endedBefore(cutoff.endedBefore)}
      ${inOrder(alerts, most)}`,
  );

/** Selects alerts that were deleted, after a position. */
export const selectDeleted = (cutoff: AlertCutoff, after: Position, most: number) =>
  select(
    {
      accountId: logs.accountId,
      id: logs.id,
      version: logs.updatedAt,
      bytes: sql<number>`500 + octet_length(${logs.steps})`,
      holdsKeys: truth(sql`0`),
    },
    sql`${createdBefore(logs, cutoff.createdBefore, after)} and ${deletedBefore(cutoff.endedBefore)}
      ${inOrder(logs, most)}`,
  );

/** Selects request logs created before an instant, after a position. */
export const selectRequestLogs = (
  before: number,
  after: Position,
  most: number,
): Select<Removable> =>
  select(
    {
      accountId: logs.accountId,
      id: logs.id,
      version: logs.updatedAt,
      bytes: sql<number>`500 + coalesce(octet_length(${logs.request}), 0)`,
      holdsKeys: truth(sql`0`),
    },
    sql`${createdBefore(logs, before, after)} and ${isRequestLog} ${inOrder(logs, most)}`,
  );

type Oldest = { readonly id: string | null };

/** The smallest id of any account's rows that were created since an instant and match. */
const selectOldest = (table: Table, since: number, matches: SQL): Select<Oldest> =>
  select(
    {
      id: sql<string | null>`min((select min(${table.id}) from ${table}
        where ${table.accountId} = ${accounts.id} and ${table.id} >= ${firstIdentifierAt(since)}
          and ${matches}))`,
    },
    sql`from ${accounts}`,
  );

/** Selects the id of the oldest request log created since an instant; null if there is none. */
export const selectOldestRequestLog = (since: number) => selectOldest(logs, since, isRequestLog);

/** Selects the id of the oldest alert created since one instant that ended before the other. */
export const selectOldestEnded = (since: number, before: number) =>
  selectOldest(alerts, since, endedBefore(before));

const idsOf = (records: readonly Removable[]) =>
  JSON.stringify(records.map(({ accountId, id, version }) => [accountId, id, version]));

/** The listed records as `(account, id, version)`. */
const listed = (records: readonly Removable[]) =>
  sql`(select value ->> 0, value ->> 1, value ->> 2 from json_each(${idsOf(records)}))`;

/** How long before it was read an alert must have had no comment and no notification (ms). */
const SETTLED_MS = 60_000;

/**
 * Deletes alerts with everything that belongs to them, except those that changed after they were
 * read. The alerts themselves are deleted last: the statements before it depend on them.
 *
 * @param threads by alert, the ids that a comment on it may have as parent: its own, its comments'
 * @param readAt when they were read (epoch ms)
 * @returns the last statement returns the deleted alerts
 */
export function deleteEnded(
  records: readonly Removable[],
  threads: ReadonlyMap<string, readonly string[]>,
  cutoff: AlertCutoff,
  readAt: number,
) {
  const since = readAt - SETTLED_MS;
  const parents = JSON.stringify(
    records.flatMap(({ accountId, id }) =>
      (threads.get(id) ?? [id]).map((parentId) => [id, accountId, parentId]),
    ),
  );
  const ids = JSON.stringify(records.map(({ accountId, id }) => [accountId, id]));
  const unchanged = sql`(${alerts.accountId}, ${alerts.id}, ${alerts.version}) in ${listed(records)}
    and ${endedBefore(cutoff.endedBefore)}
    and ${alerts.id} not in (select parent.value ->> 0
      from json_each(${parents}) as parent cross join ${comments}
        on ${comments.accountId} = parent.value ->> 1
          and ${comments.commentableId} = parent.value ->> 2
      where ${comments.updatedAt} >= ${since})
    and ${alerts.id} not in (select alert.value ->> 1
      from json_each(${ids}) as alert cross join ${notificationsByOwner}
        on ${notifications.accountId} = alert.value ->> 0
          and ${notifications.ownerId} = alert.value ->> 1
      where ${notifications.updatedAt} >= ${since})`;
  const owned = sql`(select ${alerts.accountId}, ${alerts.id} from ${alerts} where ${unchanged})`;
  const named = (list: SQL, path: SQL) =>
    sql`select ${alerts.accountId}, ${path}, ${alerts.id} from ${alerts}, json_each(${list}) as named
      where ${unchanged}`;
  const destinations = sql`(${alertDestinations.accountId}, ${alertDestinations.destinationId},
    ${alertDestinations.alertId}) in (
      ${named(sql`${alerts.destinationTeamIds}`, sql`named.value`)}
      union ${named(sql`${alerts.destinationAccountUserIds}`, sql`named.value`)}
      union ${named(sql`${alerts.workflows}`, sql`named.value ->> 'to'`)})`;
  return [
    sql`with recursive thread (account_id, id) as (
        select ${comments.accountId}, ${comments.id} from ${comments}
          where (${comments.accountId}, ${comments.commentableId}) in ${owned}
        union
        select reply.account_id, reply.id from thread join ${comments} as reply
          on reply.account_id = thread.account_id and reply.commentable_id = thread.id)
      delete from ${comments} where ${comments.id} in (select id from thread)`,
    uncount(DESTINATION_ALERTS, destinations),
    sql`delete from ${alertDestinations} where ${destinations}`,
    sql`delete from ${alertTimelines}
      where (${alertTimelines.accountId}, ${alertTimelines.alertId}) in ${owned}`,
    deleteChatMessages(owned),
    deleteNotifications(owned),
    uncount(rowsOf(alerts), unchanged),
    returning(sql`delete from ${alerts} where ${unchanged}`, { id: alerts.id }),
  ] as const;
}

/** Deletes what is left of deleted alerts. */
export function deleteDeleted(records: readonly Removable[], cutoff: AlertCutoff): SQL[] {
  const unchanged = sql`(${logs.accountId}, ${logs.id}, ${logs.updatedAt}) in ${listed(records)}
    and ${deletedBefore(cutoff.endedBefore)}`;
  const owned = sql`(select ${logs.accountId}, ${logs.id} from ${logs} where ${unchanged})`;
  return [
    deleteChatMessages(owned),
    deleteNotifications(owned),
    uncount(rowsOf(logs), unchanged),
    sql`delete from ${logs} where ${unchanged}`,
  ];
}

/** Deletes the notifications of alerts. `owned`: `(account, id)`. */
export const deleteNotifications = (owned: SQL): SQL =>
  sql`delete from ${notificationsByOwner}
    where (${notifications.accountId}, ${notifications.ownerId}) in ${owned}`;

/** Forgets the messages of alerts in chats. `owned`: `(account, id)`. */
const deleteChatMessages = (owned: SQL): SQL =>
  sql`delete from ${chatMessages}
    where (${chatMessages.accountId}, ${chatMessages.alertId}) in ${owned}`;

/** Deletes request logs. */
export function deleteRequestLogs(records: readonly Removable[]): SQL[] {
  const ids = sql`(select value ->> 0, value ->> 1 from json_each(${idsOf(records)}))`;
  const old = sql`(${logs.accountId}, ${logs.id}) in ${ids} and ${isRequestLog}`;
  return [uncount(rowsOf(logs), old), sql`delete from ${logs} where ${old}`];
}

/** Deletes notifications from before the instant that are not about an alert, which has its own. */
export function deleteNotices(before: number, most: number): SQL {
  return sql`delete from ${notifications} where (account_id, account_user_id, id) in (
    select account_id, account_user_id, id from ${notifications}
    where ${notifications.id} < ${firstIdentifierAt(before)} and ${IS_NOTICE}
    order by ${notifications.id} limit ${most})`;
}

/** Deletes entries of the history from before the instant, and their places in schedules. */
export function deleteChanges(before: number, most: number): readonly [SQL, SQL] {
  const first = firstIdentifierAt(before);
  return [
    sql`delete from ${changeSchedules} where (account_id, schedule_id, change_id) in (
      select ${changeSchedules.accountId}, ${changeSchedules.scheduleId}, ${changeSchedules.changeId}
      from ${accounts} cross join ${changes} on ${changes.accountId} = ${accounts.id}
        and ${changes.id} < ${first}
      cross join json_each(${changes.scheduleIds}) as place
      cross join ${changeSchedules} on ${changeSchedules.accountId} = ${accounts.id}
        and ${changeSchedules.scheduleId} = place.value
        and ${changeSchedules.changeId} = ${changes.id}
      order by ${changes.accountId}, ${changes.id} limit ${most})`,
    sql`delete from ${changes} where (account_id, id) in (
      select ${changes.accountId}, ${changes.id} from ${accounts} cross join ${changes}
        on ${changes.accountId} = ${accounts.id} and ${changes.id} < ${first}
      where not exists (select 1 from json_each(${changes.scheduleIds}) as place
        join ${changeSchedules} on ${changeSchedules.accountId} = ${changes.accountId}
          and ${changeSchedules.scheduleId} = place.value
          and ${changeSchedules.changeId} = ${changes.id})
      limit ${most})`,
  ];
}

/** Deletes finished deliveries from before the instant. */
export function deleteDeliveries(before: number, most: number): SQL {
  return sql`delete from ${deliveries} where ${deliveries.id} in (
    select ${deliveries.id} from ${deliveries}
    where ${deliveries.id} < ${firstIdentifierAt(before)} and ${deliveries.status} <> 'queued'
    order by ${deliveries.id} limit ${most})`;
}
