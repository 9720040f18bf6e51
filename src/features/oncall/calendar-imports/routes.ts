// The routes of calendar imports: calendars whose events become shifts of a schedule (contract 2,
// Calendar imports).

import { created, deleted, found } from "../../../kernel/http/answers.ts";
import { onRecord, readRoutes } from "../../../kernel/http/records.ts";
import { route, updateRoutes } from "../../../kernel/http/route.ts";
import { made, noBody, one } from "../../../kernel/http/shown.ts";
import { administersImport, administersNewImport } from "../../access/permissions/team-reach.ts";
import { handleChange } from "../../change/handle-change.ts";
import { referencesOf, sourceFaults } from "./import-input.ts";
import { calendarImportRecords } from "./import-rows.ts";
import { CreateCalendarImport, UpdateCalendarImport } from "./parameters.ts";
import {
  createCalendarImport,
  deleteCalendarImport,
  refreshCalendarImport,
  updateCalendarImport,
} from "./verbs.ts";

export const calendarImportRoutes = [
  ...readRoutes("/calendar_imports", "CalendarImport", calendarImportRecords),
  route({
    method: "POST",
    path: "/calendar_imports",
    operation: "createCalendarImport",
    allow: administersNewImport,
    summary: "Create a calendar import",
    shows: made(calendarImportRecords),
    previews: true,
    refuses: ["conflict"],
    body: CreateCalendarImport,
    furtherChecks: (body, { env, now }) => ({
      faults: sourceFaults(env, body, true, now),
      references: referencesOf(body),
    }),
    makes: calendarImportRecords,
    handle: handleChange(created, (request) =>
      createCalendarImport(request, request.recordId, request.body),
    ),
  }),
  ...updateRoutes({
    path: "/calendar_imports/:id",
    operation: "updateCalendarImport",
    allow: administersImport,
    summary: "Update a calendar import",
    shows: one(calendarImportRecords),
    previews: true,
    body: UpdateCalendarImport,
    furtherChecks: (body, { env, now }) => ({ faults: sourceFaults(env, body, false, now) }),
    handle: onRecord(
      "calendar_import",
      handleChange(found, (request, identifier) =>
        updateCalendarImport(request, identifier, request.body),
      ),
    ),
  }),
  route({
    method: "POST",
    path: "/calendar_imports/:id/refresh",
    operation: "refreshCalendarImport",
    allow: administersImport,
    summary: "Read a calendar import now",
    shows: one(calendarImportRecords),
    previews: true,
    keepsNoAnswer: true,
    handle: onRecord(
      "calendar_import",
      handleChange(found, (request, identifier) => refreshCalendarImport(request, identifier)),
    ),
  }),
  route({
    method: "DELETE",
    path: "/calendar_imports/:id",
    operation: "deleteCalendarImport",
    allow: administersImport,
    summary: "Delete a calendar import",
    shows: noBody,
    previews: true,
    refuses: ["conflict"],
    handle: onRecord(
      "calendar_import",
      handleChange(deleted, (request, identifier) => deleteCalendarImport(request, identifier)),
    ),
  }),
];
