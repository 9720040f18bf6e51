// Reports: alerts by hour, response times and on-call load.

import type { Child } from "hono/jsx";
import { counted } from "../../domain/shared/counted.ts";
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import { DAY, formatInstant } from "../../domain/shared/time.ts";
import type { AlertsReport } from "../../features/reports/reports/contract.ts";
import { Segments, withQuery } from "../../kernel/console/filters.tsx";
import { Button, FormFaults, TextField } from "../../kernel/console/form.tsx";
import { dateOf } from "../../kernel/console/moment.tsx";
import { Empty, Heading, LinkButton, Notice } from "../../kernel/console/panel.tsx";
import { PickMany } from "../../kernel/console/pick-many.tsx";
import { pageReply, type Reply } from "../../kernel/console/reply.ts";
import { choicesOf } from "../choices.ts";
import { type ConsolePage, page, type Visit } from "../page.ts";
import type { Names, WithVisit } from "../reads.ts";
import { showHours } from "./hours.tsx";
import { askedOf, INITIAL, type Reports, readReports, SPANS, TABLES } from "./report-data.ts";
import { ByHour, ByPerson, ByWeek, durationText } from "./report-panels.tsx";

/** More is no comparison: there was next to nothing before. */
const MOST_PERCENT = 999;

/** `+20 %`; nothing without a number to compare with. */
function change(now: number | null, before: number | null): string {
  if (now === null || before === null || before === 0) return "";
  const percent = Math.round(((now - before) / before) * 100);
  if (percent > MOST_PERCENT) return "";
  return percent === 0 ? " (the same)" : ` (${percent > 0 ? "+" : "−"}${Math.abs(percent)} %)`;
}

type Measure = {
  readonly label: string;
  readonly now: Child;
  /** As many days before. */
  readonly before: Child;
};

const sourceOf = (names: Names, { by_source: [first] }: AlertsReport) =>
  first && (first.integration_id === null ? "People and the API" : names.of(first.integration_id));

function measuresOf({ alerts, people, before, names }: Reports): readonly Measure[] {
  const [median, earlier] = [alerts, before.alerts].map((it) => it.acknowledge.median_seconds) as [
    number | null,
    number | null,
  ];
  const count = (label: string, now: number, then: number): Measure => ({
    ...{ label, now, before: `${then}${change(now, then)}` },
  });
  const [loudest] = alerts.by_source;
  const alertsBefore = before.alerts.by_source.find(
    (it) => it.integration_id === loudest?.integration_id,
  )?.alerts;
  return [
    count("Alerts", alerts.alerts, before.alerts.alerts),
    {
      label: "Median time to acknowledge",
      now: durationText(median),
      before: `${durationText(earlier)}${change(median, earlier)}`,
    },
    count("Nights disturbed", people.nights_disturbed, before.people.nights_disturbed),
    {
      label: loudest ? `Loudest source, ${counted(loudest.alerts, "alert")}` : "Loudest source",
      now: loudest?.integration_id ? (
        <a href={`/integrations/${loudest.integration_id}`}>{sourceOf(names, alerts)}</a>
      ) : (
        (sourceOf(names, alerts) ?? "–")
      ),
      before: `${alertsBefore ?? 0}${change(loudest?.alerts ?? null, alertsBefore ?? null)}`,
    },
  ];
}

const Headline = ({ reports }: { readonly reports: Reports }) => (
  <dl class="measures">
    {measuresOf(reports).map(({ label, now, before }) => (
      <div class="panel">
        <dt>{label}</dt>
        <dd>
          <strong>{now}</strong>
          <span class="soft">before: {before}</span>
        </dd>
      </div>
    ))}
  </dl>
);

const dayText = (day: number) => formatInstant(day * DAY).slice(0, 10);

type ReportFormProps = WithVisit<{ names: Names | null; refusal: Refusal | null }>;

/** The days and teams of the reports. It is sent by GET, so that the address can be stored. */
const ReportForm = ({ visit, names, refusal }: ReportFormProps) => {
  const { first, after, teams } = askedOf(visit);
  return (
    <details class="panel" open={refusal !== null}>
      <summary>
        {[first, after - 1].map((day) => dateOf(day * DAY, "UTC", visit.now)).join(" – ")}
        {teams.length > 0 && names ? `, ${teams.map(names.of).join(", ")}` : null}
      </summary>
      <form class="fields" method="get" action="/reports">
        <FormFaults refusal={refusal} fields={[]} />
        <div class="side-by-side">
          <TextField
            {...{ name: "from", label: "First day", type: "date", value: dayText(first) }}
          />
          <TextField
            {...{ name: "to", label: "Last day", type: "date", value: dayText(after - 1) }}
          />
        </div>
        {names && names.teams.length > 1 ? (
          <PickMany
            name="team"
            label="Teams"
            choices={choicesOf(names.teams)}
            chosen={teams}
            help="None: all."
          />
        ) : null}
        <Button>Show report</Button>
      </form>
    </details>
  );
};

const isChosen = ({ query }: Visit, days: string): boolean =>
  !query.has("from") && !query.has("to") && (query.get("days") ?? INITIAL) === days;

async function show(visit: Visit): Promise<Reply> {
  const { api, url } = visit;
  const reports = await readReports(api, visit);
  if (isRefusal(reports) && reports.reason !== "invalid") return reports;
  const refusal = isRefusal(reports) ? reports : null;
  const head = (
    <>
      <Heading title="Reports">
        <LinkButton to="/reports?view=hours">On-call hours</LinkButton>
        <Segments
          label="Period"
          links={SPANS.map(({ value, label }) => ({
            to: withQuery(url, { days: value === INITIAL ? null : value, from: null, to: null }),
            ...{ label, isCurrent: isChosen(visit, value) },
          }))}
        />
      </Heading>
      <ReportForm {...{ visit, refusal }} names={isRefusal(reports) ? null : reports.names} />
    </>
  );
  if (isRefusal(reports)) return { kind: "page", status: 422, title: "Reports", body: head };
  const csv = (name: string) => `/reports/${name}${url.search}`;
  const isComplete = reports.alerts.complete && reports.people.complete;
  const hasAlerts = reports.alerts.by_hour.some(({ alerts }) => alerts > 0);
  const body = (
    <>
      {head}
      {isComplete ? null : (
        <Notice tone="warn" title="Incomplete report.">
          The report covers only the newest 20,000 alerts and 50,000 notifications.
        </Notice>
      )}
      <Headline reports={reports} />
      {hasAlerts ? (
        <>
          <ByHour reports={reports} csv={csv} />
          <ByWeek reports={reports} csv={csv} />
        </>
      ) : (
        <Empty
          title="No alerts in this period"
          next={{ to: "/integrations", label: "Integrations" }}
        >
          When integrations create alerts, this page shows their distribution and the response
          times.
        </Empty>
      )}
      <ByPerson reports={reports} csv={csv} />
    </>
  );
  return pageReply("Reports", body);
}

const tableAs = (name: string) =>
  page(`/reports/${name}`, async (visit) => {
    const reports = await readReports(visit.api, visit);
    if (isRefusal(reports)) return reports;
    const text = TABLES[name]?.(reports) ?? "";
    return { kind: "file", name: `${name}.csv`, type: "text/csv; charset=utf-8", text };
  });

export const reportsPages: readonly ConsolePage[] = [
  page("/reports", (visit) =>
    visit.query.get("view") === "hours" ? showHours(visit) : show(visit),
  ),
  ...Object.keys(TABLES).map(tableAs),
];
