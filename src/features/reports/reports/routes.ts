// The routes of reports: alert volume, response times and on-call load of at most 92 days.

import { readWindow } from "../../../domain/oncall/window.ts";
import type { ReportPeriod } from "../../../domain/reports/report.ts";
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { DAY } from "../../../domain/shared/time.ts";
import { isKnownZone } from "../../../domain/shared/time-zones.ts";
import { type Answer, found } from "../../../kernel/http/answers.ts";
import { type ApiRequest, route } from "../../../kernel/http/route.ts";
import { exactly } from "../../../kernel/http/shown.ts";
import { reportAlerts, reportPeople } from "./verbs.ts";

const WIDEST = 92 * DAY;

/** The query's period; 400 and 422 as of every window, and 422 for an unknown time zone. */
function readPeriod(query: URLSearchParams): ReportPeriod | Refusal {
  const window = readWindow(query);
  if (isRefusal(window)) return window;
  if (window.to - window.from > WIDEST) {
    return refuse("invalid", "end must be at most 92 days after start", "end");
  }
  const timeZone = query.get("time_zone") || "UTC";
  if (!isKnownZone(timeZone)) return refuse("invalid", "time_zone is not a time zone", "time_zone");
  return { ...window, timeZone };
}

/** A handler that reports the period of the query. */
const forPeriod =
  <Report>(report: (request: ApiRequest, period: ReportPeriod) => Promise<Report>) =>
  async (request: ApiRequest): Promise<Answer> => {
    const period = readPeriod(request.query);
    return isRefusal(period) ? period : found(await report(request, period));
  };

export const reportRoutes = [
  route({
    method: "GET",
    path: "/reports/alerts",
    operation: "reportAlerts",
    allow: "everyone",
    summary: "Report alerts by hour, team and week",
    description: `The number of alerts in each hour of the week, and for each team and week the number of alerts, of dropped alerts, and the times to acknowledge and to resolve. Covers at most the newest 20,000 alerts; \`complete\` is false if there are more. A week starts on Monday.`,
    shows: exactly("AlertsReport"),
    query: "ReportQuery",
    handle: forPeriod(reportAlerts),
  }),
  route({
    method: "GET",
    path: "/reports/people",
    operation: "reportPeople",
    allow: "everyone",
    summary: "Report hours on call and pages of each person",
    description: `The hours on call of each person in the window over all schedules and layers, overlaps counted once; and the number of pages sent to them, counting an alert at most once an hour over all channels. Night is from 22:00 to 06:00 in the person's time zone. Covers at most the newest 50,000 notifications; \`complete\` is false if there are more.`,
    shows: exactly("PeopleReport"),
    query: "ReportQuery",
    handle: forPeriod(reportPeople),
  }),
];
