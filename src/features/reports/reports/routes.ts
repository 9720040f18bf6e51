// The routes of reports: alert volume, response times and on-call load of at most 92 days.

import { readWindow } from "../../../domain/oncall/window.ts";
import { listOf, MOST_IDENTIFIERS } from "../../../domain/reports/hours-query.ts";
import type { ReportPeriod } from "../../../domain/reports/report.ts";
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { DAY, SECOND } from "../../../domain/shared/time.ts";
import { isKnownZone } from "../../../domain/shared/time-zones.ts";
import { readDayLimits } from "../../../kernel/db/daily-use.ts";
import { type Answer, found } from "../../../kernel/http/answers.ts";
import { type ApiRequest, route } from "../../../kernel/http/route.ts";
import { exactly } from "../../../kernel/http/shown.ts";
import { reportAlerts, reportPeople } from "./verbs.ts";

const WIDEST = 92 * DAY;

/** The query's period; 400 and 422 as of every window, and 422 for an unknown time zone or too many teams. */
function readPeriod(query: URLSearchParams): ReportPeriod | Refusal {
  const window = readWindow(query);
  if (isRefusal(window)) return window;
  if (window.to - window.from > WIDEST) {
    return refuse("invalid", "end must be at most 92 days after start", "end");
  }
  const timeZone = query.get("time_zone") || "UTC";
  if (!isKnownZone(timeZone)) return refuse("invalid", "time_zone is not a time zone", "time_zone");
  const teamIds = listOf(query, "team_ids");
  if (teamIds.length > MOST_IDENTIFIERS) {
    const message = `team_ids has more than ${MOST_IDENTIFIERS} elements`;
    return refuse("invalid", message, "team_ids");
  }
  return { ...window, timeZone, teamIds };
}

/** On Cloudflare's free plan, reports yield to pages when a day's limit is near. */
async function refuseIfPaused({ env, now }: ApiRequest): Promise<Refusal | null> {
  const limits = await readDayLimits(env, now);
  if (!limits?.yielding.includes("reports")) return null;
  const words =
    "reports are paused until 00:00 UTC, since a daily limit of Cloudflare's free plan is near";
  const retryAfter = Math.ceil((limits.endsAt - now) / SECOND);
  return { ...refuse("unavailable", words), retryAfter };
}

/** A handler that reports the period of the query. */
const forPeriod =
  <Report extends object>(
    report: (request: ApiRequest, period: ReportPeriod) => Promise<Report | Refusal>,
  ) =>
  async (request: ApiRequest): Promise<Answer> => {
    const period = readPeriod(request.query);
    if (isRefusal(period)) return period;
    const paused = await refuseIfPaused(request);
    if (paused) return paused;
    const reported = await report(request, period);
    return isRefusal(reported) ? reported : found(reported);
  };

export const reportRoutes = [
  route({
    method: "GET",
    path: "/reports/alerts",
    operation: "reportAlerts",
    allow: "everyone",
    summary: "Report alerts by hour, team and week",
    description: `The number of alerts, the times to acknowledge them and the loudest sources; the number of alerts in each hour of the week, and for each team and week the number of alerts, of dropped alerts, and the times to acknowledge and to resolve. Covers at most the newest 20,000 alerts; \`complete\` is false if there are more. A week starts on Monday.`,
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
    description: `The hours on call of each person in the window over all schedules and layers, overlaps counted once; and the number of pages sent to them, counting an alert at most once an hour over all channels, and the nights with such a page. Night is from 22:00 to 06:00 in the person's time zone. Covers at most the newest 50,000 notifications; \`complete\` is false if there are more.`,
    shows: exactly("PeopleReport"),
    query: "ReportQuery",
    handle: forPeriod(reportPeople),
  }),
];
