import { selectEvery } from "../../../kernel/db/records.ts";
import { createSchedule } from "../../oncall/schedules/create-schedule.ts";
import { CreateSchedule, UpdateSchedule } from "../../oncall/schedules/parameters.ts";
import { scheduleRecords } from "../../oncall/schedules/schedule-records.ts";
import { updateSchedule } from "../../oncall/schedules/update-schedule.ts";
import { byId, declareSection, pick, plainFields, validated } from "./section.ts";

const FIELDS = plainFields(CreateSchedule);

/** Schedules, without their events. */
export const schedulesSection = declareSection({
  name: "schedules",
  kind: "schedule",
  fields: FIELDS,
  select: (accountId) => selectEvery(scheduleRecords, accountId),
  show: (schedule) => pick(schedule, FIELDS),
  parametersOf: (entry) => pick(entry, FIELDS),
  create: validated(CreateSchedule, createSchedule),
  update: validated(UpdateSchedule, (context, id, body) => updateSchedule(context, byId(id), body)),
});
