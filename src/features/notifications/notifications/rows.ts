// Notifications: what a record shows (contract 2, Notifications). Addresses are masked for everyone
// but admins, in responses and in filters.
import { type SQL, sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { NotificationKey, PageMessage } from "../../../domain/notifications/page.ts";
import type { Channel } from "../../../domain/people/contact.ts";
import { maskedAddress } from "../../../domain/people/masked-address.ts";
import { hash, instant, number, reference, string } from "../../../kernel/db/attributes.ts";
import { prefixIdFrom } from "../../../kernel/db/prefix-id.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { mapped, returning, type Select, select } from "../../../kernel/db/select.ts";
import { hasKeyIn, isUnclaimed, LEASE_MS } from "../../people/channels/attempt-rows.ts";
import { alerts, type BUNDLES, notifications, notificationsByOwner } from "../../schema/alerts.ts";
import { broadcasts } from "../../schema/messages.ts";
import { accountUsers } from "../../schema/people.ts";
import { withBurstTimes } from "../pages/message-limit.ts";

/** Nobody can set it. */
const meta = sql<Record<string, unknown>>`'{}'`;
const prefixId = prefixIdFrom("notification", notifications.id);

const address = (isAdmin: boolean) =>
  isAdmin
    ? string(notifications.to)
    : {
        ...string(notifications.to),
        show: (to: unknown) => maskedAddress(String(to)),
        unfiltered: true,
      };

/** The records of notifications, limited to what the reader may see. */
export function notificationRecords({
  actor,
}: {
  readonly actor: Pick<MemberActor, "roles">;
}): Records<"Notification"> {
  const { accountId } = notifications;
  return {
    kind: "notification",
    shows: "Notification",
    from: notificationsByOwner,
    accountId,
    id: notifications.id,
    prefixId,
    attributes: {
      id: string(notifications.id),
      prefix_id: string(prefixId),
      account_id: string(accountId),
      created_at: instant(notifications.createdAt),
      updated_at: instant(notifications.updatedAt),
      meta: hash(meta),
      alert_id: reference(notifications.alertId, accountId, alerts),
      broadcast_id: reference(notifications.broadcastId, accountId, broadcasts),
      workflow_id: string(notifications.workflowId),
      account_user_id: reference(notifications.accountUserId, accountId, accountUsers),
      layer: number(notifications.layer),
      pass: number(notifications.pass),
      channel: string(notifications.channel),
      to: address(actor.roles.admin),
      event: string(notifications.event),
      status: string(notifications.status),
      reason: string(notifications.reason),
      provider_id: string(notifications.providerId),
      attempts: number(notifications.attempts),
      queued_at: instant(notifications.createdAt),
      sent_at: instant(notifications.sentAt),
      delivered_at: instant(notifications.deliveredAt),
      failed_at: instant(notifications.failedAt),
    },
    search: [],
  };
}

// The notification rows of pages: planned, claimed with a lease, recorded. Every statement is
// guarded, so that copies of a queue message can run concurrently: a row is inserted once, and one
// copy claims it at a time. A page costs three rows: it is inserted claimed, in its table and one
// index, and its attempt is recorded.

type BundleKind = (typeof BUNDLES)[number];

export type PlannedNotification = {
  readonly id: string;
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

export const keyOf = ({ id, message }: PlannedNotification): NotificationKey => ({
  accountId: message.accountId,
  accountUserId: message.page.accountUserId,
  id,
});

/** An effect as stored: without the owner's id in front of it. */
const effectOf = (ownerId: string, effectId: string) =>
  ownerId !== "" && effectId.startsWith(`${ownerId}:`) ? effectId.slice(ownerId.length) : effectId;

/** The id of the alert, the broadcast, the request for cover or the standby's question; empty for other notices. */
const ownerOf = ({ alert, notice }: Pick<PageMessage, "alert" | "notice">) =>
  alert?.id ?? notice?.broadcast?.id ?? notice?.coverRequest?.id ?? notice?.standby?.id ?? "";

const writtenColumns = {
  id: notifications.id,
  attempts: notifications.attempts,
  status: notifications.status,
  dueAt: notifications.dueAt,
};

/**
 * Inserts the rows that do not exist yet, and claims those to be sent: new ones, and existing ones
 * that nobody has claimed. Returns the rows that it wrote, and whether they are to be sent now. A
 * queued row with a reason waits for its next attempt; a claimed one has no reason.
 *
 * @param planned in the order in which they count against the limit
 * @param most messages per person and channel in a short time: more are deferred and sent as one; 0
 *   = no limit. Only alerts are bundled: others have content of their own
 */
export function claimPlanned(
  planned: readonly PlannedNotification[],
  most: number,
  now: number,
): Select<{ readonly id: string; readonly attempts: number; readonly isClaimed: boolean }> {
  const rows = planned.map((it) => {
    const { message, aside, ...row } = it;
    const { page, alert } = message;
    const owner = ownerOf(message);
    return {
      ...{ ...keyOf(it), owner, effect: effectOf(owner, page.effectId) },
      ...{ version: alert?.version ?? null, workflow: page.workflowId },
      ...{ layer: page.layer, pass: page.pass, event: page.event },
      ...{ ...row, bundle: aside?.bundle ?? null, dueAt: aside?.dueAt ?? null },
      urgency: alert?.urgency ?? null,
      isImmediate: row.status === "queued" && aside === null,
    };
  });
  const isSentNow = sql`value->>'status' = 'queued' and coalesce(value->>'dueAt', burst_at) is null`;
  const write = sql`${withBurstTimes(rows, most, now)}
    insert into ${notifications} (account_id, account_user_id, id, owner_id, created_at, updated_at,
      effect, alert_version, workflow_id, layer, pass, channel, "to", event, stage, status, reason,
      bundle, due_at, failed_at, attempts, claimed_until)
    select value->>'accountId', value->>'accountUserId', value->>'id', value->>'owner', ${now}, ${now},
      value->>'effect', value->>'version', value->>'workflow', value->>'layer', value->>'pass',
      value->>'channel', value->>'to', value->>'event', value->>'stage', value->>'status', value->>'reason',
      coalesce(value->>'bundle', iif(burst_at is null, null, 'burst')), coalesce(value->>'dueAt', burst_at),
      iif(value->>'status' = 'failed', ${now}, null), iif(${isSentNow}, 1, 0),
      iif(${isSentNow}, ${now + LEASE_MS}, null)
    from planned where true
    on conflict (account_id, account_user_id, id) do update
      set claimed_until = ${now + LEASE_MS}, attempts = attempts + 1, reason = null, updated_at = ${now}
      where excluded.status = 'queued' and ${isUnclaimed(now)}`;
  return mapped(returning(write, writtenColumns), ({ id, attempts, status, dueAt }) => ({
    ...{ id, attempts, isClaimed: status === "queued" && dueAt === null },
  }));
}

/** Skips unclaimed rows that wait for an attempt: the person need not be notified any more. */
export function skip(keys: readonly NotificationKey[], reason: string, now: number): SQL {
  return sql`update ${notifications}
    set status = 'skipped', reason = ${reason}, claimed_until = null, updated_at = ${now}
    where ${hasKeyIn(keys)} and status = 'queued'
      and (reason is not null or coalesce(claimed_until, 0) <= ${now})`;
}

const statusColumns = {
  id: notifications.id,
  status: notifications.status,
  reason: notifications.reason,
  claimedUntil: notifications.claimedUntil,
  dueAt: notifications.dueAt,
  sentAt: notifications.sentAt,
  bundle: notifications.bundle,
};

/** Selects the states of rows, with the ends of leases and deferrals. */
export const selectStatuses = (keys: readonly NotificationKey[]) =>
  select(statusColumns, sql`from ${notifications} where ${hasKeyIn(keys)}`);

/** Selects the keys and states of one effect's notifications. */
export const selectEffect = (message: PageMessage) =>
  select(
    {
      accountId: notifications.accountId,
      accountUserId: notifications.accountUserId,
      id: notifications.id,
      status: notifications.status,
    },
    sql`from ${notificationsByOwner} where account_id = ${message.accountId}
      and owner_id = ${ownerOf(message)} and account_user_id = ${message.page.accountUserId}
      and effect_id = ${message.page.effectId}`,
  );
