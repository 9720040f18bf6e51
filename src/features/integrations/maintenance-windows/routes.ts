// The routes of maintenance windows: times in which an integration's alerts are stored but page
// nobody (contract 2, Maintenance windows).
import { created, deleted, found } from "../../../kernel/http/answers.ts";
import { onRecord, readRoutes } from "../../../kernel/http/records.ts";
import { route, updateRoutes } from "../../../kernel/http/route.ts";
import { made, noBody, one } from "../../../kernel/http/shown.ts";
import { commit } from "../../change/commit.ts";
import { CreateMaintenanceWindow, UpdateMaintenanceWindow } from "./parameters.ts";
import { maintenanceWindowRecords } from "./rows.ts";
import {
  createMaintenanceWindow,
  deleteMaintenanceWindow,
  updateMaintenanceWindow,
} from "./verbs.ts";
import { intervalOf } from "./window-interval.ts";
import { referencesOf } from "./window-writes.ts";

export const maintenanceWindowRoutes = [
  ...readRoutes("/maintenance_windows", "MaintenanceWindow", maintenanceWindowRecords),
  route({
    method: "POST",
    path: "/maintenance_windows",
    operation: "createMaintenanceWindow",
    allow: "admin",
    summary: "Create a maintenance window",
    shows: made(maintenanceWindowRecords),
    body: CreateMaintenanceWindow,
    furtherChecks: (body) => ({
      faults: body.start_datetime && body.end_datetime ? intervalOf(body, null).errors : [],
      references: referencesOf(body),
    }),
    makes: maintenanceWindowRecords,
    handle: async (request) =>
      created(
        await commit(request, () =>
          createMaintenanceWindow(request, request.recordId, request.body),
        ),
      ),
  }),
  ...updateRoutes({
    path: "/maintenance_windows/:id",
    operation: "updateMaintenanceWindow",
    allow: "admin",
    summary: "Update a maintenance window",
    shows: one(maintenanceWindowRecords),
    body: UpdateMaintenanceWindow,
    furtherChecks: (body) => ({ references: referencesOf(body) }),
    handle: onRecord("maintenance_window", async (request, identifier) =>
      found(
        await commit(request, () => updateMaintenanceWindow(request, identifier, request.body)),
      ),
    ),
  }),
  route({
    method: "DELETE",
    path: "/maintenance_windows/:id",
    operation: "deleteMaintenanceWindow",
    allow: "admin",
    summary: "Delete a maintenance window",
    shows: noBody,
    refuses: ["conflict"],
    handle: onRecord("maintenance_window", async (request, identifier) =>
      deleted(await commit(request, () => deleteMaintenanceWindow(request, identifier))),
    ),
  }),
];
