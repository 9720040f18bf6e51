// Rows of outgoing integrations: which of them announce an account's events, their queued
// deliveries, and the results.
import { type SQL, sql } from "drizzle-orm";
import type { Announcement, AnnouncementTarget } from "../../domain/integrations/announcement.ts";
import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import type { RawRow } from "../records/attributes.ts";
import { logs, sublogs } from "../schema/alerts.ts";
import { deliveries, integrations } from "../schema/integrations.ts";
import { newIdentity } from "../shared/identifiers.ts";
import { receiversOfIntegration } from "./integration-rows.ts";

/** Selects the enabled integrations of these types in an account, for `toAnnouncementTarget`. */
export function selectAnnouncementTargets(accountId: string, types: readonly string[]): SQL {
  return sql`select ${integrations.id} as id, ${integrations.prefixId} as prefix_id,
      ${integrations.integrationType} as type, ${integrations.options} as options,
      ${receiversOfIntegration("team")} as team_ids,
      ${receiversOfIntegration("router")} as router_ids,
      ${receiversOfIntegration("account_user")} as account_user_ids
    from ${integrations} where ${integrations.accountId} = ${accountId}
      and ${integrations.enabled} = 1
      and ${integrations.integrationType} in (select value from json_each(${JSON.stringify(types)}))`;
}

const parseIds = (value: unknown) => JSON.parse(String(value)) as string[];

/** Converts a row of `selectAnnouncementTargets`. */
export function toAnnouncementTarget(row: RawRow): AnnouncementTarget {
  return {
    id: String(row.id),
    prefixId: String(row.prefix_id),
    type: String(row.type),
    options: JSON.parse(String(row.options)) as Record<string, unknown>,
    audience: {
      teamIds: parseIds(row.team_ids),
      routerIds: parseIds(row.router_ids),
      accountUserIds: parseIds(row.account_user_ids),
    },
  };
}

export type PlannedDelivery = {
  readonly integrationId: string;
  readonly announcement: Announcement;
};

/** The content stored in a delivery's row. */
type StoredContent = Pick<Announcement, "said" | "trail">;

/** Queues deliveries if `isThere`; existing ones, queued or finished, do not change. */
export function insertDeliveries(
  accountId: string,
  planned: readonly PlannedDelivery[],
  now: number,
  isThere: SQL = sql`true`,
): SQL {
  const rows = planned.map(({ integrationId, announcement }) => {
    const { effectId, event, alertId, lane, at, sequence, said, trail } = announcement;
    const { id, prefixId } = newIdentity("delivery", now);
    const content = { said, trail } satisfies StoredContent;
    return { id, prefixId, integrationId, effectId, event, alertId, lane, at, sequence, content };
  });
  return sql`insert into ${deliveries} (id, prefix_id, created_at, updated_at, account_id, integration_id,
      effect_id, event, alert_id, lane, happened_at, sequence, said, queued_at, next_at)
    select value->>'id', value->>'prefixId', ${now}, ${now}, ${accountId}, value->>'integrationId',
      value->>'effectId', value->>'event', value->>'alertId', value->>'lane', value->>'at',
      value->>'sequence', value->'content', ${now}, ${now}
    from json_each(${JSON.stringify(rows)})
    where value->>'integrationId' in (select ${integrations.id} from ${integrations}
      where ${integrations.accountId} = ${accountId}) and ${isThere}
    on conflict (integration_id, effect_id) do nothing`;
}

/** Selects the id of an integration's delivery for this effect. */
export const selectDelivery = (integrationId: string, effectId: string): SQL =>
  sql`select ${deliveries.id} as id from ${deliveries}
    where ${deliveries.integrationId} = ${integrationId} and ${deliveries.effectId} = ${effectId}`;

/** The configuration that sending needs. */
export type OutgoingIntegration = {
  readonly id: string;
  readonly accountId: string;
  readonly type: string;
  readonly enabled: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
};

/** `said` is missing only in rows not written by this service. */
export type WaitingDelivery = Partial<StoredContent> & {
  readonly id: string;
  readonly prefixId: string;
  readonly event: Announcement["event"];
  readonly happenedAt: number;
  readonly attempts: number;
  readonly tries: number;
  readonly queuedAt: number;
};

export const selectOutgoingIntegration = (prefixId: string): SQL =>
  sql`select ${integrations.id} as id, ${integrations.accountId} as account_id,
      ${integrations.integrationType} as type, ${integrations.enabled} as enabled,
      ${integrations.options} as options, ${integrations.secrets} as secrets
    from ${integrations} where ${integrations.prefixId} = ${prefixId}`;

export function toOutgoingIntegration(row: RawRow): OutgoingIntegration {
  return {
    id: String(row.id),
    accountId: String(row.account_id),
    type: String(row.type),
    enabled: row.enabled === 1,
    options: JSON.parse(String(row.options)) as Record<string, unknown>,
    secrets: JSON.parse(String(row.secrets)) as Record<string, string>,
  };
}

const ofIntegration = (prefixId: string) =>
  sql`integration_id = (select ${integrations.id} from ${integrations}
    where ${integrations.prefixId} = ${prefixId})`;

/** The first queued delivery of each ordering key (`lane`); later ones wait for it. */
const heads = (prefixId: string) => sql`${deliveries} as head where head.status = 'queued'
    and head.${ofIntegration(prefixId)}
    and not exists (select 1 from ${deliveries} as earlier where earlier.status = 'queued'
      and earlier.integration_id = head.integration_id and earlier.lane = head.lane
      and (earlier.happened_at, earlier.sequence) < (head.happened_at, head.sequence))`;

/** Selects an integration's due deliveries, the oldest first. */
export const selectDue = (prefixId: string, now: number, limit: number): SQL =>
  sql`select head.* from ${heads(prefixId)} and head.next_at <= ${now}
    order by head.next_at, head.id limit ${limit}`;

/** Selects when the next delivery is due, as `at`. */
export const selectNextDue = (prefixId: string): SQL =>
  sql`select min(head.next_at) as at from ${heads(prefixId)}`;

export function toWaitingDelivery(row: RawRow): WaitingDelivery {
  const content = JSON.parse(String(row.said)) as StoredContent;
  return {
    ...content,
    id: String(row.id),
    prefixId: String(row.prefix_id),
    event: row.event as WaitingDelivery["event"],
    happenedAt: Number(row.happened_at),
    attempts: Number(row.attempts),
    tries: Number(row.tries),
    queuedAt: Number(row.queued_at),
  };
}

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

/** Adds failed deliveries to the integration's log: one log per delivery, one step per failure. */
export function logFailures(
  { id, accountId }: Pick<OutgoingIntegration, "id" | "accountId">,
  failed: readonly AttemptedDelivery[],
): SQL[] {
  const rows = failed.map((it) => ({
    ...it,
    prefixId: prefixIdOf("log", it.id),
    message: `Not delivered after ${it.attempts} attempts: ${it.reason}`,
  }));
  const each = sql`json_each(${JSON.stringify(rows)})`;
  return [
    sql`insert into ${logs} (id, prefix_id, account_id, created_at, updated_at, owner_type, owner_id,
        level, message)
      select value->>'id', value->>'prefixId', ${accountId}, value->>'attemptedAt',
        value->>'attemptedAt', 'Integration', ${id}, 'error', value->>'message'
      from ${each} where true
      on conflict (id) do update set message = excluded.message, updated_at = excluded.updated_at`,
    sql`insert into ${sublogs} (account_id, log_id, sequence, time, level, message)
      select ${accountId}, value->>'id', value->>'attempts', value->>'attemptedAt', 'error',
        value->>'message' from ${each} where true on conflict do nothing`,
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
export const selectOverdueIntegrations = (before: number, limit: number): SQL =>
  sql`select distinct ${integrations.prefixId} as name from ${deliveries}
    join ${integrations} on ${integrations.id} = ${deliveries.integrationId}
    where ${deliveries.status} = 'queued' and ${deliveries.nextAt} < ${before} limit ${limit}`;

/** Queues a delivery again with fresh attempts, unless it was delivered. */
export const requeueDelivery = (id: string, now: number): SQL =>
  sql`update ${deliveries} set tries = iif(status = 'queued', tries, 0), next_at = ${now},
      queued_at = iif(status = 'queued', queued_at, ${now}), status = 'queued', failed_at = null,
      updated_at = ${now}
    where ${deliveries.id} = ${id} and ${deliveries.status} <> 'delivered'`;
