// What D1 can tell of objects that should have done something and have not: their alarm was lost, or what they had to
// hand on. A suspicion, no more: the object knows, and does what is due if anything is.
import { type SQL, sql } from "drizzle-orm";
import { firstIdentifierAt } from "../domain/retention.ts";
import { alerts, alertWorkflows, logs, notifications, sublogs } from "./schema/alerts.ts";
import { memberRemovals, onCallChanges } from "./schema/bookkeeping.ts";

/** How late a step, a page or a projection is before it is suspicious (ms). */
const LATE_MS = 30_000;
/** How far back pages and projections are looked for (ms): the sweep is no history book. */
const LOOK_BACK_MS = 3_600_000;

/** An event's log says that it made an alert: this, and the alert's `prefix_id`. */
export const CREATED = "Created alert ";

/** Alerts whose next step is long due. */
export function selectOverdue(now: number, most: number): SQL {
  return sql`select ${alerts.prefixId} as name from ${alerts}
    where ${alerts.nextStepAt} < ${now - LATE_MS} order by ${alerts.nextStepAt} limit ${most}`;
}

/** Alerts whose layer was asked a while ago, and no notification was ever made for it. */
export function selectUnpaged(now: number, most: number): SQL {
  return sql`select ${alerts.prefixId} as name from ${alertWorkflows}
      join ${alerts} on ${alerts.id} = ${alertWorkflows.alertId} and ${alerts.urgency} <> 'silent'
    where state = 'open' and ${alertWorkflows.updatedAt} < ${now - LATE_MS}
      and ${alertWorkflows.updatedAt} > ${now - LOOK_BACK_MS}
      and not exists (select 1 from ${notifications}
        where ${notifications.accountId} = ${alertWorkflows.accountId}
          and ${notifications.alertId} = ${alertWorkflows.alertId}
          and ${notifications.workflowId} = ${alertWorkflows.id}
          and ${notifications.layer} = ${alertWorkflows.layer}
          and ${notifications.pass} = ${alertWorkflows.pass})
    order by ${alertWorkflows.updatedAt} limit ${most}`;
}

/** What stands of a page whose consumer died with it in hand. */
const INTERRUPTED = "interrupted, and meanwhile the alert no longer waits for this destination";

/**
 * Ends notifications that a consumer died with, of destinations that somebody has answered for: their pages wait in no
 * outbox any more, so nobody would ever say what became of them.
 */
export function endInterrupted(now: number, most: number): SQL {
  return sql`update ${notifications}
    set status = 'skipped', reason = ${INTERRUPTED}, claimed_until = null, updated_at = ${now}
    where id in (select ${notifications.id} from ${notifications}
      join ${alertWorkflows} on ${alertWorkflows.id} = ${notifications.workflowId}
        and ${alertWorkflows.state} in ('acknowledged', 'rejected', 'cancelled')
      where ${notifications.id} > ${firstIdentifierAt(now - LOOK_BACK_MS)}
        and ${notifications.status} = 'queued' and ${notifications.claimedUntil} < ${now - LATE_MS}
      limit ${most})`;
}

/** Alerts that an event made a while ago, and that no reader has ever seen. */
export function selectUnseen(now: number, most: number): SQL {
  const name = sql`substr(${sublogs.message}, ${CREATED.length + 1})`;
  return sql`select ${name} as name from ${logs}
      join ${sublogs} on ${sublogs.accountId} = ${logs.accountId} and ${sublogs.logId} = ${logs.id}
        and substr(${sublogs.message}, 1, ${CREATED.length}) = ${CREATED}
    where ${logs.id} > ${firstIdentifierAt(now - LOOK_BACK_MS)}
      and ${logs.id} < ${firstIdentifierAt(now - LATE_MS)} and ${logs.ownerType} = 'Integration'
      and not exists (select 1 from ${alerts}
        where ${alerts.accountId} = ${logs.accountId} and ${alerts.prefixId} = ${name})
      and not exists (select 1 from ${logs} as story where story.account_id = ${logs.accountId}
        and story.prefix_id = 'log_' || substr(${name}, 5) and story.meta ->> 'deleted')
    order by ${logs.id} limit ${most}`;
}

/** A row where a change of who is on call, or a removed person, is still to be notified; none: nothing is. */
export const selectUnnotified = (): SQL =>
  sql`select ${onCallChanges.id} as name from ${onCallChanges}
    union all select ${memberRemovals.id} from ${memberRemovals} limit 1`;
