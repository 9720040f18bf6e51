// Notifications: what a record shows (contract 2, Notifications). Addresses are masked for everyone
// but admins, in responses and in filters.
import { sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { maskedAddress } from "../../../domain/people/masked-address.ts";
import { hash, instant, number, reference, string } from "../../../kernel/db/attributes.ts";
import { prefixIdFrom } from "../../../kernel/db/prefix-id.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { alerts, notifications, notificationsByOwner } from "../../schema/alerts.ts";
import { broadcasts } from "../../schema/messages.ts";
import { accountUsers } from "../../schema/people.ts";

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
