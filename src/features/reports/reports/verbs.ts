import { timeOnCall } from "../../../domain/oncall/coverage.ts";
import {
  countByHour,
  countBySource,
  type Durations,
  pagesOfPeople,
  type ReportPeriod,
  teamsOfWorkflows,
  timesToAcknowledge,
  weeksOfTeams,
} from "../../../domain/reports/report.ts";
import { type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { formatInstant, HOUR, SECOND } from "../../../domain/shared/time.ts";
import { isKnownZone } from "../../../domain/shared/time-zones.ts";
import { resolveWith } from "../../../kernel/db/references.ts";
import type { Context } from "../../change/context.ts";
import { selectOnCall, toOnCallSchedules } from "../../oncall/on-call/oncall-rows.ts";
import { selectReportedSchedules } from "../on-call-hours/hours-rows.ts";
import type { AlertsReport, PeopleReport, ReportDurations } from "./contract.ts";
import { selectReportedAlerts, selectReportedPages } from "./report-rows.ts";

type ReportHead = Pick<AlertsReport, "start_time" | "end_time" | "time_zone" | "complete">;

/** The period of a report, and whether the report includes everything in it. */
const headOf = ({ from, to, timeZone }: ReportPeriod, complete: boolean): ReportHead => ({
  start_time: formatInstant(from),
  end_time: formatInstant(to),
  time_zone: timeZone,
  complete,
});

const MOST_ALERTS = 20_000;
const MOST_SOURCES = 10;

const teamsOf = ({ teamIds }: ReportPeriod) => [
  { field: "team_ids", kind: "team", ids: teamIds } as const,
];

const inSeconds = (ms: number | null) => (ms === null ? null : ms / SECOND);

const showDurations = ({ count, median, ninetieth }: Durations): ReportDurations => ({
  count,
  median_seconds: inSeconds(median),
  ninetieth_seconds: inSeconds(ninetieth),
});

/**
 * Reports alert volume and response times of a period. Covers the newest 20,000 alerts; `complete`
 * is false if there are more. 422 for an unknown team.
 */
export async function reportAlerts(
  { db, actor }: Context,
  period: ReportPeriod,
): Promise<AlertsReport | Refusal> {
  const {
    resolved,
    rows: [rows],
  } = await resolveWith(db, actor.accountId, teamsOf(period), [
    selectReportedAlerts(actor.accountId, period, MOST_ALERTS + 1),
  ]);
  if (!resolved.ok) return refuseFields(resolved.errors);
  const chosen = new Set(resolved.idsOf("team_ids"));
  const reported = rows.slice(0, MOST_ALERTS).map(({ workflows, ...alert }) => ({
    ...alert,
    teams: teamsOfWorkflows(workflows).filter(
      ({ teamId }) => chosen.size === 0 || chosen.has(teamId),
    ),
  }));
  return {
    ...headOf(period, rows.length <= MOST_ALERTS),
    alerts: reported.length,
    acknowledge: showDurations(timesToAcknowledge(reported)),
    by_source: countBySource(reported)
      .slice(0, MOST_SOURCES)
      .map(([integration_id, count]) => ({ integration_id, alerts: count })),
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

const MOST_PAGES = 50_000;

/**
 * Reports each person's hours on call and pages in a period. Covers the newest 50,000
 * notifications; `complete` is false if there are more.
 */
export async function reportPeople(
  { db, actor }: Context,
  period: ReportPeriod,
): Promise<PeopleReport | Refusal> {
  const { accountId } = actor;
  const reportedSchedules = selectReportedSchedules(accountId, [], period.teamIds);
  const { resolved, rows: read } = await resolveWith(db, accountId, teamsOf(period), [
    selectReportedPages(accountId, period, MOST_PAGES + 1),
    ...selectOnCall(accountId, reportedSchedules, period.from),
  ]);
  if (!resolved.ok) return refuseFields(resolved.errors);
  const [rows, eventRows, absences, past] = read;
  const reported = rows
    .slice(0, MOST_PAGES)
    .map((page) => ({ ...page, timeZone: isKnownZone(page.timeZone) ? page.timeZone : "UTC" }));
  const pages = pagesOfPeople(reported);
  const bySchedule = [...toOnCallSchedules(eventRows, absences, past).values()];
  const people = timeOnCall(bySchedule, period.from, period.to);
  const hours = new Map(people.map((it) => [it.attendeeId, it.onCallMs / HOUR]));
  const ids = [...new Set([...hours.keys(), ...pages.keys()])].sort();
  return {
    ...headOf(period, rows.length <= MOST_PAGES),
    nights_disturbed: [...pages.values()].reduce((sum, { nights }) => sum + nights, 0),
    by_person: ids.map((id) => ({
      account_user_id: id,
      hours: hours.get(id) ?? 0,
      pages: pages.get(id)?.pages ?? 0,
      pages_at_night: pages.get(id)?.atNight ?? 0,
      nights_disturbed: pages.get(id)?.nights ?? 0,
    })),
  };
}
