// The routes of broadcasts: messages to people and teams, optionally with response options
// (contract 5). The service sets the status; a caller can only close a broadcast.
import { created, deleted, found } from "../../../kernel/http/answers.ts";
import { onRecord, readRoutes } from "../../../kernel/http/records.ts";
import { route, updateRoutes } from "../../../kernel/http/route.ts";
import { made, noBody, one } from "../../../kernel/http/shown.ts";
import { faultsOfNew, referencesOf } from "./broadcast-input.ts";
import { CreateBroadcast, UpdateBroadcast } from "./parameters.ts";
import { broadcastRecords } from "./rows.ts";
import { createBroadcast, deleteBroadcast, updateBroadcast } from "./verbs.ts";

export const broadcastRoutes = [
  ...readRoutes("/broadcasts", "Broadcast", broadcastRecords),
  route({
    method: "POST",
    path: "/broadcasts",
    operation: "createBroadcast",
    allow: "broadcaster",
    summary: "Send a broadcast",
    shows: made(broadcastRecords),
    body: CreateBroadcast,
    furtherChecks: (body) => ({ faults: faultsOfNew(body), references: referencesOf(body) }),
    makes: broadcastRecords,
    handle: async (request) =>
      created(await createBroadcast(request, request.recordId, request.body)),
  }),
  ...updateRoutes({
    path: "/broadcasts/:id",
    operation: "updateBroadcast",
    allow: "broadcaster",
    summary: "Update or close a broadcast",
    shows: one(broadcastRecords),
    body: UpdateBroadcast,
    furtherChecks: (body) => ({ references: referencesOf(body) }),
    handle: onRecord("broadcast", async (request, identifier) =>
      found(await updateBroadcast(request, identifier, request.body)),
    ),
  }),
  route({
    method: "DELETE",
    path: "/broadcasts/:id",
    operation: "deleteBroadcast",
    allow: "broadcaster",
    summary: "Delete a broadcast",
    shows: noBody,
    handle: onRecord("broadcast", async (request, identifier) =>
      deleted(await deleteBroadcast(request, identifier)),
    ),
  }),
];
