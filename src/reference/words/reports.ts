// The words of reports.
import type { Words } from "../word.ts";

export const REPORT_WORDS: Words = {
  "AlertsReport.time_zone": ["The time zone of days, weeks and hours.", "UTC", "shown only"],
  "PeopleReport.time_zone": ["The requested time zone.", "UTC", "shown only"],
  by_hour: ["Every hour of the week, Monday 00:00 first."],
  by_week: ["The weeks of each team. Weeks without an alert are omitted."],
  "ReportWeek.team_id": ["The team."],
  by_person: ["The people who were on call or paged."],
  weekday: ["Monday is 1, Sunday 7.", 1, "shown only"],
  hour: ["From 0 to 23.", 9, "shown only"],
  alerts: ["The number of alerts.", 12, "shown only"],
  week: ["The week's Monday.", "2026-01-05", "shown only"],
  dropped: ["The number of alerts that nobody of the team acknowledged.", 1, "shown only"],
  acknowledge: ["The time from creation to the first acknowledgement."],
  resolve: ["The time from creation to resolution."],
  count: ["The number of alerts measured.", 11, "shown only"],
  median_seconds: ["The median.", 95, "shown only"],
  ninetieth_seconds: ["The 90th percentile.", 420, "shown only"],
  "ReportPerson.pages": ["The number of pages.", 14, "shown only"],
  pages_at_night: [
    "The number of pages between 22:00 and 06:00 in the person's time zone.",
    3,
    "shown only",
  ],
};
