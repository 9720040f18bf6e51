// The words of reports.
import type { Words } from "../word.ts";

export const REPORT_WORDS: Words = {
  "AlertsReport.time_zone": ["Whose days, weeks and hours.", "UTC", "shown only"],
  "PeopleReport.time_zone": ["The zone that was asked for.", "UTC", "shown only"],
  by_hour: ["Every hour of the week, Monday 00:00 first."],
  by_week: ["Each team's weeks; those without an alert are left out."],
  "ReportWeek.team_id": ["The team."],
  by_person: ["Everybody who was on call or was paged."],
  weekday: ["Monday is 1, Sunday 7.", 1, "shown only"],
  hour: ["From 0 to 23.", 9, "shown only"],
  alerts: ["How many alerts came.", 12, "shown only"],
  week: ["The week's Monday.", "2026-01-05", "shown only"],
  dropped: ["How many of them nobody of the team answered.", 1, "shown only"],
  acknowledge: ["From the alert to its first acknowledgement."],
  resolve: ["From the alert to its end."],
  count: ["How many came so far.", 11, "shown only"],
  median_seconds: ["Half of them took no longer.", 95, "shown only"],
  ninetieth_seconds: ["Nine of ten took no longer.", 420, "shown only"],
  "ReportPerson.pages": ["Pages sent to them.", 14, "shown only"],
  pages_at_night: ["Those sent between 22:00 and 06:00 on their clock.", 3, "shown only"],
};
