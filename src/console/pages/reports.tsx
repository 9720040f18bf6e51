// Reports: when alerts come, how fast somebody has them, what nobody answered, and what it costs people. Below each
// picture stands its table, and each table is a CSV too.
import { isRefusal, type Refusal } from "../../domain/refusal.ts";
import { DAY, formatInstant, instantOf, localOf, zoneOf } from "../../domain/time.ts";
import { type Api, allOf } from "../api.ts";
import { csvOf } from "../csv.ts";
import { type Names, readNames } from "../names.ts";
import { type ConsolePage, page, type Reply, type Visit } from "../page.ts";
import { Bars } from "../parts/bars.tsx";
import { Chips } from "../parts/filters.tsx";
import { DAYS, type Hour, HoursOfWeek } from "../parts/hours-of-week.tsx";
import { dateOf, lengthOf } from "../parts/moment.tsx";
import { Empty, Heading, Notice, Panel } from "../parts/panel.tsx";
import { colourAt, colourOf as personColour, Who } from "../parts/person.tsx";
import { Table } from "../parts/table.tsx";

type Durations = {
  readonly count: number;
  readonly median_seconds: number | null;
  readonly ninetieth_seconds: number | null;
};
type Week = {
  readonly team_id: string;
  readonly week: string;
  readonly alerts: number;
  readonly dropped: number;
  readonly acknowledge: Durations;
  readonly resolve: Durations;
};
type Duty = {
  readonly account_user_id: string;
  readonly hours: number;
  readonly pages: number;
  readonly pages_at_night: number;
};
type AlertsReport = {
  readonly complete: boolean;
  readonly by_hour: readonly Hour[];
  readonly by_week: readonly Week[];
};
type PeopleReport = { readonly complete: boolean; readonly by_person: readonly Duty[] };

type Reports = {
  readonly alerts: AlertsReport;
  readonly people: PeopleReport;
  readonly names: Names;
};

const SPANS = [
  { value: "7", label: "7 days" },
  { value: "28", label: "4 weeks" },
  { value: "84", label: "12 weeks" },
] as const;
const INITIAL = "28";

/** Whole days up to the end of today, on the viewer's clock. */
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

const read = async (api: Api, visit: Visit): Promise<Reports | Refusal> => {
  const window = windowOf(visit);
  const found = await allOf(
    api.get<AlertsReport>("/reports/alerts", window),
    api.get<PeopleReport>("/reports/people", window),
    readNames(api),
  );
  if (isRefusal(found)) return found;
  const [alerts, people, names] = found;
  return { alerts, people, names };
};

const took = (seconds: number | null) => (seconds === null ? "–" : lengthOf(seconds * 1000));

type Shown = { readonly reports: Reports; readonly csv: (name: string) => string };

const Csv = ({ to }: { readonly to: string }) => (
  <a href={to} download>
    CSV
  </a>
);

const ByHour = ({ reports, csv }: Shown) => {
  const { by_hour: hours } = reports.alerts;
  const rows = DAYS.map((day, at) => ({
    day,
    counts: hours.filter(({ weekday }) => weekday === at + 1).map(({ alerts }) => alerts),
  }));
  const sum = (counts: readonly number[]) => counts.reduce((one, other) => one + other, 0);
  const quarters = [0, 6, 12, 18];
  return (
    <Panel title="When alerts come" id="by-hour" aside={<Csv to={csv("by-hour")} />}>
      <div class="with-table">
        <HoursOfWeek hours={hours} />
        <Table
          label="Alerts by weekday and time of day"
          numbers
          rows={rows}
          columns={[
            { title: "Day", cell: ({ day }) => day },
            ...quarters.map((from) => ({
              title: `${String(from).padStart(2, "0")}–${String(from + 6).padStart(2, "0")}`,
              kind: "number" as const,
              cell: ({ counts }: (typeof rows)[number]) => sum(counts.slice(from, from + 6)),
            })),
            { title: "All", kind: "number", cell: ({ counts }) => sum(counts) },
          ]}
        />
      </div>
    </Panel>
  );
};

/** The ends of a scale of time, in seconds: their halves are as round. */
const TIMES = [10, 20, 60, 120, 240, 600, 1_200, 3_600, 7_200, 14_400, 28_800, 86_400, 172_800];
const DAY_SECONDS = 86_400;

/** Where a scale of time ends, given the longest. */
const topOf = (most: number): number =>
  TIMES.find((end) => end >= most) ?? Math.ceil(most / (2 * DAY_SECONDS)) * 2 * DAY_SECONDS;

/** `16 Nov`: the Monday that a week begins with. */
const weekOf = (week: string, now: number) =>
  dateOf(Date.parse(week), "UTC", now).replace(/^[A-Z][a-z]+ /, "");

const ByWeek = ({ reports, csv, now }: Shown & { readonly now: number }) => {
  const weeks = reports.alerts.by_week.toSorted((a, b) => a.week.localeCompare(b.week));
  const { names } = reports;
  const teams = names.teams.filter(({ id }) => weeks.some(({ team_id }) => team_id === id));
  const colourOf = (id: string) => colourAt(teams.findIndex((team) => team.id === id) + 1);
  const bars = (kind: "acknowledge" | "resolve") =>
    weeks.map((it) => ({
      label: `${names.of(it.team_id)}, week of ${weekOf(it.week, now)}`,
      group: weekOf(it.week, now),
      colour: colourOf(it.team_id),
      value: it[kind].median_seconds ?? 0,
      behind: it[kind].ninetieth_seconds ?? 0,
    }));
  const kinds = ["acknowledge", "resolve"] as const;
  return (
    <Panel title="How fast, by team and week" id="by-week" aside={<Csv to={csv("by-week")} />}>
      <p class="help">Strong: the median. Pale: nine of ten took no longer.</p>
      <p class="legend">
        {teams.map(({ id, name }) => (
          <span class="who">
            <span class={`swatch ${colourOf(id)}`} aria-hidden="true"></span>
            {name}
          </span>
        ))}
      </p>
      <div class="pictures">
        {kinds.map((kind) => (
          <div>
            <h3>Time to {kind}</h3>
            <Bars
              bars={bars(kind)}
              label={`Time to ${kind} by team and week`}
              show={(seconds) => lengthOf(seconds * 1000)}
              top={topOf}
            />
          </div>
        ))}
      </div>
      <Table
        label="Each team's weeks"
        numbers
        rows={weeks}
        columns={[
          { title: "Team", cell: (it) => names.of(it.team_id) },
          { title: "Week of", cell: ({ week }) => weekOf(week, now) },
          { title: "Alerts", kind: "number", cell: ({ alerts }) => alerts },
          { title: "Unanswered", kind: "number", cell: ({ dropped }) => dropped },
          ...kinds.flatMap((kind) => [
            {
              title: `To ${kind}: median`,
              kind: "number" as const,
              cell: (it: Week) => took(it[kind].median_seconds),
            },
            {
              title: "90 %",
              kind: "number" as const,
              cell: (it: Week) => took(it[kind].ninetieth_seconds),
            },
          ]),
        ]}
      />
    </Panel>
  );
};

const ByPerson = ({ reports, csv }: Shown) => {
  const { by_person: people } = reports.people;
  const { names } = reports;
  const bars = people.map((it) => ({
    label: names.of(it.account_user_id),
    group: names.of(it.account_user_id).split(" ")[0] ?? "",
    colour: personColour(names, it.account_user_id),
    value: it.pages_at_night,
    behind: it.pages,
  }));
  return (
    <Panel title="What it costs people" id="by-person" aside={<Csv to={csv("by-person")} />}>
      <p class="help">
        Pages. Strong: at night, from 22:00 to 06:00 on their own clock. Pale: all.
      </p>
      <div class="with-table">
        {people.some(({ pages }) => pages > 0) ? (
          <Bars bars={bars} label="Pages by person, and those at night" />
        ) : (
          <p class="soft">Nobody was paged.</p>
        )}
        <Table
          label="Hours on call and pages of each person"
          numbers
          rows={people}
          columns={[
            { title: "Person", cell: (it) => <Who names={names} id={it.account_user_id} /> },
            { title: "Hours on call", kind: "number", cell: ({ hours }) => hours.toFixed(1) },
            { title: "Pages", kind: "number", cell: ({ pages }) => pages },
            { title: "At night", kind: "number", cell: (it) => it.pages_at_night },
          ]}
          empty={
            <p class="soft">
              Nobody was on call or paged. <a href="/schedules">Put somebody on call</a>.
            </p>
          }
        />
      </div>
    </Panel>
  );
};

async function show(visit: Visit): Promise<Reply> {
  const { api, url, session } = visit;
  const reports = await read(api, visit);
  if (isRefusal(reports)) return reports;
  const csv = (name: string) => `/reports/${name}${url.search}`;
  const isComplete = reports.alerts.complete && reports.people.complete;
  const hasAlerts = reports.alerts.by_hour.some(({ alerts }) => alerts > 0);
  const body = (
    <>
      <Heading title="Reports" lead={`On the clock of ${session.timeZone}.`}>
        <Chips joined url={url} name="days" label="How far back" chips={SPANS} initial={INITIAL} />
      </Heading>
      {isComplete ? null : (
        <Notice tone="warn" title="Not all of it.">
          There was more than one report reads: of 20,000 alerts and 50,000 messages the newest.
        </Notice>
      )}
      {hasAlerts ? (
        <>
          <ByHour reports={reports} csv={csv} />
          <ByWeek reports={reports} csv={csv} now={visit.now} />
        </>
      ) : (
        <Empty
          title="No alerts in these days"
          next={{ to: "/integrations", label: "Integrations" }}
        >
          Let your tools send their events here; then this says when they come, and how fast
          somebody has them.
        </Empty>
      )}
      <ByPerson reports={reports} csv={csv} />
    </>
  );
  return { kind: "page", title: "Reports", section: "reports", body };
}

const TABLES: Readonly<Record<string, (reports: Reports) => string>> = {
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

const tableAs = (name: string) =>
  page(`/reports/${name}`, async (visit) => {
    const reports = await read(visit.api, visit);
    if (isRefusal(reports)) return reports;
    const text = TABLES[name]?.(reports) ?? "";
    return { kind: "file", name: `${name}.csv`, type: "text/csv; charset=utf-8", text };
  });

export const reportsPages: readonly ConsolePage[] = [
  page("/reports", show),
  ...Object.keys(TABLES).map(tableAs),
];
