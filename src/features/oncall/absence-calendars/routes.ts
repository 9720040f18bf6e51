// The routes of absence calendars, which are read into a person's absences (contract 2,
// Absence calendars).
import { created, deleted, found } from "../../../kernel/http/answers.ts";
import { refuseOthers } from "../../../kernel/http/own-record.ts";
import { listRecords, onRecord, readRecord } from "../../../kernel/http/records.ts";
import { route, updateRoutes } from "../../../kernel/http/route.ts";
import { made, many, noBody, one } from "../../../kernel/http/shown.ts";
import { handleChange } from "../../change/handle-change.ts";
import { accessibleAbsenceCalendars } from "./absence-calendar-scope.ts";
import { NO_SOURCE, sourceFaults } from "./absence-calendar-source.ts";
import { personReference } from "./away-person.ts";
import { CreateAbsenceCalendar, UpdateAbsenceCalendar } from "./parameters.ts";
import { absenceCalendarRecords } from "./rows.ts";
import {
  createAbsenceCalendar,
  deleteAbsenceCalendar,
  refreshAbsenceCalendar,
  updateAbsenceCalendar,
} from "./verbs.ts";

export const absenceCalendarRoutes = [
  route({
    method: "GET",
    path: "/absence_calendars",
    operation: "listAbsenceCalendars",
    allow: "everyone",
    summary: "List absence calendars",
    shows: many(absenceCalendarRecords),
    handle: (request) => {
      const scope = accessibleAbsenceCalendars(request.actor);
      return listRecords(request, absenceCalendarRecords, scope ? { scope } : {});
    },
  }),
  route({
    method: "GET",
    path: "/absence_calendars/:id",
    operation: "getAbsenceCalendar",
    allow: "everyone",
    summary: "Get an absence calendar",
    shows: one(absenceCalendarRecords),
    handle: onRecord("absence_calendar", async ({ db, actor }, identifier) => {
      const scope = accessibleAbsenceCalendars(actor);
      const { accountId } = actor;
      return found(await readRecord(db, absenceCalendarRecords, accountId, identifier, scope));
    }),
  }),
  route({
    method: "POST",
    path: "/absence_calendars",
    operation: "createAbsenceCalendar",
    allow: "everyone",
    summary: "Create an absence calendar",
    shows: made(absenceCalendarRecords),
    previews: true,
    refuses: ["forbidden"],
    body: CreateAbsenceCalendar,
    furtherChecks: (body, { env }) => ({
      faults: sourceFaults(env, body, NO_SOURCE),
      references: personReference(body),
    }),
    forbids: ({ actor, body }) => {
      const { account_user_id: named } = body as Readonly<Record<string, unknown>>;
      return typeof named === "string" && named.trim() !== ""
        ? refuseOthers("account_user", actor, named)
        : null;
    },
    makes: absenceCalendarRecords,
    handle: handleChange(created, (request) =>
      createAbsenceCalendar(request, request.recordId, request.body),
    ),
  }),
  ...updateRoutes({
    path: "/absence_calendars/:id",
    operation: "updateAbsenceCalendar",
    allow: "everyone",
    summary: "Update an absence calendar",
    shows: one(absenceCalendarRecords),
    previews: true,
    body: UpdateAbsenceCalendar,
    furtherChecks: (body, { env }) => ({ faults: sourceFaults(env, body, null) }),
    handle: onRecord(
      "absence_calendar",
      handleChange(found, (request, identifier) =>
        updateAbsenceCalendar(request, identifier, request.body),
      ),
    ),
  }),
  route({
    method: "POST",
    path: "/absence_calendars/:id/refresh",
    operation: "refreshAbsenceCalendar",
    allow: "everyone",
    summary: "Read an absence calendar now",
    shows: one(absenceCalendarRecords),
    previews: true,
    keepsNoAnswer: true,
    handle: onRecord(
      "absence_calendar",
      handleChange(found, (request, identifier) => refreshAbsenceCalendar(request, identifier)),
    ),
  }),
  route({
    method: "DELETE",
    path: "/absence_calendars/:id",
    operation: "deleteAbsenceCalendar",
    allow: "everyone",
    summary: "Delete an absence calendar",
    shows: noBody,
    previews: true,
    handle: onRecord(
      "absence_calendar",
      handleChange(deleted, (request, identifier) => deleteAbsenceCalendar(request, identifier)),
    ),
  }),
];
