// Deferred notification rows of one person on one channel, sent as one message: claimed together,
// read with their alerts, and moved to another channel if this one fails.
import { type SQL, sql } from "drizzle-orm";
import type { AlertUrgency, PageEvent } from "../../domain/alerts/alert.ts";
import type { ReleaseMessage } from "../../domain/alerts/notifications/page.ts";
import type { Contact } from "../../domain/people/contact.ts";
import type { RawRow } from "../records/attributes.ts";
import { alerts, alertWorkflows, logs, notifications } from "../schema/alerts.ts";
import { teams } from "../schema/oncall.ts";
import { accountUsers, users } from "../schema/people.ts";
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
export function claimDeferred(message: ReleaseMessage, now: number): SQL {
  return sql`update ${notifications}
    set claimed_until = ${now + LEASE_MS}, attempts = attempts + 1, reason = null, updated_at = ${now}
    where ${due(message)} and ${isUnclaimed(now)} returning id`;
}

/** Selects the due rows, claimed or not. */
export const selectDeferred = (message: ReleaseMessage): SQL => selectRows(due(message));

/** Selects notifications of alerts by id, in the same form. */
export const selectDeferredByIds = (accountId: string, ids: readonly string[]): SQL =>
  selectRows(sql`${notifications.accountId} = ${accountId} and ${notifications.alertId} is not null
    and ${notifications.id} in (select value from json_each(${JSON.stringify(ids)}))`);

function selectRows(condition: SQL): SQL {
  return sql`select ${notifications.id} as id, ${notifications.effectId} as effect_id,
      ${notifications.to} as address, ${notifications.event} as event,
      ${notifications.workflowId} as workflow_id, ${notifications.layer} as layer,
      ${notifications.pass} as pass, ${notifications.createdAt} as at,
      ${notifications.attempts} as attempts, ${notifications.claimedUntil} as claimed_until,
      ${notifications.alertId} as alert_id, ${notifications.alertVersion} as version,
      ${alerts.title} as title, substr(${alerts.description}, 1, 2000) as description,
      ${alerts.urgency} as urgency, ${alerts.createdAt} as created_at,
      coalesce(${teams.name}, ${users.name}) as destination
    from ${notifications}
      left join ${alerts} on ${alerts.id} = ${notifications.alertId}
      left join ${alertWorkflows} on ${alertWorkflows.id} = ${notifications.workflowId}
      left join ${teams} on ${teams.id} = ${alertWorkflows.destinationId}
      left join ${accountUsers} on ${accountUsers.id} = ${alertWorkflows.destinationId}
      left join ${users} on ${users.id} = ${accountUsers.userId}
    where ${condition}`;
}

export function toDeferredRow(row: RawRow): DeferredRow {
  const orNull = (value: unknown) => (value === null ? null : Number(value));
  return {
    id: String(row.id),
    effectId: String(row.effect_id),
    to: String(row.address),
    event: row.event as PageEvent,
    workflowId: row.workflow_id === null ? null : String(row.workflow_id),
    layer: orNull(row.layer),
    pass: orNull(row.pass),
    at: Number(row.at),
    attempts: Number(row.attempts),
    claimedUntil: orNull(row.claimed_until),
    alert: {
      id: String(row.alert_id),
      version: Number(row.version ?? 0),
      title: String(row.title ?? "An alert"),
      description: row.description === null ? null : String(row.description),
      urgency: (row.urgency ?? "high") as AlertUrgency,
      createdAt: Number(row.created_at ?? row.at),
      destinationName: String(row.destination ?? ""),
    },
  };
}

/** Selects the state of every notification of these effects. */
export function selectEffectStates(accountId: string, rows: readonly DeferredRow[]): SQL {
  return sql`select effect_id, channel, "to" as address, status from ${notifications}
    where account_id = ${accountId}
      and alert_id in (select value from json_each(${JSON.stringify(rows.map((it) => it.alert.id))}))
      and effect_id in (select value from json_each(${JSON.stringify(rows.map((it) => it.effectId))}))`;
}

export const toContact = (row: RawRow) =>
  ({ channel: row.channel, to: String(row.address) }) as Contact;
