// The route of an alert's notifications: each attempt to reach a person on a channel (contract 2,
// Notifications). Those of broadcasts are with the broadcasts.
import { type SQL, sql } from "drizzle-orm";
import { listRecords, onRecord } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { many } from "../../../kernel/http/shown.ts";
import { alertRecords } from "../../alerts/alerts/alert-records.ts";
import { notifications } from "../../schema/alerts.ts";
import { notificationRecords } from "./rows.ts";

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
