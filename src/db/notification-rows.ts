// A page's notification rows: planned, claimed with a lease, recorded. All guarded, so that copies of a queue
// message may run side by side: a row is made once, and one copy at a time has it in hand.
import { type SQL, sql } from "drizzle-orm";
import type { PageMessage } from "../domain/page.ts";
import { alertWorkflows, notifications } from "./schema/alerts.ts";
import { accountUsers, userEmails, users } from "./schema/people.ts";

/** How long a consumer has a claimed row in hand; longer than any provider may take to answer. */
export const LEASE_MS = 20_000;

export type PlannedNotification = {
  readonly id: string;
  readonly prefixId: string;
  readonly message: PageMessage;
  readonly channel: string;
  readonly to: string | null;
  /** `queued`, or at once `failed` / `skipped` when there is nothing to send. */
  readonly status: "queued" | "failed" | "skipped";
  readonly reason: string | null;
};

export type RecordedAttempt = {
  readonly id: string;
  readonly status: "queued" | "sent" | "failed";
  readonly reason: string | null;
  readonly providerId: string | null;
  /** For `queued`: not to be tried again before (epoch ms). */
  readonly claimedUntil: number | null;
};

/**
 * The people of pages and how far their workflows are, one row per page (`effect_id`), in one statement.
 */
export function selectReachable(
  messages: readonly {
    readonly accountId: string;
    readonly page: Pick<PageMessage["page"], "effectId" | "accountUserId" | "workflowId">;
  }[],
): SQL {
  const asked = messages.map(({ accountId, page }) => ({
    effect: page.effectId,
    account: accountId,
    person: page.accountUserId,
    workflow: page.workflowId,
  }));
  const emails = sql`(select json_group_array(email order by "primary" desc, id) from ${userEmails}
    where ${userEmails.userId} = ${users.id} and ${userEmails.blockedAt} is null)`;
  return sql`select value->>'effect' as effect_id, ${users.name} as name, ${accountUsers.state} as state,
      ${emails} as emails, ${alertWorkflows.state} as workflow_state,
      ${alertWorkflows.version} as workflow_version
    from json_each(${JSON.stringify(asked)})
      left join ${accountUsers} on ${accountUsers.id} = value->>'person'
        and ${accountUsers.accountId} = value->>'account'
      left join ${users} on ${users.id} = ${accountUsers.userId}
      left join ${alertWorkflows} on ${alertWorkflows.id} = value->>'workflow'`;
}

/** Makes the rows that are not there yet. */
export function insertPlanned(planned: readonly PlannedNotification[], now: number): SQL {
  const rows = planned.map(({ id, prefixId, message, channel, to, status, reason }) => ({
    id,
    prefixId,
    account: message.accountId,
    effect: message.page.effectId,
    alert: message.alert?.id ?? null,
    workflow: message.page.workflowId,
    layer: message.page.layer,
    pass: message.page.pass,
    person: message.page.accountUserId,
    event: message.page.event,
    channel,
    to,
    status,
    reason,
  }));
  return sql`insert into ${notifications} (id, prefix_id, account_id, created_at, updated_at, effect_id,
      alert_id, workflow_id, layer, pass, account_user_id, channel, "to", event, status, reason, failed_at)
    select value->>'id', value->>'prefixId', value->>'account', ${now}, ${now}, value->>'effect',
      value->>'alert', value->>'workflow', value->>'layer', value->>'pass', value->>'person',
      value->>'channel', value->>'to', value->>'event', value->>'status', value->>'reason',
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

/**
 * Takes the rows in hand that nobody else has; returns their ids and how often each was tried. A queued row with a
 * reason waits for its next attempt; one in hand has none.
 */
export function claim(ids: readonly string[], now: number): SQL {
  return sql`update ${notifications}
    set claimed_until = ${now + LEASE_MS}, attempts = attempts + 1, reason = null, updated_at = ${now}
    where id in (select value from json_each(${JSON.stringify(ids)})) and status = 'queued'
      and coalesce(claimed_until, 0) <= ${now}
    returning id, attempts`;
}

/** How rows stand, and until when a queued one is in somebody's hand. */
export function selectStatuses(ids: readonly string[]): SQL {
  return sql`select id, status, reason, claimed_until from ${notifications}
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
