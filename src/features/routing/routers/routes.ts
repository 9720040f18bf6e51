// The routes of routers: rules that decide where an alert goes (contract 2, Routers). Where no rule
// matches, the alert goes to the default receiver. A router never leads back to itself.
import { created, deleted, found } from "../../../kernel/http/answers.ts";
import { onRecord, readRoutes } from "../../../kernel/http/records.ts";
import { route, updateRoutes } from "../../../kernel/http/route.ts";
import { made, noBody, one } from "../../../kernel/http/shown.ts";
import { handleChange } from "../../change/handle-change.ts";
import { CreateRouter, UpdateRouter } from "./parameters.ts";
import { defaultFaults, referencesOf } from "./router-writes.ts";
import { routerRecords } from "./rows.ts";
import { createRouter, deleteRouter, updateRouter } from "./verbs.ts";

export const routerRoutes = [
  ...readRoutes("/routers", "Router", routerRecords),
  route({
    method: "POST",
    path: "/routers",
    operation: "createRouter",
    allow: "admin",
    summary: "Create a router",
    shows: made(routerRecords),
    body: CreateRouter,
    furtherChecks: (body) => ({
      faults: defaultFaults(body, null),
      references: referencesOf(body),
    }),
    makes: routerRecords,
    handle: handleChange(created, (request) =>
      createRouter(request, request.recordId, request.body),
    ),
  }),
  ...updateRoutes({
    path: "/routers/:id",
    operation: "updateRouter",
    allow: "admin",
    summary: "Update a router",
    shows: one(routerRecords),
    body: UpdateRouter,
    // The verb checks the default receiver: that needs the stored one.
    furtherChecks: (body) => ({ references: referencesOf(body) }),
    handle: onRecord(
      "router",
      handleChange(found, (request, identifier) => updateRouter(request, identifier, request.body)),
    ),
  }),
  route({
    method: "DELETE",
    path: "/routers/:id",
    operation: "deleteRouter",
    allow: "admin",
    summary: "Delete a router",
    shows: noBody,
    refuses: ["conflict"],
    handle: onRecord(
      "router",
      handleChange(deleted, (request, identifier) => deleteRouter(request, identifier)),
    ),
  }),
];
