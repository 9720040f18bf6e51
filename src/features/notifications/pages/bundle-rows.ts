// Deferred notification rows of one person on one channel, sent as one message: claimed together,
// read with their alerts, and moved to another channel if this one fails.
import { type SQL, sql } from "drizzle-orm";
import type { AlertUrgency, PageEvent } from "../../../domain/alerts/alert.ts";
import type { NotificationKey, ReleaseMessage } from "../../../domain/notifications/page.ts";
import type { Contact } from "../../../domain/people/contact.ts";
import { mapped, type RowOf, returning, type Select, select } from "../../../kernel/db/select.ts";
import { hasKeyIn, LEASE_MS } from "../../people/channels/attempt-rows.ts";
import { alerts, logs, notifications, notificationsByOwner } from "../../schema/alerts.ts";
import { accountUsers } from "../../schema/people.ts";
import { alertWorkflows } from "../../schema/views/alert-workflows.ts";

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
  /** As of a page's notification. */
  readonly stage: number;
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

const hasNoLease = (now: number) => sql`coalesce(${notifications.claimedUntil}, 0) <= ${now}`;

/** Skips notifications of alerts that no longer need an answer, or were deleted. */
export function skipAnswered(message: ReleaseMessage, reason: string, now: number): SQL {
  return sql`update ${notifications}
    set status = 'skipped', reason = ${reason}, claimed_until = null, updated_at = ${now}
    where ${due(message)} and ${hasNoLease(now)} and ${notifications.event} = 'alert.open' and (
      exists (select 1 from ${logs} where ${logs.accountId} = ${notifications.accountId}
        and ${logs.id} = ${notifications.alertId})
      or exists (select 1 from ${alerts} where ${alerts.accountId} = ${notifications.accountId}
        and ${alerts.id} = ${notifications.alertId} and ${alerts.status} = 'resolved'
        and ${alerts.version} >= coalesce(${notifications.alertVersion}, 0))
      or exists (select 1 from ${alertWorkflows}
        where ${alertWorkflows.accountId} = ${notifications.accountId}
          and ${alertWorkflows.alertId} = ${notifications.alertId}
          and ${alertWorkflows.id} = ${notifications.workflowId}
          and ${alertWorkflows.state} in ('acknowledged', 'rejected', 'cancelled')
          and ${alertWorkflows.version} >= coalesce(${notifications.alertVersion}, 0)))`;
}

/** Skips notifications to removed members: their addresses must not be used any more. */
export function skipRemoved(message: ReleaseMessage, reason: string, now: number): SQL {
  return sql`update ${notifications}
    set status = 'skipped', reason = ${reason}, claimed_until = null, updated_at = ${now}
    where ${due(message)} and ${hasNoLease(now)} and not exists (select 1 from ${accountUsers}
      where ${accountUsers.id} = ${notifications.accountUserId}
        and ${accountUsers.accountId} = ${message.accountId} and ${accountUsers.state} = 'active')`;
}

/** Claims the due rows that nobody else has claimed; returns their ids. */
export const claimDeferred = (message: ReleaseMessage, now: number) =>
  returning(
    sql`update ${notifications}
    set claimed_until = ${now + LEASE_MS}, attempts = attempts + 1, reason = null, updated_at = ${now}
    where ${due(message)} and ${hasNoLease(now)}`,
    { id: notifications.id },
  );

/** Selects the due rows, claimed or not. */
export const selectDeferred = (message: ReleaseMessage): Select<DeferredRow> =>
  selectRows(due(message));

/** Selects notifications of alerts by key, in the same form. */
export const selectDeferredByKeys = (keys: readonly NotificationKey[]): Select<DeferredRow> => {
  const { accountId, accountUserId, id } = notifications;
  const isNamed = hasKeyIn(keys, sql`${accountId}, ${accountUserId}, ${id}`);
  return selectRows(sql`${isNamed} and ${notifications.alertId} is not null`);
};

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
  stage: notifications.stage,
  alertId: sql<string>`${notifications.alertId}`,
  // The alert may not be projected yet.
  version: sql<number>`coalesce(${notifications.alertVersion}, 0)`,
  title: sql<string>`coalesce(${alerts.title}, 'An alert')`,
  description: sql<string | null>`substr(${alerts.description}, 1, 2000)`,
  urgency: sql<AlertUrgency>`coalesce(${alerts.urgency}, 'high')`,
  alertCreatedAt: sql<number>`coalesce(${alerts.createdAt}, ${notifications.createdAt})`,
  destinationName: sql<string>`coalesce((select value ->> 'name' from json_each(${alerts.workflows})
    where value ->> 'id' = ${notifications.workflowId}), '')`,
};

function selectRows(condition: SQL): Select<DeferredRow> {
  const rows = sql`from ${notifications}
      left join ${alerts} on ${alerts.accountId} = ${notifications.accountId}
        and ${alerts.id} = ${notifications.alertId}
    where ${condition}`;
  return mapped(select(columns, rows), toDeferredRow);
}

function toDeferredRow(row: RowOf<typeof columns>): DeferredRow {
  const { alertId, version, title, description, urgency, alertCreatedAt, destinationName } = row;
  const { id, effectId, to, event, workflowId, layer, pass, at, attempts, claimedUntil, stage } =
    row;
  const alert = { id: alertId, version, title, description, urgency, destinationName };
  return {
    ...{ id, effectId, to, event, workflowId, layer, pass, at, attempts, claimedUntil, stage },
    alert: { ...alert, createdAt: alertCreatedAt },
  };
}

/** Selects the state of every notification of these effects to one person. */
export const selectEffectStates = (
  accountId: string,
  accountUserId: string,
  rows: readonly DeferredRow[],
) =>
  select(
    {
      id: notifications.id,
      effectId: notifications.effectId,
      createdAt: notifications.createdAt,
      sentAt: notifications.sentAt,
      dueAt: notifications.dueAt,
      channel: sql<Contact["channel"]>`${notifications.channel}`,
      to: sql<string>`${notifications.to}`,
      status: notifications.status,
      providerId: notifications.providerId,
    },
    sql`from ${notificationsByOwner}
    where account_id = ${accountId} and account_user_id = ${accountUserId}
      and owner_id in (select value from json_each(${JSON.stringify(rows.map((it) => it.alert.id))}))
      and effect_id in (select value from json_each(${JSON.stringify(rows.map((it) => it.effectId))}))`,
  );
