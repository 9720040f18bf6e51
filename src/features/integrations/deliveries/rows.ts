// Deliveries, the messages of outgoing integrations: what a record shows, and what a retry reads.
// The body that the receiver got is never shown.

import { type SQL, sql } from "drizzle-orm";
import type { Announcement } from "../../../domain/integrations/announcement.ts";
import { counted } from "../../../domain/shared/counted.ts";
import { type Identifier, instantOfId } from "../../../domain/shared/identifiers.ts";
import {
  commonAttributes,
  instant,
  number,
  reference,
  string,
} from "../../../kernel/db/attributes.ts";
import { type Connection, statement } from "../../../kernel/db/database.ts";
import { foldTotal } from "../../../kernel/db/folded-totals.ts";
import { oneRecord, type Records } from "../../../kernel/db/records.ts";
import { first, parsed, type RowOf, type Select, select } from "../../../kernel/db/select.ts";
import type { StoredContent } from "../../outgoing/delivery-rows.ts";
import { alerts, logs } from "../../schema/alerts.ts";
import { chatMessages, deliveries, integrations } from "../../schema/integrations.ts";

// Rows of apps in chats: the message of an alert in each channel.

/** Reads the message that an integration posted for an alert; null without one. */
export const readChatMessage = (
  db: Connection,
  accountId: string,
  integrationId: string,
  alertId: string,
) =>
  first(
    db,
    select(
      { channel: chatMessages.channel, messageId: chatMessages.messageId },
      sql`from ${chatMessages} where ${chatMessages.accountId} = ${accountId}
        and ${chatMessages.alertId} = ${alertId}
        and ${chatMessages.integrationId} = ${integrationId}`,
    ),
  );

/**
 * Reads the alert that a message is about, and the integration that posted it; null if it is none.
 *
 * @param messageId null where each message has a channel of its own
 */
export const readAlertOfMessage = (
  db: Connection,
  accountId: string,
  channel: string,
  messageId: string | null,
) =>
  first(
    db,
    select(
      { alertId: chatMessages.alertId, integrationId: chatMessages.integrationId },
      sql`from ${chatMessages} where ${chatMessages.accountId} = ${accountId}
        and ${chatMessages.channel} = ${channel}
        and ${messageId === null ? sql`true` : sql`${chatMessages.messageId} = ${messageId}`}
        limit 1`,
    ),
  );

type NewMessage = {
  readonly accountId: string;
  readonly integrationId: string;
  readonly alertId: string;
  readonly channel: string;
  readonly messageId: string;
};

/** Stores the message of an alert, in place of an earlier one. */
export async function storeChatMessage(db: Connection, message: NewMessage): Promise<void> {
  const { accountId, integrationId, alertId, channel, messageId } = message;
  const query: SQL = sql`insert into ${chatMessages}
      (account_id, integration_id, alert_id, channel, message_id)
    values (${accountId}, ${integrationId}, ${alertId}, ${channel}, ${messageId})
    on conflict (account_id, alert_id, integration_id)
      do update set channel = excluded.channel, message_id = excluded.message_id`;
  await statement(db, query).run();
}

export const deliveryRecords: Records<"Delivery"> = {
  kind: "delivery",
  shows: "Delivery",
  from: deliveries,
  accountId: deliveries.accountId,
  id: deliveries.id,
  prefixId: deliveries.prefixId,
  attributes: {
    ...commonAttributes(deliveries),
    integration_id: reference(deliveries.integrationId, deliveries.accountId, integrations),
    alert_id: reference(deliveries.alertId, deliveries.accountId, alerts),
    event: string(deliveries.event),
    status: string(deliveries.status),
    attempts: number(deliveries.attempts),
    response_code: number(deliveries.responseCode),
    reason: string(deliveries.reason),
    queued_at: instant(deliveries.queuedAt),
    attempted_at: instant(deliveries.attemptedAt),
    next_attempt_at: instant(deliveries.nextAt),
    delivered_at: instant(deliveries.deliveredAt),
    failed_at: instant(deliveries.failedAt),
  },
  search: [],
  total: "deliveries",
};

/** A stored delivery with its integration, as a retry reads it. */
export const selectStoredDelivery = (accountId: string, identifier: Identifier) =>
  select(
    {
      id: deliveries.id,
      status: deliveries.status,
      integrationPrefixId: integrations.prefixId,
      integrationEnabled: integrations.enabled,
    },
    sql`from ${deliveries} join ${integrations} on ${integrations.id} = ${deliveries.integrationId}
      where ${oneRecord(deliveries, accountId, identifier)}`,
  );

// Rows of outgoing integrations: which of them announce an account's events, their queued
// deliveries, and the results.

const outgoingColumns = {
  id: integrations.id,
  accountId: integrations.accountId,
  type: integrations.integrationType,
  enabled: integrations.enabled,
  options: integrations.options,
  secrets: parsed<Readonly<Record<string, string>>>(integrations.secrets),
};

/** The configuration that sending needs. */
export type OutgoingIntegration = RowOf<typeof outgoingColumns>;

export const selectOutgoingIntegration = (prefixId: string): Select<OutgoingIntegration> =>
  select(outgoingColumns, sql`from ${integrations} where ${integrations.prefixId} = ${prefixId}`);

const waitingColumns = {
  id: deliveries.id,
  prefixId: deliveries.prefixId,
  event: sql<Announcement["event"]>`${deliveries.event}`,
  /** Empty only in rows not written by this service. */
  content: parsed<Partial<StoredContent>>(deliveries.said),
  happenedAt: deliveries.happenedAt,
  attempts: deliveries.attempts,
  tries: deliveries.tries,
  queuedAt: deliveries.queuedAt,
};

export type WaitingDelivery = RowOf<typeof waitingColumns>;

/** The first queued delivery of each ordering key (`lane`); later ones wait for it. */
const heads = (prefixId: string) => sql`from ${deliveries}
  where ${deliveries.status} = 'queued'
    and ${deliveries.integrationId} = (select ${integrations.id} from ${integrations}
      where ${integrations.prefixId} = ${prefixId})
    and not exists (select 1 from ${deliveries} as earlier where earlier.status = 'queued'
      and earlier.integration_id = ${deliveries.integrationId}
      and earlier.lane = ${deliveries.lane}
      and (earlier.happened_at, earlier.sequence) < (${deliveries.happenedAt}, ${deliveries.sequence}))`;

/** Selects an integration's due deliveries, the oldest first. */
export const selectDue = (prefixId: string, now: number, limit: number): Select<WaitingDelivery> =>
  select(
    waitingColumns,
    sql`${heads(prefixId)} and ${deliveries.nextAt} <= ${now}
      order by ${deliveries.nextAt}, ${deliveries.id} limit ${limit}`,
  );

/** Selects when the next delivery is due (epoch ms), as `at`. */
export const selectNextDue = (prefixId: string) =>
  select({ at: sql<number | null>`min(${deliveries.nextAt})` }, heads(prefixId));

/** The result of an attempt. */
export type AttemptedDelivery = {
  readonly id: string;
  readonly status: "queued" | "delivered" | "failed";
  readonly attempts: number;
  readonly tries: number;
  readonly attemptedAt: number;
  /** When it is retried (epoch ms); null = not automatically. */
  readonly nextAt: number | null;
  readonly responseCode: number | null;
  readonly reason: string | null;
};

/** Records attempts. A cancelled delivery stays cancelled unless it was delivered. */
export function recordDeliveries(attempted: readonly AttemptedDelivery[]): SQL {
  return sql`update ${deliveries} set status = it.value->>'status', attempts = it.value->>'attempts',
      tries = it.value->>'tries', attempted_at = it.value->>'attemptedAt',
      next_at = it.value->>'nextAt', response_code = it.value->>'responseCode',
      reason = it.value->>'reason', updated_at = it.value->>'attemptedAt',
      delivered_at = iif(it.value->>'status' = 'delivered', it.value->>'attemptedAt', null),
      failed_at = iif(it.value->>'status' = 'failed', it.value->>'attemptedAt', null),
      said = iif(it.value->>'status' = 'delivered', '{}', said)
    from json_each(${JSON.stringify(attempted)}) as it
    where ${deliveries.id} = it.value->>'id'
      and (${deliveries.status} = 'queued' or it.value->>'status' = 'delivered')`;
}

/**
 * Adds failed deliveries to the integration's log: one log per delivery, one step per failure,
 * which its instant identifies.
 */
export function logFailures(
  { id, accountId }: Pick<OutgoingIntegration, "id" | "accountId">,
  failed: readonly AttemptedDelivery[],
): SQL[] {
  const rows = failed.map((it) => ({
    ...it,
    createdAt: instantOfId(it.id),
    message: `Not delivered after ${counted(it.attempts, "attempt")}: ${it.reason}`,
  }));
  const isAdded = sql`exists (select 1 from json_each(logs.steps)
    where value ->> 0 = excluded.steps ->> '$[0][0]')`;
  return [
    sql`insert into ${logs} (id, account_id, created_at, updated_at, owner_type, owner_id,
        level, message, steps)
      select value->>'id', ${accountId}, value->>'createdAt',
        value->>'attemptedAt', 'Integration', ${id}, 'error', value->>'message',
        json_array(json_array(value->>'attemptedAt', 'error', value->>'message'))
      from json_each(${JSON.stringify(rows)}) where true
      on conflict (account_id, id) do update set message = excluded.message,
        updated_at = excluded.updated_at,
        steps = json_insert(logs.steps, '$[#]', excluded.steps -> '$[0]')
      where not ${isAdded}`,
    foldTotal(logs, accountId, Math.max(...failed.map((it) => it.attemptedAt))),
  ];
}

/** Cancels the queued deliveries of an integration. */
export function cancelDeliveries(integrationId: string, reason: string, now: number): SQL {
  return sql`update ${deliveries} set status = 'cancelled', reason = ${reason}, next_at = null,
      updated_at = ${now}
    where integration_id = ${integrationId} and status = 'queued'`;
}

/** Disables an integration whose receiver is gone; a user can enable it again. */
export function disableIntegration(integrationId: string, now: number): SQL {
  return sql`update ${integrations} set enabled = 0, updated_at = max(updated_at + 1, ${now})
    where id = ${integrationId} and enabled = 1`;
}

/** Selects the integrations with overdue deliveries, by name. */
export const selectOverdueIntegrations = (before: number, limit: number) =>
  select(
    { name: integrations.prefixId },
    sql`from ${deliveries}
      join ${integrations} on ${integrations.id} = ${deliveries.integrationId}
      where ${deliveries.status} = 'queued' and ${deliveries.nextAt} < ${before}
      group by ${integrations.prefixId} limit ${limit}`,
  );

/** Queues a delivery again with fresh attempts, unless it was delivered. */
export const requeueDelivery = (id: string, now: number): SQL =>
  sql`update ${deliveries} set tries = iif(status = 'queued', tries, 0), next_at = ${now},
      queued_at = iif(status = 'queued', queued_at, ${now}), status = 'queued', failed_at = null,
      updated_at = ${now}
    where ${deliveries.id} = ${id} and ${deliveries.status} <> 'delivered'`;
