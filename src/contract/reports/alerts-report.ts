// When alerts came, and how fast they were answered.
import * as z from "zod";
import {
  flag,
  identifier,
  instant,
  integer,
  listOf,
  nested,
  number,
  text,
} from "../shared/fields.ts";

export const ReportHour = z.object({
  weekday: integer("Monday is 1, Sunday 7.", 1),
  hour: integer("From 0 to 23.", 9),
  alerts: integer("How many alerts came.", 12),
});
export type ReportHour = z.output<typeof ReportHour>;

export const ReportDurations = z.object({
  count: integer("How many came so far.", 11),
  median_seconds: number("Half of them took no longer.", 95).nullable(),
  ninetieth_seconds: number("Nine of ten took no longer.", 420).nullable(),
});
export type ReportDurations = z.output<typeof ReportDurations>;

export const ReportWeek = z.object({
  team_id: identifier("team", "The team."),
  week: text("The week's Monday.", "2026-01-05"),
  alerts: integer("How many alerts came.", 12),
  dropped: integer("How many of them nobody of the team answered.", 1),
  acknowledge: nested(ReportDurations, "From the alert to its first acknowledgement."),
  resolve: nested(ReportDurations, "From the alert to its end."),
});
export type ReportWeek = z.output<typeof ReportWeek>;

export const AlertsReport = z.object({
  start_time: instant(
    "When it starts; of a record the same as `start_datetime`.",
    "2026-01-31T09:00:00.000Z",
  ),
  end_time: instant(
    "When it ends; of a record the same as `end_datetime`.",
    "2026-01-31T17:00:00.000Z",
  ),
  time_zone: text("Whose days, weeks and hours.", "UTC"),
  complete: flag("Whether this is all of it; else it would go on for longer than was looked."),
  by_hour: listOf(ReportHour, "Every hour of the week, Monday 00:00 first."),
  by_week: listOf(ReportWeek, "Each team's weeks; those without an alert are left out."),
});
export type AlertsReport = z.output<typeof AlertsReport>;
