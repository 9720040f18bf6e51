import { sql } from "drizzle-orm";
import { timeOnCall } from "../../../domain/oncall/coverage.ts";
import {
  countByHour,
  type Durations,
  pagesOfPeople,
  type ReportPeriod,
  teamsOfWorkflows,
  weeksOfTeams,
} from "../../../domain/reports/report.ts";
import { formatInstant, HOUR, SECOND } from "../../../domain/shared/time.ts";
import { isKnownZone } from "../../../domain/shared/time-zones.ts";
import { all, batch } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { selectOnCall, toOnCallSchedules } from "../../oncall/on-call/oncall-rows.ts";
import { schedules } from "../../schema/oncall.ts";
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

const MOST_PAGES = 50_000;

/**
 * Reports each person's hours on call and pages in a period. Covers the newest 50,000
 * notifications; `complete` is false if there are more.
 */
export async function reportPeople(
  { db, actor }: Context,
  period: ReportPeriod,
): Promise<PeopleReport> {
  const { accountId } = actor;
  const every = sql`select ${schedules.id} from ${schedules} where ${schedules.accountId} = ${accountId}`;
  const [rows, eventRows, absences, past] = await batch(db, [
    selectReportedPages(accountId, period, MOST_PAGES + 1),
    ...selectOnCall(accountId, every, period.from),
  ]);
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
    by_person: ids.map((id) => ({
      account_user_id: id,
      hours: hours.get(id) ?? 0,
      pages: pages.get(id)?.pages ?? 0,
      pages_at_night: pages.get(id)?.atNight ?? 0,
    })),
  };
}
