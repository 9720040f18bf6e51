// Notifications: what a record shows (contract 2, Notifications). Addresses are masked for everyone
// but admins, in responses and in filters.
import type { MemberActor } from "../../domain/access/actor.ts";
import { maskedAddress } from "../../domain/people/masked-address.ts";
import { commonAttributes, instant, number, reference, string } from "../records/attributes.ts";
import type { Records } from "../records/records.ts";
import { alerts, alertWorkflows, notifications } from "../schema/alerts.ts";
import { broadcasts } from "../schema/messages.ts";
import { accountUsers } from "../schema/people.ts";

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
    from: notifications,
    accountId,
    id: notifications.id,
    prefixId: notifications.prefixId,
    attributes: {
      ...commonAttributes(notifications),
      alert_id: reference(notifications.alertId, accountId, alerts),
      broadcast_id: reference(notifications.broadcastId, accountId, broadcasts),
      workflow_id: reference(notifications.workflowId, accountId, alertWorkflows),
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
    total: "notifications",
  };
}
