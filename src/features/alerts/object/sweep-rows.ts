// Finds objects that D1 suspects of having missed a step, because an alarm or a delivery was lost.
// The object decides whether anything is due.
import { type SQL, sql } from "drizzle-orm";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { firstIdentifierAt } from "../../../domain/shared/retention.ts";
import { mapped, type Select, select } from "../../../kernel/db/select.ts";
import { alerts, logs, notifications, notificationsByOwner } from "../../schema/alerts.ts";
import { memberRemovals, onCallChanges } from "../../schema/bookkeeping.ts";
import { accounts, accountUsers } from "../../schema/people.ts";
import { removedMembers } from "../../schema/removed-members.ts";
import { alertWorkflows } from "../../schema/views/alert-workflows.ts";

/** How late a step, a page or a projection must be to count as missed (ms). */
const LATE_MS = 30_000;
/** How far back pages and projections are checked (ms). */
const WINDOW_MS = 3_600_000;

/** An object by its name. */
export type NamedObject = { readonly name: string };

// Few alerts are open at a time: each account's are read from the index of unresolved alerts.
const openAlerts = sql`${accounts} cross join ${alerts} on ${alerts.accountId} = ${accounts.id}
  and ${alerts.status} <> 'resolved'`;

/** Selects alerts whose next step is overdue. */
export function selectOverdue(now: number, most: number): Select<NamedObject> {
  return select(
    { name: alerts.prefixId },
    sql`from ${openAlerts}
    where ${alerts.status} in ('open', 'queued', 'acknowledged')
      and ${alerts.nextStepAt} < ${now - LATE_MS}
    order by ${alerts.nextStepAt} limit ${most}`,
  );
}

/** Selects alerts whose current layer has had no notification for a while. */
export function selectUnpaged(now: number, most: number): Select<NamedObject> {
  return select(
    { name: alerts.prefixId },
    sql`from ${openAlerts} where ${alerts.status} = 'open' and ${alerts.urgency} <> 'silent'
      and exists (select 1 from ${alertWorkflows}
        where ${alertWorkflows.accountId} = ${alerts.accountId}
          and ${alertWorkflows.alertId} = ${alerts.id} and ${alertWorkflows.state} = 'open'
          and ${alertWorkflows.updatedAt} < ${now - LATE_MS}
          and ${alertWorkflows.updatedAt} > ${now - WINDOW_MS}
          and not exists (select 1 from ${notificationsByOwner}
            where ${notifications.accountId} = ${alerts.accountId}
              and ${notifications.ownerId} = ${alerts.id}
              and ${notifications.workflowId} = ${alertWorkflows.id}
              and ${notifications.layer} = ${alertWorkflows.layer}
              and ${notifications.pass} = ${alertWorkflows.pass}))
    order by ${alerts.id} limit ${most}`,
  );
}

/** Reason of a notification whose consumer died while sending. */
const INTERRUPTED = "interrupted, and meanwhile the alert no longer waits for an answer";

/** Present and former members. By person and time is the only way to recent notifications. */
const everyMember = sql`(select ${accountUsers.accountId} as account_id, ${accountUsers.id} as id
    from ${accountUsers}
  union all select ${removedMembers.accountId}, ${removedMembers.accountUserId} from ${removedMembers})`;

/**
 * Ends notifications whose consumer died, for destinations that have answered since: their pages
 * are in no outbox any more, so nothing else would finish them.
 */
export function endInterrupted(now: number, most: number): SQL {
  return sql`update ${notifications}
    set status = 'skipped', reason = ${INTERRUPTED}, claimed_until = null, updated_at = ${now}
    where (account_id, account_user_id, id) in (
      select ${notifications.accountId}, ${notifications.accountUserId}, ${notifications.id}
      from ${everyMember} as member
      cross join ${notifications} on ${notifications.accountId} = member.account_id
        and ${notifications.accountUserId} = member.id
        and ${notifications.id} > ${firstIdentifierAt(now - WINDOW_MS)}
        and ${notifications.status} = 'queued' and ${notifications.claimedUntil} < ${now - LATE_MS}
      where exists (select 1 from ${alertWorkflows}
        where ${alertWorkflows.accountId} = ${notifications.accountId}
          and ${alertWorkflows.alertId} = ${notifications.ownerId}
          and ${alertWorkflows.id} = ${notifications.workflowId}
          and ${alertWorkflows.state} in ('acknowledged', 'rejected', 'cancelled'))
      limit ${most})`;
}

/**
 * Selects alerts of a while ago that requests name and that were never projected.
 *
 * @param windowMs how far back requests are checked
 */
export function selectUnprojected(
  now: number,
  most: number,
  windowMs: number = WINDOW_MS,
): Select<NamedObject> {
  const named = sql`coalesce(step.value ->> 3, ${logs.alertId})`;
  const unprojected = select(
    { id: sql<string>`${named}` },
    sql`from ${accounts} cross join ${logs} on ${logs.accountId} = ${accounts.id}
        and ${logs.id} > ${firstIdentifierAt(now - windowMs)}
        and ${logs.id} < ${firstIdentifierAt(now - LATE_MS)}
      cross join json_each(${logs.steps}) as step
    where ${named} is not null
      and not exists (select 1 from ${alerts}
        where ${alerts.accountId} = ${logs.accountId} and ${alerts.id} = ${named})
      and not exists (select 1 from ${logs} as deleted where deleted.account_id = ${logs.accountId}
        and deleted.id = ${named})
    order by ${logs.id} limit ${most}`,
  );
  return mapped(unprojected, ({ id }) => ({ name: prefixIdOf("alert", id) }));
}

/** Selects a row if a change of on-call or a removed member is still to be announced. */
export const selectUnnotified = (): Select<NamedObject> =>
  select(
    { name: onCallChanges.id },
    sql`from ${onCallChanges} union all select ${memberRemovals.id} from ${memberRemovals} limit 1`,
  );
