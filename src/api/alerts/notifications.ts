// Notifications: each attempt to reach a person on a channel (contract 2, Notifications). Addresses
// are masked for everyone but admins, in responses and in filters.
import { type SQL, sql } from "drizzle-orm";
import { alertRecords } from "../../db/alerts/alert-rows.ts";
import {
  commonAttributes,
  instant,
  number,
  reference,
  string,
} from "../../db/records/attributes.ts";
import type { Records } from "../../db/records/records.ts";
import { alerts, alertWorkflows, notifications } from "../../db/schema/alerts.ts";
import { broadcasts } from "../../db/schema/messages.ts";
import { accountUsers } from "../../db/schema/people.ts";
import { maskedAddress } from "../../domain/people/masked-address.ts";
import { isRefusal } from "../../domain/shared/refusal.ts";
import { listRecords, pathIdentifier, readRoutes } from "../../http/records.ts";
import { type Asker, type DeclaredRoute, route } from "../../http/route.ts";
import { many } from "../../http/shown.ts";

// ── Shape ──

const address = (isAdmin: boolean) =>
  isAdmin
    ? string(notifications.to)
    : {
        ...string(notifications.to),
        show: (to: unknown) => maskedAddress(String(to)),
        unfiltered: true,
      };

// ── Rows ──

/** The records of notifications, limited to what the caller may see. */
export function notificationRecords({ actor }: Asker): Records<"Notification"> {
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

// ── Routes ──

export const notificationRoutes: readonly DeclaredRoute[] = [
  ...readRoutes("/notifications", "Notification", notificationRecords),
  route({
    method: "GET",
    path: "/alerts/:id/notifications",
    operation: "listAlertNotifications",
    summary: "List an alert's notifications",
    shows: many(notificationRecords),
    handle: async (request) => {
      const identifier = pathIdentifier(request, "alert");
      if (isRefusal(identifier)) return identifier;
      const below = {
        parent: alertRecords,
        identifier,
        scope: (alertId: SQL) => sql`${notifications.alertId} = (${alertId})`,
      };
      return listRecords(request, notificationRecords(request), { below });
    },
  }),
];
