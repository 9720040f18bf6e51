// A page's notification rows: planned, claimed with a lease, recorded. All guarded, so that copies of a queue
// message may run side by side: a row is made once, and one copy at a time has it in hand.
import { type SQL, sql } from "drizzle-orm";
import type { PageMessage } from "../domain/page.ts";
import { type BUNDLES, messageTurns, notifications } from "./schema/alerts.ts";

/** How long a consumer has a claimed row in hand; longer than any provider may take to answer. */
export const LEASE_MS = 20_000;

/** Messages are counted per person and channel for this long (ms); what is bundled goes out at its end. */
const TURN_MS = 30_000;

type BundleKind = (typeof BUNDLES)[number];

export type PlannedNotification = {
  readonly id: string;
  readonly prefixId: string;
  readonly message: PageMessage;
  /** The stage of the person's plan that it is part of. */
  readonly stage: number;
  readonly channel: string;
  readonly to: string | null;
  /** `queued`, or at once `failed` / `skipped` when there is nothing to send. */
  readonly status: "queued" | "failed" | "skipped";
  readonly reason: string | null;
  /** For what is put aside from the start: what it is sent with, and when (epoch ms). */
  readonly aside: { readonly bundle: BundleKind; readonly dueAt: number } | null;
};

export type RecordedAttempt = {
  readonly id: string;
  readonly status: "queued" | "sent" | "failed";
  readonly reason: string | null;
  readonly providerId: string | null;
  /** For `queued`: not to be tried again before (epoch ms). */
  readonly claimedUntil: number | null;
};

/** Makes the rows that are not there yet. */
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

/** Ends rows that wait to be tried (again), and are in nobody's hand: nobody is to be reached any more. */
export function skip(ids: readonly string[], reason: string, now: number): SQL {
  return sql`update ${notifications}
    set status = 'skipped', reason = ${reason}, claimed_until = null, updated_at = ${now}
    where id in (select value from json_each(${JSON.stringify(ids)})) and status = 'queued'
      and (reason is not null or coalesce(claimed_until, 0) <= ${now})`;
}

/** Never tried, and not put aside. What is no alert's is never bundled: it says something of its own. */
const FRESH = sql`status = 'queued' and attempts = 0 and due_at is null and alert_id is not null`;

/** Counts the messages that are about to go to each person on each channel. */
export function takeTurns(ids: readonly string[], now: number): SQL {
  const over = sql`${messageTurns.since} <= ${now - TURN_MS}`;
  return sql`insert into ${messageTurns} (account_id, account_user_id, channel, since, count)
    select account_id, account_user_id, channel, ${now}, count(*) from ${notifications}
      where id in (select value from json_each(${JSON.stringify(ids)})) and ${FRESH} group by 1, 2, 3
    on conflict do update set count = iif(${over}, excluded.count, ${messageTurns.count} + excluded.count),
      since = iif(${over}, excluded.since, ${messageTurns.since})`;
}

/**
 * Puts aside what is more than `most` messages to one person on one channel: it is sent as one, later.
 *
 * @param planned in the order they are to have their turns
 */
export function putAside(planned: readonly PlannedNotification[], most: number, now: number): SQL {
  const laneOf = ({ message, channel }: PlannedNotification) =>
    `${message.page.accountUserId}:${channel}`;
  const rows = planned.map((row, i) => ({
    id: row.id,
    after: planned.slice(i + 1).filter((other) => laneOf(other) === laneOf(row)).length,
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
 * Takes the rows in hand that nobody else has; returns their ids and how often each was tried. A queued row with a
 * reason waits for its next attempt; one in hand has none.
 */
export function claim(ids: readonly string[], now: number): SQL {
  return sql`update ${notifications}
    set claimed_until = ${now + LEASE_MS}, attempts = attempts + 1, reason = null, updated_at = ${now}
    where id in (select value from json_each(${JSON.stringify(ids)})) and status = 'queued'
      and due_at is null and coalesce(claimed_until, 0) <= ${now}
    returning id, attempts`;
}

/** How rows stand, and until when a queued one is in somebody's hand, or put aside. */
export function selectStatuses(ids: readonly string[]): SQL {
  return sql`select id, status, reason, claimed_until, due_at, bundle from ${notifications}
    where id in (select value from json_each(${JSON.stringify(ids)}))`;
}

/** Records what became of claimed rows. A row that has been recorded already stays as it is. */
export function recordAttempts(attempts: readonly RecordedAttempt[], now: number): SQL {
  return sql`update ${notifications} set status = it.value->>'status', reason = it.value->>'reason',
      provider_id = it.value->>'providerId', claimed_until = it.value->>'claimedUntil', updated_at = ${now},
      sent_at = case it.value->>'status' when 'sent' then ${now} end,
      failed_at = case it.value->>'status' when 'failed' then ${now} end
    from json_each(${JSON.stringify(attempts)}) as it
    where notifications.id = it.value->>'id' and notifications.status = 'queued'`;
}

/** How the attempts of one effect stand. */
export function selectEffect(accountId: string, alertId: string | null, effectId: string): SQL {
  return sql`select id, status from ${notifications} where account_id = ${accountId}
    and alert_id is ${alertId} and effect_id = ${effectId}`;
}
