import { CreateSchedule, UpdateSchedule } from "../../../contract/oncall/schedule-parameters.ts";
import { scheduleRecords } from "../../../db/oncall/schedule-records.ts";
import { selectEvery } from "../../../db/records/records.ts";
import { createSchedule } from "../../oncall/schedules/create-schedule.ts";
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
