// Reports: alert volume, response times and on-call load. A report covers at most 92 days, 20,000
// alerts and 50,000 messages; `complete` is false when it does not include everything in its
// window.
import { sql } from "drizzle-orm";
import type { AlertsReport } from "../../contract/reports/alerts-report.ts";
import type { PeopleReport } from "../../contract/reports/people-report.ts";
import { selectOnCallEvents, toOnCallEvents } from "../../db/oncall/oncall-rows.ts";
import type { RawRow } from "../../db/records/attributes.ts";
import { alerts, alertWorkflows, notifications } from "../../db/schema/alerts.ts";
import { schedules } from "../../db/schema/oncall.ts";
import { accountUsers, users } from "../../db/schema/people.ts";
import { statement } from "../../db/shared/database.ts";
import { batch } from "../../db/shared/select.ts";
import { coverageBetween } from "../../domain/oncall/coverage.ts";
import { readWindow, type Window } from "../../domain/oncall/window.ts";
import {
  countByHour,
  type Durations,
  pagesOfPeople,
  type ReportedAlert,
  type ReportedPage,
  weeksOfTeams,
} from "../../domain/reports/report.ts";
import { isRefusal, type Refusal, refuse } from "../../domain/shared/refusal.ts";
import { DAY, formatInstant, HOUR, SECOND } from "../../domain/shared/time.ts";
import { isKnownZone } from "../../domain/shared/time-zones.ts";
import { type Answer, found } from "../../http/answers.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../http/route.ts";
import { exactly } from "../../http/shown.ts";

const WIDEST = 92 * DAY;
const MOST_ALERTS = 20_000;
const MOST_PAGES = 50_000;

// ── Shape ──

const inSeconds = (ms: number | null) => (ms === null ? null : ms / SECOND);

const showDurations = ({ count, median, ninetieth }: Durations) => ({
  count,
  median_seconds: inSeconds(median),
  ninetieth_seconds: inSeconds(ninetieth),
});

// ── Rows ──

/** The newest alerts of a window, with the teams they were sent to. */
const selectAlerts = (accountId: string, { from, to }: Window) =>
  sql`select ${alerts.id} as id, ${alerts.createdAt} as created_at,
      ${alerts.acknowledgedAt} as acknowledged_at, ${alerts.resolvedAt} as resolved_at,
      (select json_group_array(json_object('teamId', ${alertWorkflows.destinationId},
          'state', ${alertWorkflows.state}))
        from ${alertWorkflows} where ${alertWorkflows.accountId} = ${accountId}
          and ${alertWorkflows.alertId} = ${alerts.id}
          and ${alertWorkflows.destinationType} = 'team') as teams
    from ${alerts} where ${alerts.accountId} = ${accountId}
      and ${alerts.createdAt} >= ${from} and ${alerts.createdAt} < ${to}
    order by ${alerts.createdAt} desc, ${alerts.id} desc limit ${MOST_ALERTS + 1}`;

const numberOrNull = (value: unknown) => (value === null ? null : Number(value));

/**
 * One entry per team. If a team received an alert several times, it counts as dropped when any of
 * its workflows timed out.
 */
function teamsOf(json: unknown): ReportedAlert["teams"] {
  const workflows = JSON.parse(String(json)) as { teamId: string; state: string }[];
  return [...Map.groupBy(workflows, ({ teamId }) => teamId)].map(([teamId, group]) => ({
    teamId,
    isDropped: group.some(({ state }) => state === "timed_out"),
  }));
}

const toReported = (row: RawRow): ReportedAlert => ({
  id: String(row.id),
  createdAt: Number(row.created_at),
  acknowledgedAt: numberOrNull(row.acknowledged_at),
  resolvedAt: numberOrNull(row.resolved_at),
  teams: teamsOf(row.teams),
});

/** The newest pages sent in a window, with the recipient's time zone. */
const selectPages = (accountId: string, { from, to }: Window) =>
  sql`select ${notifications.accountUserId} as account_user_id,
      ${notifications.alertId} as alert_id, ${notifications.sentAt} as sent_at,
      ${users.timeZone} as time_zone
    from ${notifications}
      join ${accountUsers} on ${accountUsers.id} = ${notifications.accountUserId}
      join ${users} on ${users.id} = ${accountUsers.userId}
    where ${notifications.accountId} = ${accountId}
      and ${notifications.createdAt} >= ${from} and ${notifications.createdAt} < ${to}
      and ${notifications.event} = 'alert.open' and ${notifications.sentAt} is not null
    order by ${notifications.createdAt} desc, ${notifications.id} desc limit ${MOST_PAGES + 1}`;

const toPage = (row: RawRow): ReportedPage => ({
  accountUserId: String(row.account_user_id),
  alertId: String(row.alert_id),
  at: Number(row.sent_at),
  timeZone: isKnownZone(String(row.time_zone)) ? String(row.time_zone) : "UTC",
});

// ── Rules ──

type ReportPeriod = Window & { readonly timeZone: string };

function readPeriod({ query }: ApiRequest): ReportPeriod | Refusal {
  const window = readWindow(query);
  if (isRefusal(window)) return window;
  if (window.to - window.from > WIDEST) {
    return refuse("invalid", "end must be at most 92 days after start", "end");
  }
  const timeZone = query.get("time_zone") || "UTC";
  if (!isKnownZone(timeZone)) return refuse("invalid", "time_zone is not a time zone", "time_zone");
  return { ...window, timeZone };
}

const showHead = ({ from, to, timeZone }: ReportPeriod, complete: boolean) => ({
  start_time: formatInstant(from),
  end_time: formatInstant(to),
  time_zone: timeZone,
  complete,
});

// ── Routes ──

async function reportAlerts(request: ApiRequest): Promise<Answer> {
  const period = readPeriod(request);
  if (isRefusal(period)) return period;
  const { db, actor } = request;
  const { results } = await statement(db, selectAlerts(actor.accountId, period)).all<RawRow>();
  const reported = results.slice(0, MOST_ALERTS).map(toReported);
  return found<AlertsReport>({
    ...showHead(period, results.length <= MOST_ALERTS),
    by_hour: countByHour(reported, period.timeZone),
    by_week: weeksOfTeams(reported, period.timeZone).map((it) => ({
      team_id: it.teamId,
      week: it.week,
      alerts: it.alerts,
      dropped: it.dropped,
      acknowledge: showDurations(it.toAcknowledge),
      resolve: showDurations(it.toResolve),
    })),
  });
}

async function reportPeople(request: ApiRequest): Promise<Answer> {
  const period = readPeriod(request);
  if (isRefusal(period)) return period;
  const { db, actor } = request;
  const { accountId } = actor;
  const every = sql`select ${schedules.id} from ${schedules} where ${schedules.accountId} = ${accountId}`;
  const [rows, eventRows] = await batch(db, [
    selectPages(accountId, period),
    selectOnCallEvents(accountId, every, period.from),
  ]);
  const pages = pagesOfPeople(rows.slice(0, MOST_PAGES).map(toPage));
  const scheduled = [...toOnCallEvents(eventRows).values()].flat();
  const events = [...new Map(scheduled.map((event) => [event.id, event])).values()];
  const { people } = coverageBetween(events, period.from, period.to);
  const hours = new Map(people.map((it) => [it.attendeeId, it.onCallMs / HOUR]));
  const ids = [...new Set([...hours.keys(), ...pages.keys()])].sort();
  return found<PeopleReport>({
    ...showHead(period, rows.length <= MOST_PAGES),
    by_person: ids.map((id) => ({
      account_user_id: id,
      hours: hours.get(id) ?? 0,
      pages: pages.get(id)?.pages ?? 0,
      pages_at_night: pages.get(id)?.atNight ?? 0,
    })),
  });
}

export const reportRoutes: readonly DeclaredRoute[] = [
  route({
    method: "GET",
    path: "/reports/alerts",
    operation: "reportAlerts",
    summary: "Report alerts by hour, team and week",
    description: `The number of alerts in each hour of the week, and for each team and week the number of alerts, of dropped alerts, and the times to acknowledge and to resolve. Covers at most the newest 20,000 alerts; \`complete\` is false if there are more. A week starts on Monday.`,
    shows: exactly("AlertsReport"),
    query: "ReportQuery",
    handle: reportAlerts,
  }),
  route({
    method: "GET",
    path: "/reports/people",
    operation: "reportPeople",
    summary: "Report hours on call and pages of each person",
    description: `The hours on call of each person in the window over all schedules and layers, overlaps counted once; and the number of pages sent to them, counting an alert at most once an hour over all channels. Night is from 22:00 to 06:00 in the person's time zone. Covers at most the newest 50,000 notifications; \`complete\` is false if there are more.`,
    shows: exactly("PeopleReport"),
    query: "ReportQuery",
    handle: reportPeople,
  }),
];
