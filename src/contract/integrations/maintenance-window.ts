// A maintenance window: alerts of its integrations are suppressed within it.
import * as z from "zod";
import { common, identifiers, instant, text } from "../shared/fields.ts";

export const MaintenanceWindow = z.object({
  ...common("maintenance_window"),
  name: text("Its name.", "Database upgrade"),
  description: text("A longer text.", "The database gets a new version.").nullable(),
  start_datetime: instant("When it starts.", "2026-01-31T09:00:00.000Z"),
  end_datetime: instant("When it ends; that moment is no more of it.", "2026-01-31T17:00:00.000Z"),
  start_time: instant(
    "When it starts; of a record the same as `start_datetime`.",
    "2026-01-31T09:00:00.000Z",
  ),
  end_time: instant(
    "When it ends; of a record the same as `end_datetime`.",
    "2026-01-31T17:00:00.000Z",
  ),
  time_zone: text("The zone its times are written in.", "London"),
  integration_ids: identifiers("integration", "The integrations concerned."),
});
export type MaintenanceWindow = z.output<typeof MaintenanceWindow>;
