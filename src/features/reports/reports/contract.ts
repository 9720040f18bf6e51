// Alert volume and response times.
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
} from "../../../kernel/contract/fields.ts";

export const ReportHour = z.object({
  weekday: integer("Monday is 1, Sunday 7.", 1),
  hour: integer("From 0 to 23.", 9),
  alerts: integer("The number of alerts.", 12),
});
export type ReportHour = z.output<typeof ReportHour>;

export const ReportDurations = z.object({
  count: integer("The number of alerts measured.", 11),
  median_seconds: number("The median.", 95).nullable(),
  ninetieth_seconds: number("The 90th percentile.", 420).nullable(),
});
export type ReportDurations = z.output<typeof ReportDurations>;

export const ReportWeek = z.object({
  team_id: identifier("team", "The team."),
  week: text("The week's Monday.", "2026-01-05"),
  alerts: integer("The number of alerts.", 12),
  dropped: integer("The number of alerts that nobody of the team acknowledged.", 1),
  acknowledge: nested(ReportDurations, "The time from creation to the first acknowledgement."),
  resolve: nested(ReportDurations, "The time from creation to resolution."),
});
export type ReportWeek = z.output<typeof ReportWeek>;

export const ReportSource = z.object({
  integration_id: identifier(
    "integration",
    "The integration that created them; null: people and the API.",
  ).nullable(),
  alerts: integer("The number of alerts.", 12),
});
export type ReportSource = z.output<typeof ReportSource>;

export const AlertsReport = z.object({
  start_time: instant(
    "The start. In records the same as `start_datetime`.",
    "2026-01-31T09:00:00.000Z",
  ),
  end_time: instant("The end. In records the same as `end_datetime`.", "2026-01-31T17:00:00.000Z"),
  time_zone: text("The time zone of days, weeks and hours.", "UTC"),
  complete: flag("Whether the result is complete. If false, the result was cut off."),
  alerts: integer("The number of alerts.", 45),
  acknowledge: nested(ReportDurations, "The time from creation to the first acknowledgement."),
  by_source: listOf(ReportSource, "The ten sources with most alerts, the loudest first."),
  by_hour: listOf(ReportHour, "Every hour of the week, Monday 00:00 first."),
  by_week: listOf(ReportWeek, "The weeks of each team. Weeks without an alert are omitted."),
});
export type AlertsReport = z.output<typeof AlertsReport>;

export const ReportPerson = z.object({
  account_user_id: identifier("account_user", "The person's membership in the account."),
  hours: number("The hours on call.", 42),
  pages: integer("The number of pages.", 14),
  pages_at_night: integer(
    "The number of pages between 22:00 and 06:00 in the person's time zone.",
    3,
  ),
  nights_disturbed: integer("The number of nights with at least one of these.", 2),
});
export type ReportPerson = z.output<typeof ReportPerson>;

export const PeopleReport = z.object({
  start_time: instant(
    "The start. In records the same as `start_datetime`.",
    "2026-01-31T09:00:00.000Z",
  ),
  end_time: instant("The end. In records the same as `end_datetime`.", "2026-01-31T17:00:00.000Z"),
  time_zone: text("The requested time zone.", "UTC"),
  complete: flag("Whether the result is complete. If false, the result was cut off."),
  nights_disturbed: integer("The disturbed nights of all people.", 5),
  by_person: listOf(ReportPerson, "The people who were on call or paged."),
});
export type PeopleReport = z.output<typeof PeopleReport>;
