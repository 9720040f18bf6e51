import {
  countByHour,
  type Durations,
  type ReportPeriod,
  teamsOfWorkflows,
  weeksOfTeams,
} from "../../../domain/reports/report.ts";
import { SECOND } from "../../../domain/shared/time.ts";
import { all } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { headOf } from "../on-call-hours/report-head.ts";
import type { AlertsReport, ReportDurations } from "./contract.ts";
import { selectReportedAlerts } from "./report-rows.ts";

const MOST_ALERTS = 20_000;

const inSeconds = (ms: number | null) => (ms === null ? null : ms / SECOND);

const showDurations = ({ count, median, ninetieth }: Durations): ReportDurations => ({
  count,
  median_seconds: inSeconds(median),
  ninetieth_seconds: inSeconds(ninetieth),
});

/**
 * Reports alert volume and response times of a period. Covers the newest 20,000 alerts; `complete`
 * is false if there are more.
 */
export async function reportAlerts(
  { db, actor }: Context,
  period: ReportPeriod,
): Promise<AlertsReport> {
  const rows = await all(db, selectReportedAlerts(actor.accountId, period, MOST_ALERTS + 1));
  const reported = rows
    .slice(0, MOST_ALERTS)
    .map(({ workflows, ...alert }) => ({ ...alert, teams: teamsOfWorkflows(workflows) }));
  return {
    ...headOf(period, rows.length <= MOST_ALERTS),
    by_hour: countByHour(reported, period.timeZone),
    by_week: weeksOfTeams(reported, period.timeZone).map((it) => ({
      team_id: it.teamId,
      week: it.week,
      alerts: it.alerts,
      dropped: it.dropped,
      acknowledge: showDurations(it.toAcknowledge),
      resolve: showDurations(it.toResolve),
    })),
  };
}
