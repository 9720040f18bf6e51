// A maintenance window: alerts of its integrations are suppressed within it.
import * as z from "zod";
import { common, identifiers, instant, text } from "../../../kernel/contract/fields.ts";

export const MaintenanceWindow = z.object({
  ...common("maintenance_window"),
  name: text("The name.", "Database upgrade"),
  description: text("The description.", "The database gets a new version.").nullable(),
  start_datetime: instant("The start.", "2026-01-31T09:00:00.000Z"),
  end_datetime: instant("The end (exclusive).", "2026-01-31T17:00:00.000Z"),
  start_time: instant(
    "The start. In records the same as `start_datetime`.",
    "2026-01-31T09:00:00.000Z",
  ),
  end_time: instant("The end. In records the same as `end_datetime`.", "2026-01-31T17:00:00.000Z"),
  time_zone: text("The time zone of the start and the end.", "London"),
  integration_ids: identifiers("integration", "The affected integrations."),
});
export type MaintenanceWindow = z.output<typeof MaintenanceWindow>;
