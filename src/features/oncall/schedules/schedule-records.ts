// Schedules: what a record shows (contract 2, Schedules).
import { commonAttributes, string } from "../../../kernel/db/attributes.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { schedules } from "../../schema/oncall.ts";

export const scheduleRecords: Records<"Schedule"> = {
  kind: "schedule",
  shows: "Schedule",
  from: schedules,
  accountId: schedules.accountId,
  id: schedules.id,
  prefixId: schedules.prefixId,
  attributes: { ...commonAttributes(schedules), name: string(schedules.name) },
  search: [schedules.name],
  total: "schedules",
};
