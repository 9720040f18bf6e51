// The data of the reports page: read for whole days in the viewer's time zone, each table also as
// CSV.
import { csvOf } from "../../domain/reports/csv.ts";
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import { DAY, formatInstant, instantOf, localOf, zoneOf } from "../../domain/shared/time.ts";
import type { AlertsReport, PeopleReport } from "../../features/reports/reports/contract.ts";
import { allOf } from "../api.ts";
import type { Api } from "../api-client.ts";
import { type Names, readNames } from "../names.ts";
import type { Visit } from "../page.ts";
import { DAYS } from "./hours-of-week.tsx";

export type Reports = {
  readonly alerts: AlertsReport;
  readonly people: PeopleReport;
  readonly names: Names;
};

/** The periods to choose from, in days. */
export const SPANS = [
  { value: "7", label: "7 days" },
  { value: "28", label: "4 weeks" },
  { value: "84", label: "12 weeks" },
] as const;
export const INITIAL = "28";

/** Whole days up to the end of today, in the viewer's time zone. */
function windowOf({ query, session, now }: Visit) {
  const days = Number(SPANS.find(({ value }) => value === query.get("days"))?.value ?? INITIAL);
  const zone = zoneOf(session.timeZone);
  const end = (Math.floor(localOf(zone, now) / DAY) + 1) * DAY;
  return {
    start: formatInstant(instantOf(zone, end - days * DAY)),
    end: formatInstant(instantOf(zone, end)),
    time_zone: session.timeZone,
  };
}

/** Reads all reports concurrently; returns the first refusal, if any. */
export const readReports = async (api: Api, visit: Visit): Promise<Reports | Refusal> => {
  const window = windowOf(visit);
  const found = await allOf(
    api.get("/reports/alerts", window),
    api.get("/reports/people", window),
    readNames(api),
  );
  if (isRefusal(found)) return found;
  const [alerts, people, names] = found;
  return { alerts, people, names };
};

/** Each table as CSV, by its name in the path. */
export const TABLES: Readonly<Record<string, (reports: Reports) => string>> = {
  "by-hour": ({ alerts }) =>
    csvOf(
      ["weekday", "hour", "alerts"],
      alerts.by_hour.map((it) => [DAYS[it.weekday - 1] ?? "", it.hour, it.alerts]),
    ),
  "by-week": ({ alerts, names }) =>
    csvOf(
      [
        "week",
        "team",
        "alerts",
        "dropped",
        "acknowledge_median_seconds",
        "acknowledge_ninetieth_seconds",
        "resolve_median_seconds",
        "resolve_ninetieth_seconds",
      ],
      alerts.by_week.map((it) => [
        it.week,
        names.of(it.team_id),
        it.alerts,
        it.dropped,
        it.acknowledge.median_seconds,
        it.acknowledge.ninetieth_seconds,
        it.resolve.median_seconds,
        it.resolve.ninetieth_seconds,
      ]),
    ),
  "by-person": ({ people, names }) =>
    csvOf(
      ["person", "hours_on_call", "pages", "pages_at_night"],
      people.by_person.map((it) => [
        names.of(it.account_user_id),
        it.hours,
        it.pages,
        it.pages_at_night,
      ]),
    ),
};
