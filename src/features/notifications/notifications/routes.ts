// The routes of the notifications of an alert, a broadcast and an absence: each attempt to reach a person on a channel
// (contract 2, Notifications).
import { type SQL, sql } from "drizzle-orm";
import { listRecords, onRecord } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { many } from "../../../kernel/http/shown.ts";
import { alertRecords } from "../../alerts/alerts/alert-records.ts";
import { broadcastRecords } from "../../broadcasts/broadcasts/rows.ts";
import { absenceRecords } from "../../oncall/absences/absence-rows.ts";
import { notifications } from "../../schema/alerts.ts";
import { notificationRecords } from "./rows.ts";

const ofOwner = (id: SQL) => sql`${notifications.ownerId} = (${id})`;

export const notificationRoutes = [
  route({
    method: "GET",
    path: "/alerts/:id/notifications",
    operation: "listAlertNotifications",
    allow: "everyone",
    summary: "List an alert's notifications",
    shows: many(notificationRecords),
    handle: onRecord("alert", (request, identifier) => {
      const below = { parent: alertRecords, identifier, scope: ofOwner };
      return listRecords(request, notificationRecords(request), { below });
    }),
  }),
  route({
    method: "GET",
    path: "/broadcasts/:id/notifications",
    operation: "listBroadcastNotifications",
    allow: "everyone",
    summary: "List a broadcast's notifications",
    shows: many(notificationRecords),
    handle: onRecord("broadcast", (request, identifier) => {
      const below = { parent: broadcastRecords, identifier, scope: ofOwner };
      return listRecords(request, notificationRecords(request), { below });
    }),
  }),
  route({
    method: "GET",
    path: "/absences/:id/notifications",
    operation: "listAbsenceNotifications",
    allow: "everyone",
    summary: "List an absence's notifications",
    shows: many(notificationRecords),
    handle: onRecord("absence", (request, identifier) => {
      const below = { parent: absenceRecords(request), identifier, scope: ofOwner };
      return listRecords(request, notificationRecords(request), { below });
    }),
  }),
];
