// The routes of schedules: containers of on-call events, independent of the teams that use them
// (contract 2, Schedules).

import { CreateSchedule, UpdateSchedule } from "../../contract/oncall/schedule-parameters.ts";
import { scheduleRecords } from "../../db/oncall/schedule-records.ts";
import { created, deleted, found } from "../../http/answers.ts";
import { onRecord, readRoutes } from "../../http/records.ts";
import { route, updateRoutes } from "../../http/route.ts";
import { made, noBody, one } from "../../http/shown.ts";
import { administersSchedule } from "../../services/access/team-reach.ts";
import { createSchedule } from "../../services/oncall/schedules/create-schedule.ts";
import { deleteSchedule } from "../../services/oncall/schedules/delete-schedule.ts";
import { flushSchedule } from "../../services/oncall/schedules/flush-schedule.ts";
import { updateSchedule } from "../../services/oncall/schedules/update-schedule.ts";
import { withPreview } from "./with-preview.ts";

const routes = [
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
    handle: async (request) =>
      created(await createSchedule(request, request.recordId, request.body)),
  }),
  ...updateRoutes({
    path: "/schedules/:id",
    operation: "updateSchedule",
    allow: administersSchedule,
    summary: "Update a schedule",
    shows: one(scheduleRecords),
    body: UpdateSchedule,
    handle: onRecord("schedule", async (request, identifier) =>
      found(await updateSchedule(request, identifier, request.body)),
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
    handle: onRecord("schedule", async (request, identifier) =>
      deleted(await deleteSchedule(request, identifier)),
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
    handle: onRecord("schedule", async (request, identifier) =>
      deleted(await flushSchedule(request, identifier)),
    ),
  }),
];

export const scheduleRoutes = routes.map(withPreview);
