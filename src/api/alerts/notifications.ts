// The route of an alert's notifications: each attempt to reach a person on a channel (contract 2,
// Notifications). Those of broadcasts are with the broadcasts.
import { type SQL, sql } from "drizzle-orm";
import { alertRecords } from "../../db/alerts/alert-records.ts";
import { notificationRecords } from "../../db/alerts/notifications/notification-records.ts";
import { notifications } from "../../db/schema/alerts.ts";
import { listRecords, onRecord } from "../../http/records.ts";
import { route } from "../../http/route.ts";
import { many } from "../../http/shown.ts";

export const notificationRoutes = [
  route({
    method: "GET",
    path: "/alerts/:id/notifications",
    operation: "listAlertNotifications",
    allow: "everyone",
    summary: "List an alert's notifications",
    shows: many(notificationRecords),
    handle: onRecord("alert", (request, identifier) => {
      const scope = (alertId: SQL) => sql`${notifications.ownerId} = (${alertId})`;
      const below = { parent: alertRecords, identifier, scope };
      return listRecords(request, notificationRecords(request), { below });
    }),
  }),
];
