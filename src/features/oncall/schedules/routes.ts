// The routes of schedules: containers of on-call events, independent of the teams that use them
// (contract 2, Schedules).

import { created, deleted, found } from "../../../kernel/http/answers.ts";
import { onRecord, readRoutes } from "../../../kernel/http/records.ts";
import { route, updateRoutes } from "../../../kernel/http/route.ts";
import { made, noBody, one } from "../../../kernel/http/shown.ts";
import { administersSchedule } from "../../access/permissions/team-reach.ts";
import { handleChange } from "../../change/handle-change.ts";
import { CreateSchedule, UpdateSchedule } from "./parameters.ts";
import { scheduleRecords } from "./rows.ts";
import { createSchedule, deleteSchedule, flushSchedule, updateSchedule } from "./verbs.ts";

export const scheduleRoutes = [
  ...readRoutes("/schedules", "Schedule", scheduleRecords),
  route({
    method: "POST",
    path: "/schedules",
    operation: "createSchedule",
    allow: "admin",
    summary: "Create a schedule",
    shows: made(scheduleRecords),
    body: CreateSchedule,
    makes: scheduleRecords,
    handle: handleChange(created, (request) =>
      createSchedule(request, request.recordId, request.body),
    ),
  }),
  ...updateRoutes({
    path: "/schedules/:id",
    operation: "updateSchedule",
    allow: administersSchedule,
    summary: "Update a schedule",
    shows: one(scheduleRecords),
    body: UpdateSchedule,
    handle: onRecord(
      "schedule",
      handleChange(found, (request, identifier) =>
        updateSchedule(request, identifier, request.body),
      ),
    ),
  }),
  route({
    method: "DELETE",
    path: "/schedules/:id",
    operation: "deleteSchedule",
    allow: "admin",
    summary: "Delete a schedule",
    shows: noBody,
    previews: true,
    refuses: ["conflict"],
    handle: onRecord(
      "schedule",
      handleChange(deleted, (request, identifier) => deleteSchedule(request, identifier)),
    ),
  }),
  route({
    method: "DELETE",
    path: "/schedules/:id/flush",
    operation: "flushSchedule",
    allow: administersSchedule,
    summary: "Remove all events from a schedule",
    shows: noBody,
    previews: true,
    correctsPast: true,
    handle: onRecord(
      "schedule",
      handleChange(deleted, (request, identifier) => flushSchedule(request, identifier)),
    ),
  }),
];
