// Deletes expired rows: ended alerts with everything that belongs to them, request logs, and
// notifications of deleted records. Each statement deletes a limited number, the oldest first.
import { type SQL, sql } from "drizzle-orm";
import { firstIdentifierAt } from "../../domain/shared/retention.ts";
import { alerts, alertWorkflows, logs, notifications, sublogs } from "../schema/alerts.ts";
import { deliveries } from "../schema/integrations.ts";
import { comments } from "../schema/messages.ts";
import { select } from "./select.ts";

/** Selects ids of alerts ended before the instant; deleted ones have only a timeline left. */
export function selectEnded(before: number, most: number) {
  return select(
    { id: sql<string>`id` },
    sql`from (select ${alerts.id} as id from ${alerts}
      where status in ('resolved', 'suppressed') and ${alerts.updatedAt} < ${before}
      order by ${alerts.updatedAt} limit ${most})
    union all select id from (select ${logs.id} as id from ${logs}
      where ${logs.id} < ${firstIdentifierAt(before)} and ${logs.ownerType} = 'Alert'
        and ${logs.meta} ->> 'deleted' and ${logs.updatedAt} < ${before} limit ${most})`,
  );
}

/** Deletes all rows of alerts whose objects are empty. */
export function deleteAlerts(ids: readonly string[]): SQL[] {
  const idList = sql`(select value from json_each(${JSON.stringify(ids)}))`;
  // An alert's timeline log has the alert's own id. It identifies the account and is deleted last.
  const account = sql`(select ${logs.accountId} from ${logs} where ${logs.id} = value)`;
  const owned = sql`(select ${account}, value from json_each(${JSON.stringify(ids)}))`;
  return [
    sql`with recursive thread (id) as (
        select ${comments.id} from ${comments}
          where (${comments.accountId}, ${comments.commentableId}) in ${owned}
        union
        select reply.id from thread join ${comments} as parent on parent.id = thread.id
          join ${comments} as reply on reply.account_id = parent.account_id
            and reply.commentable_id = thread.id)
      delete from ${comments} where ${comments.id} in (select id from thread)`,
    sql`delete from ${notifications}
      where (${notifications.accountId}, ${notifications.alertId}) in ${owned}`,
    sql`delete from ${alertWorkflows}
      where (${alertWorkflows.accountId}, ${alertWorkflows.alertId}) in ${owned}`,
    sql`delete from ${sublogs} where (${sublogs.accountId}, ${sublogs.logId}) in ${owned}`,
    sql`delete from ${alerts} where ${alerts.id} in ${idList}`,
    sql`delete from ${logs} where ${logs.id} in ${idList}`,
  ];
}

/** Deletes the logs of requests before the instant, with their steps. */
export function deleteRequestLogs(before: number, most: number): SQL[] {
  const old = (columns: SQL) => sql`(select ${columns} from ${logs}
    where ${logs.id} < ${firstIdentifierAt(before)} and ${logs.ownerType} = 'Integration'
    order by ${logs.id} limit ${most})`;
  return [
    sql`delete from ${sublogs}
      where (${sublogs.accountId}, ${sublogs.logId}) in ${old(sql`${logs.accountId}, ${logs.id}`)}`,
    sql`delete from ${logs} where ${logs.id} in ${old(sql`${logs.id}`)}`,
  ];
}

/** Deletes notifications from before the instant, except those of existing alerts. */
export function deleteNotifications(before: number, most: number): SQL {
  return sql`delete from ${notifications} where ${notifications.id} in (
    select ${notifications.id} from ${notifications}
    where ${notifications.id} < ${firstIdentifierAt(before)}
      and not exists (select 1 from ${alerts} where ${alerts.id} = ${notifications.alertId})
    order by ${notifications.id} limit ${most})`;
}

/** Deletes finished deliveries from before the instant. */
export function deleteDeliveries(before: number, most: number): SQL {
  return sql`delete from ${deliveries} where ${deliveries.id} in (
    select ${deliveries.id} from ${deliveries}
    where ${deliveries.id} < ${firstIdentifierAt(before)} and ${deliveries.status} <> 'queued'
    order by ${deliveries.id} limit ${most})`;
}
