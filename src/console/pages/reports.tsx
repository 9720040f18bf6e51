// Reports: when alerts come, how fast somebody has them, what nobody answered, and what it costs people.
import { isRefusal } from "../../domain/refusal.ts";
import { type ConsolePage, page, type Reply, type Visit } from "../page.ts";
import { Chips } from "../parts/filters.tsx";
import { Empty, Heading, Notice } from "../parts/panel.tsx";
import { ByHour, ByPerson, ByWeek } from "../parts/report-panels.tsx";
import { INITIAL, readReports, SPANS, TABLES } from "../reports.ts";

async function show(visit: Visit): Promise<Reply> {
  const { api, url, session } = visit;
  const reports = await readReports(api, visit);
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

const tableAs = (name: string) =>
  page(`/reports/${name}`, async (visit) => {
    const reports = await readReports(visit.api, visit);
    if (isRefusal(reports)) return reports;
    const text = TABLES[name]?.(reports) ?? "";
    return { kind: "file", name: `${name}.csv`, type: "text/csv; charset=utf-8", text };
  });

export const reportsPages: readonly ConsolePage[] = [
  page("/reports", show),
  ...Object.keys(TABLES).map(tableAs),
];
