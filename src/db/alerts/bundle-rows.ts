// Deferred notification rows of one person on one channel, sent as one message: claimed together,
// read with their alerts, and moved to another channel if this one fails.
import { type SQL, sql } from "drizzle-orm";
import type { AlertUrgency, PageEvent } from "../../domain/alerts/alert.ts";
import type { ReleaseMessage } from "../../domain/alerts/notifications/page.ts";
import type { Contact } from "../../domain/people/contact.ts";
import { alerts, alertWorkflows, logs, notifications } from "../schema/alerts.ts";
import { teams } from "../schema/oncall.ts";
import { accountUsers, users } from "../schema/people.ts";
import { mapped, type RowOf, returning, type Select, select } from "../shared/select.ts";
import { LEASE_MS } from "./notification-rows.ts";

/** A notification of a bundle, with the alert's content. */
export type DeferredRow = {
  readonly id: string;
  readonly effectId: string;
  readonly to: string;
  readonly event: PageEvent;
  readonly workflowId: string | null;
  readonly layer: number | null;
  readonly pass: number | null;
  readonly at: number;
  readonly attempts: number;
  readonly claimedUntil: number | null;
  readonly alert: {
    readonly id: string;
    readonly version: number;
    readonly title: string;
    readonly description: string | null;
    readonly urgency: AlertUrgency;
    readonly createdAt: number;
    readonly destinationName: string;
  };
};

/** The condition on rows due in a release. */
function due({ accountId, release }: ReleaseMessage): SQL {
  const { accountUserId, channel, kind, dueAt } = release;
  return sql`${notifications.accountId} = ${accountId}
    and ${notifications.accountUserId} = ${accountUserId} and ${notifications.dueAt} is not null
    and ${notifications.dueAt} <= ${dueAt} and ${notifications.channel} = ${channel}
    and ${notifications.bundle} = ${kind} and ${notifications.status} = 'queued'`;
}

const isUnclaimed = (now: number) => sql`coalesce(${notifications.claimedUntil}, 0) <= ${now}`;

/** Skips notifications of alerts that no longer need an answer, or were deleted. */
export function skipAnswered(message: ReleaseMessage, reason: string, now: number): SQL {
  const isCurrent = (table: typeof alerts | typeof alertWorkflows) =>
    sql`${table.version} >= coalesce(${notifications.alertVersion}, 0)`;
  return sql`update ${notifications}
    set status = 'skipped', reason = ${reason}, claimed_until = null, updated_at = ${now}
    where ${due(message)} and ${isUnclaimed(now)} and ${notifications.event} = 'alert.open' and (
      exists (select 1 from ${logs} where ${logs.id} = ${notifications.alertId}
        and ${logs.meta} ->> 'deleted')
      or exists (select 1 from ${alerts} where ${alerts.id} = ${notifications.alertId}
        and ${alerts.status} = 'resolved' and ${isCurrent(alerts)})
      or exists (select 1 from ${alertWorkflows} where ${alertWorkflows.id} = ${notifications.workflowId}
        and ${alertWorkflows.state} in ('acknowledged', 'rejected', 'cancelled')
        and ${isCurrent(alertWorkflows)}))`;
}

/** Skips notifications to removed members: their addresses must not be used any more. */
export function skipRemoved(message: ReleaseMessage, reason: string, now: number): SQL {
  return sql`update ${notifications}
    set status = 'skipped', reason = ${reason}, claimed_until = null, updated_at = ${now}
    where ${due(message)} and ${isUnclaimed(now)} and not exists (select 1 from ${accountUsers}
      where ${accountUsers.id} = ${notifications.accountUserId}
        and ${accountUsers.accountId} = ${message.accountId} and ${accountUsers.state} = 'active')`;
}

/** Claims the due rows that nobody else has claimed; returns their ids. */
export const claimDeferred = (message: ReleaseMessage, now: number) =>
  returning(
    sql`update ${notifications}
    set claimed_until = ${now + LEASE_MS}, attempts = attempts + 1, reason = null, updated_at = ${now}
    where ${due(message)} and ${isUnclaimed(now)}`,
    { id: notifications.id },
  );

/** Selects the due rows, claimed or not. */
export const selectDeferred = (message: ReleaseMessage): Select<DeferredRow> =>
  selectRows(due(message));

/** Selects notifications of alerts by id, in the same form. */
export const selectDeferredByIds = (
  accountId: string,
  ids: readonly string[],
): Select<DeferredRow> =>
  selectRows(sql`${notifications.accountId} = ${accountId} and ${notifications.alertId} is not null
    and ${notifications.id} in (select value from json_each(${JSON.stringify(ids)}))`);

const columns = {
  id: notifications.id,
  effectId: notifications.effectId,
  to: sql<string>`${notifications.to}`,
  event: sql<PageEvent>`${notifications.event}`,
  workflowId: notifications.workflowId,
  layer: notifications.layer,
  pass: notifications.pass,
  at: notifications.createdAt,
  attempts: notifications.attempts,
  claimedUntil: notifications.claimedUntil,
  alertId: sql<string>`${notifications.alertId}`,
  // The alert may not be projected yet.
  version: sql<number>`coalesce(${notifications.alertVersion}, 0)`,
  title: sql<string>`coalesce(${alerts.title}, 'An alert')`,
  description: sql<string | null>`substr(${alerts.description}, 1, 2000)`,
  urgency: sql<AlertUrgency>`coalesce(${alerts.urgency}, 'high')`,
  alertCreatedAt: sql<number>`coalesce(${alerts.createdAt}, ${notifications.createdAt})`,
  destinationName: sql<string>`coalesce(${teams.name}, ${users.name}, '')`,
};

function selectRows(condition: SQL): Select<DeferredRow> {
  const rows = sql`from ${notifications}
      left join ${alerts} on ${alerts.id} = ${notifications.alertId}
      left join ${alertWorkflows} on ${alertWorkflows.id} = ${notifications.workflowId}
      left join ${teams} on ${teams.id} = ${alertWorkflows.destinationId}
      left join ${accountUsers} on ${accountUsers.id} = ${alertWorkflows.destinationId}
      left join ${users} on ${users.id} = ${accountUsers.userId}
    where ${condition}`;
  return mapped(select(columns, rows), toDeferredRow);
}

function toDeferredRow(row: RowOf<typeof columns>): DeferredRow {
  const { alertId, version, title, description, urgency, alertCreatedAt, destinationName } = row;
  const { id, effectId, to, event, workflowId, layer, pass, at, attempts, claimedUntil } = row;
  const alert = { id: alertId, version, title, description, urgency, destinationName };
  return {
    ...{ id, effectId, to, event, workflowId, layer, pass, at, attempts, claimedUntil },
    alert: { ...alert, createdAt: alertCreatedAt },
  };
}

/** Selects the state of every notification of these effects. */
export const selectEffectStates = (accountId: string, rows: readonly DeferredRow[]) =>
  select(
    {
      effectId: notifications.effectId,
      channel: sql<Contact["channel"]>`${notifications.channel}`,
      to: sql<string>`${notifications.to}`,
      status: notifications.status,
    },
    sql`from ${notifications}
    where account_id = ${accountId}
      and alert_id in (select value from json_each(${JSON.stringify(rows.map((it) => it.alert.id))}))
      and effect_id in (select value from json_each(${JSON.stringify(rows.map((it) => it.effectId))}))`,
  );
