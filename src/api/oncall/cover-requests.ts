// The routes of requests for cover: a person asks others to be on call instead of them (contract 2,
// Cover requests).
import { type SQL, sql } from "drizzle-orm";
import {
  CreateCoverRequest,
  UpdateCoverRequest,
} from "../../contract/oncall/requests/cover-request-parameters.ts";
import { notificationRecords } from "../../db/alerts/notifications/notification-records.ts";
import { coverRequestRecords } from "../../db/oncall/requests/request-records.ts";
import { notifications } from "../../db/schema/alerts.ts";
import { created, found } from "../../http/answers.ts";
import { listRecords, onRecord } from "../../http/records.ts";
import { type DeclaredRoute, route, updateRoutes } from "../../http/route.ts";
import { made, many, one } from "../../http/shown.ts";
import { acceptCoverRequest } from "../../services/oncall/requests/accept-cover-request.ts";
import {
  cancelCoverRequest,
  declineCoverRequest,
  updateCoverRequest,
} from "../../services/oncall/requests/answer-cover-request.ts";
import { createCoverRequest } from "../../services/oncall/requests/create-cover-request.ts";
import { readCoverRequest } from "../../services/oncall/requests/read-cover-request.ts";
import {
  askedFaults,
  hoursFaults,
  referencesOf,
} from "../../services/oncall/requests/request-faults.ts";
import { withPreview } from "./with-preview.ts";

const routes: readonly DeclaredRoute[] = [
  route({
    method: "GET",
    path: "/cover_requests",
    operation: "listCoverRequests",
    summary: "List cover requests",
    shows: many(coverRequestRecords),
    handle: (request) => listRecords(request, coverRequestRecords),
  }),
  route({
    method: "GET",
    path: "/cover_requests/:id",
    operation: "getCoverRequest",
    summary: "Get a cover request",
    shows: one(coverRequestRecords, "CoverRequestWithHours"),
    handle: onRecord("cover_request", async (request, identifier) =>
      found(await readCoverRequest(request, identifier)),
    ),
  }),
  route({
    method: "GET",
    path: "/cover_requests/:id/notifications",
    operation: "listCoverRequestNotifications",
    summary: "List a cover request's notifications",
    shows: many(notificationRecords),
    handle: onRecord("cover_request", (request, identifier) => {
      const scope = (requestId: SQL) => sql`${notifications.ownerId} = (${requestId})`;
      const below = { parent: coverRequestRecords, identifier, scope };
      return listRecords(request, notificationRecords(request), { below });
    }),
  }),
  route({
    method: "POST",
    path: "/cover_requests",
    operation: "createCoverRequest",
    summary: "Ask for cover or a swap",
    description:
      "Asks people to be on call instead of a person; the first who accepts is. With `in_return`, a swap. The preview shows what happens if the first of the people who are asked accepts.",
    shows: made(coverRequestRecords),
    previews: true,
    body: CreateCoverRequest,
    furtherChecks: (body, { now }) => ({
      faults: [...hoursFaults(body, now), ...askedFaults(body)],
      references: referencesOf(body),
    }),
    handle: async (request) =>
      created(await createCoverRequest(request, request.recordId, request.body)),
  }),
  ...updateRoutes({
    path: "/cover_requests/:id",
    operation: "updateCoverRequest",
    summary: "Update a cover request",
    description: "Only while it is open. Nobody is notified of the change.",
    shows: one(coverRequestRecords),
    body: UpdateCoverRequest,
    handle: onRecord("cover_request", async (request, identifier) =>
      found(await updateCoverRequest(request, identifier, request.body)),
    ),
  }),
  route({
    method: "POST",
    path: "/cover_requests/:id/accept",
    operation: "acceptCoverRequest",
    summary: "Accept a cover request",
    description:
      "Puts the caller on call instead, by a cover; of a swap, by two. Only the first who accepts gets it.",
    shows: one(coverRequestRecords),
    previews: true,
    refuses: ["forbidden", "conflict"],
    handle: onRecord("cover_request", async (request, identifier) =>
      found(await acceptCoverRequest(request, identifier)),
    ),
  }),
  route({
    method: "POST",
    path: "/cover_requests/:id/decline",
    operation: "declineCoverRequest",
    summary: "Decline a cover request",
    description: "While the request is open, a person who has declined may still accept.",
    shows: one(coverRequestRecords),
    refuses: ["forbidden", "conflict"],
    handle: onRecord("cover_request", async (request, identifier) =>
      found(await declineCoverRequest(request, identifier)),
    ),
  }),
  route({
    method: "POST",
    path: "/cover_requests/:id/cancel",
    operation: "cancelCoverRequest",
    summary: "Cancel a cover request",
    description: "The people who have not answered are told.",
    shows: one(coverRequestRecords),
    refuses: ["conflict"],
    handle: onRecord("cover_request", async (request, identifier) =>
      found(await cancelCoverRequest(request, identifier)),
    ),
  }),
];

export const coverRequestRoutes: readonly DeclaredRoute[] = routes.map(withPreview);
