// The notification rows of pages: planned, claimed with a lease, recorded. Every statement is
// guarded, so that copies of a queue message can run concurrently: a row is inserted once, and one
// copy claims it at a time.
import { type SQL, sql } from "drizzle-orm";
import type { PageMessage } from "../../domain/alerts/notifications/page.ts";
import type { Channel } from "../../domain/people/contact.ts";
import { type BUNDLES, messageTurns, notifications } from "../schema/alerts.ts";
import { returning, select } from "../shared/select.ts";

/** The lease on a claimed row (ms); longer than any provider may take to respond. */
export const LEASE_MS = 20_000;

/** The window for counting messages (ms); bundled ones are sent at its end. */
const TURN_MS = 30_000;

type BundleKind = (typeof BUNDLES)[number];

export type PlannedNotification = {
  readonly id: string;
  readonly prefixId: string;
  readonly message: PageMessage;
  /** The stage of the person's notification plan. */
  readonly stage: number;
  /** `none` where nothing is sent. */
  readonly channel: Channel | "none";
  readonly to: string | null;
  /** `queued`, or `failed` / `skipped` if there is nothing to send. */
  readonly status: "queued" | "failed" | "skipped";
  readonly reason: string | null;
  /** For a notification deferred from the start: its bundle, and when that is sent (epoch ms). */
  readonly aside: { readonly bundle: BundleKind; readonly dueAt: number } | null;
};

export type RecordedAttempt = {
  readonly id: string;
  readonly status: "queued" | "sent" | "failed";
  readonly reason: string | null;
  readonly providerId: string | null;
  /** For `queued`: not to be retried before (epoch ms). */
  readonly claimedUntil: number | null;
};

/** Inserts the rows that do not exist yet. */
export function insertPlanned(planned: readonly PlannedNotification[], now: number): SQL {
  const rows = planned.map(({ id, prefixId, message, ...row }) => ({
    id,
    prefixId,
    account: message.accountId,
    effect: message.page.effectId,
    alert: message.alert?.id ?? null,
    version: message.alert?.version ?? null,
    broadcast: message.notice?.broadcast?.id ?? null,
    workflow: message.page.workflowId,
    layer: message.page.layer,
    pass: message.page.pass,
    person: message.page.accountUserId,
    event: message.page.event,
    ...row,
  }));
  return sql`insert into ${notifications} (id, prefix_id, account_id, created_at, updated_at, effect_id,
      alert_id, alert_version, broadcast_id, workflow_id, layer, pass, account_user_id, channel, "to", event, stage, status,
      reason, bundle, due_at, failed_at)
    select value->>'id', value->>'prefixId', value->>'account', ${now}, ${now}, value->>'effect',
      value->>'alert', value->>'version', value->>'broadcast', value->>'workflow', value->>'layer', value->>'pass', value->>'person',
      value->>'channel', value->>'to', value->>'event', value->>'stage', value->>'status', value->>'reason',
      value->'aside'->>'bundle', value->'aside'->>'dueAt',
      case value->>'status' when 'failed' then ${now} end
    from json_each(${JSON.stringify(rows)}) where true on conflict do nothing`;
}

/** Skips unclaimed rows that wait for an attempt: the person need not be notified any more. */
export function skip(ids: readonly string[], reason: string, now: number): SQL {
  return sql`update ${notifications}
    set status = 'skipped', reason = ${reason}, claimed_until = null, updated_at = ${now}
    where id in (select value from json_each(${JSON.stringify(ids)})) and status = 'queued'
      and (reason is not null or coalesce(claimed_until, 0) <= ${now})`;
}

/** Not tried, not deferred. Only alerts are bundled: others have content of their own. */
const UNTRIED = sql`status = 'queued' and attempts = 0 and due_at is null and alert_id is not null`;

/** Counts the messages about to be sent per person and channel. */
export function countMessages(ids: readonly string[], now: number): SQL {
  const isExpired = sql`${messageTurns.since} <= ${now - TURN_MS}`;
  return sql`insert into ${messageTurns} (account_id, account_user_id, channel, since, count)
    select account_id, account_user_id, channel, ${now}, count(*) from ${notifications}
      where id in (select value from json_each(${JSON.stringify(ids)})) and ${UNTRIED} group by 1, 2, 3
    on conflict do update set count = iif(${isExpired}, excluded.count, ${messageTurns.count} + excluded.count),
      since = iif(${isExpired}, excluded.since, ${messageTurns.since})`;
}

/**
 * Defers messages over `most` per person and channel, to be sent as one message later.
 *
 * @param planned in the order in which they count
 */
export function deferExcess(
  planned: readonly PlannedNotification[],
  most: number,
  now: number,
): SQL {
  const counterKeyOf = ({ message, channel }: PlannedNotification) =>
    `${message.page.accountUserId}:${channel}`;
  const rows = planned.map((row, i) => ({
    id: row.id,
    after: planned.slice(i + 1).filter((other) => counterKeyOf(other) === counterKeyOf(row)).length,
  }));
  return sql`update ${notifications}
    set due_at = turn.since + ${TURN_MS}, bundle = 'burst', updated_at = ${now}
    from json_each(${JSON.stringify(rows)}) as it, ${messageTurns} as turn
    where ${notifications}.id = it.value->>'id' and ${notifications}.status = 'queued'
      and ${notifications}.attempts = 0 and ${notifications}.due_at is null
      and ${notifications}.alert_id is not null
      and turn.account_id = ${notifications}.account_id
      and turn.account_user_id = ${notifications}.account_user_id
      and turn.channel = ${notifications}.channel and turn.count - (it.value->>'after') > ${most}`;
}

/**
 * Claims unclaimed rows; returns their ids and numbers of attempts. A queued row with a reason
 * waits for its next attempt; a claimed one has no reason.
 */
export const claim = (ids: readonly string[], now: number) =>
  returning(
    sql`update ${notifications}
    set claimed_until = ${now + LEASE_MS}, attempts = attempts + 1, reason = null, updated_at = ${now}
    where id in (select value from json_each(${JSON.stringify(ids)})) and status = 'queued'
      and due_at is null and coalesce(claimed_until, 0) <= ${now}`,
    { id: notifications.id, attempts: notifications.attempts },
  );

const statusColumns = {
  id: notifications.id,
  status: notifications.status,
  reason: notifications.reason,
  claimedUntil: notifications.claimedUntil,
  dueAt: notifications.dueAt,
  bundle: notifications.bundle,
};

/** Selects the states of rows, with the ends of leases and deferrals. */
export const selectStatuses = (ids: readonly string[]) =>
  select(
    statusColumns,
    sql`from ${notifications} where id in (select value from json_each(${JSON.stringify(ids)}))`,
  );

/** Records the results of claimed rows. Rows that are already recorded do not change. */
export function recordAttempts(attempts: readonly RecordedAttempt[], now: number): SQL {
  return sql`update ${notifications} set status = it.value->>'status', reason = it.value->>'reason',
      provider_id = it.value->>'providerId', claimed_until = it.value->>'claimedUntil', updated_at = ${now},
      sent_at = case it.value->>'status' when 'sent' then ${now} end,
      failed_at = case it.value->>'status' when 'failed' then ${now} end
    from json_each(${JSON.stringify(attempts)}) as it
    where notifications.id = it.value->>'id' and notifications.status = 'queued'`;
}

/** Selects the states of one effect's notifications. */
export const selectEffect = (accountId: string, alertId: string | null, effectId: string) =>
  select(
    { id: notifications.id, status: notifications.status },
    sql`from ${notifications} where account_id = ${accountId}
    and alert_id is ${alertId} and effect_id = ${effectId}`,
  );
