// The query of the report of hours on call.
import * as z from "zod";
import { flag, identifiers, listOf, text } from "../../../kernel/contract/fields.ts";
import { WindowQuery } from "../../oncall/on-call/parameters.ts";

export const OnCallHoursQuery = WindowQuery.extend({
  time_zone: text(
    "The time zone of days and night hours; UTC by default.",
    "Europe/London",
  ).optional(),
  schedule_ids: identifiers("schedule", "The schedules; all by default.").optional(),
  team_ids: identifiers("team", "Teams whose schedules are included; all by default.").optional(),
  night_start: text(
    "The beginning of the night hours, `HH:mm`; 22:00 by default.",
    "22:00",
  ).optional(),
  night_end: text("The end of the night hours, `HH:mm`; 06:00 by default.", "06:00").optional(),
  weekend_days: listOf(
    z.int().min(0).max(6),
    "The weekend days; Saturday and Sunday by default. Sunday is 0. An empty value means none.",
    [0, 6],
  ).optional(),
  holiday_region: text(
    "The region whose public holidays count, as `GET /holidays/regions` lists; none by default.",
    "GB-ENG",
  ).optional(),
  company_holidays: flag(
    "Whether the company holidays count; they do by default.",
    true,
  ).optional(),
});

export const OnCallHoursFileQuery = OnCallHoursQuery.extend({
  by: z
    .enum(["person", "layer"])
    .meta({
      description: "Whether a row is a person, or a person on one layer of a schedule.",
      examples: ["person"],
    })
    .optional(),
});
