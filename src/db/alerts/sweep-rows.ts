// Finds objects that D1 suspects of having missed a step, because an alarm or a delivery was lost.
// The object decides whether anything is due.
import { type SQL, sql } from "drizzle-orm";
import { firstIdentifierAt } from "../../domain/shared/retention.ts";
import { alerts, alertWorkflows, logs, notifications, sublogs } from "../schema/alerts.ts";
import { memberRemovals, onCallChanges } from "../schema/bookkeeping.ts";
import { type Select, select } from "../shared/select.ts";

/** How late a step, a page or a projection must be to count as missed (ms). */
const LATE_MS = 30_000;
/** How far back pages and projections are checked (ms). */
const WINDOW_MS = 3_600_000;

/** The message of an event that created an alert: this, followed by the alert's `prefix_id`. */
export const CREATED = "Created alert ";

/** An object by name. */
type Named = { readonly name: string };

/** Selects alerts whose next step is overdue. */
export function selectOverdue(now: number, most: number): Select<Named> {
  return select(
    { name: alerts.prefixId },
    sql`from ${alerts}
    where ${alerts.nextStepAt} < ${now - LATE_MS} order by ${alerts.nextStepAt} limit ${most}`,
  );
}

/** Selects alerts whose current layer has had no notification for a while. */
export function selectUnpaged(now: number, most: number): Select<Named> {
  return select(
    { name: alerts.prefixId },
    sql`from ${alertWorkflows}
      join ${alerts} on ${alerts.id} = ${alertWorkflows.alertId} and ${alerts.urgency} <> 'silent'
    where state = 'open' and ${alertWorkflows.updatedAt} < ${now - LATE_MS}
      and ${alertWorkflows.updatedAt} > ${now - WINDOW_MS}
      and not exists (select 1 from ${notifications}
        where ${notifications.accountId} = ${alertWorkflows.accountId}
          and ${notifications.alertId} = ${alertWorkflows.alertId}
          and ${notifications.workflowId} = ${alertWorkflows.id}
          and ${notifications.layer} = ${alertWorkflows.layer}
          and ${notifications.pass} = ${alertWorkflows.pass})
    order by ${alertWorkflows.updatedAt} limit ${most}`,
  );
}

/** Reason of a notification whose consumer died while sending. */
const INTERRUPTED = "interrupted, and meanwhile the alert no longer waits for this destination";

/**
 * Ends notifications whose consumer died, for destinations that have answered since: their pages
 * are in no outbox any more, so nothing else would finish them.
 */
export function endInterrupted(now: number, most: number): SQL {
  return sql`update ${notifications}
    set status = 'skipped', reason = ${INTERRUPTED}, claimed_until = null, updated_at = ${now}
    where id in (select ${notifications.id} from ${notifications}
      join ${alertWorkflows} on ${alertWorkflows.id} = ${notifications.workflowId}
        and ${alertWorkflows.state} in ('acknowledged', 'rejected', 'cancelled')
      where ${notifications.id} > ${firstIdentifierAt(now - WINDOW_MS)}
        and ${notifications.status} = 'queued' and ${notifications.claimedUntil} < ${now - LATE_MS}
      limit ${most})`;
}

/** Selects alerts that an event created a while ago and that were never projected. */
export function selectUnprojected(now: number, most: number): Select<Named> {
  const name = sql<string>`substr(${sublogs.message}, ${CREATED.length + 1})`;
  return select(
    { name },
    sql`from ${logs}
      join ${sublogs} on ${sublogs.accountId} = ${logs.accountId} and ${sublogs.logId} = ${logs.id}
        and substr(${sublogs.message}, 1, ${CREATED.length}) = ${CREATED}
    where ${logs.id} > ${firstIdentifierAt(now - WINDOW_MS)}
      and ${logs.id} < ${firstIdentifierAt(now - LATE_MS)} and ${logs.ownerType} = 'Integration'
      and not exists (select 1 from ${alerts}
        where ${alerts.accountId} = ${logs.accountId} and ${alerts.prefixId} = ${name})
      and not exists (select 1 from ${logs} as story where story.account_id = ${logs.accountId}
        and story.prefix_id = 'log_' || substr(${name}, 5) and story.meta ->> 'deleted')
    order by ${logs.id} limit ${most}`,
  );
}

/** Selects a row if a change of on-call or a removed member is still to be announced. */
export const selectUnnotified = (): Select<Named> =>
  select(
    { name: onCallChanges.id },
    sql`from ${onCallChanges} union all select ${memberRemovals.id} from ${memberRemovals} limit 1`,
  );
