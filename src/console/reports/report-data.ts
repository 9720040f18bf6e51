// The data of the reports page: read for whole days in the viewer's time zone, each table also as
// CSV.
import { csvOf } from "../../domain/reports/csv.ts";
import { parseDate } from "../../domain/shared/calendar.ts";
import { isRefusal } from "../../domain/shared/refusal.ts";
import { DAY, formatInstant, instantOf, localOf, zoneOf } from "../../domain/shared/time.ts";
import type { Api } from "../api-client.ts";
import type { Visit } from "../page.ts";
import { allByName, allOf, type ReadBy, readNames } from "../reads.ts";
import { DAYS } from "./charts.tsx";

/** The periods to choose from, in days. */
export const SPANS = [
  { value: "7", label: "7 days" },
  { value: "28", label: "4 weeks" },
  { value: "84", label: "12 weeks" },
] as const;
export const INITIAL = "28";

/** What the page is asked for: days since 1970-01-01, without `after`, and the ids of teams. */
type Asked = { readonly first: number; readonly after: number; readonly teams: readonly string[] };

/**
 * The days and teams in the query string: a fixed span up to today in the viewer's time zone, or the
 * days from `from` to `to`.
 */
export function askedOf({ query, session, now }: Visit): Asked {
  const [from, to] = ["from", "to"].map((name) => parseDate(query.get(name) ?? ""));
  const today = Math.floor(localOf(zoneOf(session.timeZone), now) / DAY);
  const days = Number(SPANS.find(({ value }) => value === query.get("days"))?.value ?? INITIAL);
  const after = (to ?? today) + 1;
  return { first: from ?? after - days, after, teams: query.getAll("team[]").filter(Boolean) };
}

/** Reads all reports concurrently; returns the first refusal, if any. */
export const readReports = async (api: Api, visit: Visit) => {
  const { first, after, teams } = askedOf(visit);
  const { timeZone } = visit.session;
  const midnight = (day: number) => formatInstant(instantOf(zoneOf(timeZone), day * DAY));
  const read = (from: number, to: number) => {
    const window = { start: midnight(from), end: midnight(to), time_zone: timeZone };
    const query = { ...window, team_ids: teams.join(",") };
    return allByName({
      alerts: api.get("/reports/alerts", query),
      people: api.get("/reports/people", query),
    });
  };
  const found = await allOf(
    read(first, after),
    read(2 * first - after, first),
    readNames(api, ["/integrations"]),
  );
  if (isRefusal(found)) return found;
  const [measured, before, names] = found;
  /** `before`: of as many days before. */
  return { ...measured, before, names };
};

export type Reports = ReadBy<typeof readReports>;

/** A table as CSV: the title of each column, and its value in a row. */
const csvTable = <Row>(
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => string | number | null>>,
): string =>
  csvOf(
    Object.keys(columns),
    rows.map((row) => Object.values(columns).map((valueIn) => valueIn(row))),
  );

/** Each table as CSV, by its name in the path. */
export const TABLES: Readonly<Record<string, (reports: Reports) => string>> = {
  "by-hour": ({ alerts }) =>
    csvTable(alerts.by_hour, {
      weekday: (it) => DAYS[it.weekday - 1] ?? "",
      hour: (it) => it.hour,
      alerts: (it) => it.alerts,
    }),
  "by-week": ({ alerts, names }) =>
    csvTable(alerts.by_week, {
      week: (it) => it.week,
      team: (it) => names.of(it.team_id),
      alerts: (it) => it.alerts,
      dropped: (it) => it.dropped,
      acknowledge_median_seconds: (it) => it.acknowledge.median_seconds,
      acknowledge_ninetieth_seconds: (it) => it.acknowledge.ninetieth_seconds,
      resolve_median_seconds: (it) => it.resolve.median_seconds,
      resolve_ninetieth_seconds: (it) => it.resolve.ninetieth_seconds,
    }),
  "by-person": ({ people, names }) =>
    csvTable(people.by_person, {
      person: (it) => names.of(it.account_user_id),
      hours_on_call: (it) => it.hours,
      pages: (it) => it.pages,
      pages_at_night: (it) => it.pages_at_night,
      nights_disturbed: (it) => it.nights_disturbed,
    }),
};
