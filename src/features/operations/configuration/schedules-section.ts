import { selectEvery } from "../../../kernel/db/records.ts";
import { CreateSchedule, UpdateSchedule } from "../../oncall/schedules/parameters.ts";
import { scheduleRecords } from "../../oncall/schedules/rows.ts";
import { createSchedule, updateSchedule } from "../../oncall/schedules/verbs.ts";
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
