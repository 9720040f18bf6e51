// The charts of the reports, each with its table and a link to its CSV.
import type { ReportWeek } from "../../features/reports/reports/contract.ts";
import { lengthOf } from "../../kernel/console/lengths.ts";
import { dateOf } from "../../kernel/console/moment.tsx";
import { Panel } from "../../kernel/console/panel.tsx";
import { Table } from "../../kernel/console/table.tsx";
import { useViewer } from "../../kernel/console/viewer.tsx";
import { colourAt, colourOf as personColour, Who } from "../people/person-panels.tsx";
import { Bars, DAYS, HoursOfWeek } from "./charts.tsx";
import type { Reports } from "./report-data.ts";

type ReportProps = { readonly reports: Reports; readonly csv: (name: string) => string };

/** `12 min`; a dash for none. */
export const durationText = (seconds: number | null) =>
  seconds === null ? "–" : lengthOf(seconds * 1000);

export const Csv = ({ to }: { readonly to: string }) => (
  <a href={to} download>
    CSV
  </a>
);

export const ByHour = ({ reports, csv }: ReportProps) => {
  const { by_hour: hours } = reports.alerts;
  const rows = DAYS.map((day, at) => ({
    day,
    counts: hours.filter(({ weekday }) => weekday === at + 1).map(({ alerts }) => alerts),
  }));
  const sum = (counts: readonly number[]) => counts.reduce((one, other) => one + other, 0);
  const quarters = [0, 6, 12, 18];
  return (
    <Panel title="Alerts by hour" id="by-hour" aside={<Csv to={csv("by-hour")} />}>
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

/** The ends of a time scale, in seconds; their halves are round too. */
const SCALE_ENDS = [
  10, 20, 60, 120, 240, 600, 1_200, 3_600, 7_200, 14_400, 28_800, 86_400, 172_800,
];
const DAY_SECONDS = 86_400;

const scaleEndOf = (most: number): number =>
  SCALE_ENDS.find((end) => end >= most) ?? Math.ceil(most / (2 * DAY_SECONDS)) * 2 * DAY_SECONDS;

/** `16 Nov`: the Monday of a week. */
const weekOf = (week: string, now: number) =>
  dateOf(Date.parse(week), "UTC", now).replace(/^[A-Z][a-z]+ /, "");

/** The teams that the page compares; the CSV file has all. */
const MOST_TEAMS = 6;

export const ByWeek = ({ reports, csv }: ReportProps) => {
  const { now } = useViewer();
  const { names } = reports;
  const byTeam = Map.groupBy(reports.alerts.by_week, ({ team_id: id }) => id);
  const alertsOf = ({ id }: { readonly id: string }) =>
    (byTeam.get(id) ?? []).reduce((sum, { alerts }) => sum + alerts, 0);
  const all = names.teams.filter(({ id }) => byTeam.has(id));
  const teams = all.toSorted((a, b) => alertsOf(b) - alertsOf(a)).slice(0, MOST_TEAMS);
  const weeks = teams
    .flatMap(({ id }) => byTeam.get(id) ?? [])
    .toSorted((a, b) => a.week.localeCompare(b.week));
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
    <Panel title="Response times" id="by-week" aside={<Csv to={csv("by-week")} />}>
      <p class="help">
        Solid: median. Faded: 90th percentile.
        {teams.length < all.length
          ? ` The ${teams.length} of ${all.length} teams with the most alerts; the CSV file has all.`
          : ""}
      </p>
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
            {weeks.some((it) => it[kind].count > 0) ? (
              <Bars
                bars={bars(kind)}
                label={`Time to ${kind} by team and week`}
                show={(seconds) => lengthOf(seconds * 1000)}
                top={scaleEndOf}
              />
            ) : (
              <p class="soft">No alert has been {kind}d yet.</p>
            )}
          </div>
        ))}
      </div>
      <Table
        label="Response times by team and week"
        empty={<p class="soft">No week of a team is complete yet.</p>}
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
              cell: (it: ReportWeek) => durationText(it[kind].median_seconds),
            },
            {
              title: "90 %",
              kind: "number" as const,
              cell: (it: ReportWeek) => durationText(it[kind].ninetieth_seconds),
            },
          ]),
        ]}
      />
    </Panel>
  );
};

/** The people that the page lists; the CSV file has all. */
const MOST_LISTED = 25;

export const ByPerson = ({ reports, csv }: ReportProps) => {
  const { by_person: all } = reports.people;
  const people = all
    .toSorted((a, b) => b.pages - a.pages || b.hours - a.hours)
    .slice(0, MOST_LISTED);
  const { names } = reports;
  const bars = people.map((it) => ({
    label: names.of(it.account_user_id),
    group: names.of(it.account_user_id).split(" ")[0] ?? "",
    colour: personColour(names, it.account_user_id),
    value: it.pages_at_night,
    behind: it.pages,
  }));
  return (
    <Panel title="On-call load" id="by-person" aside={<Csv to={csv("by-person")} />}>
      <p class="help">
        Pages per person. Solid: at night (22:00–06:00 in the person's time zone). Faded: all.
        {people.length < all.length
          ? ` The ${people.length} of ${all.length} people with the most pages; the CSV file has all.`
          : ""}
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
            { title: "Nights disturbed", kind: "number", cell: (it) => it.nights_disturbed },
          ]}
          empty={
            <p class="soft">
              Nobody was on call or paged. <a href="/on-call">Open on call</a>.
            </p>
          }
        />
      </div>
    </Panel>
  );
};
