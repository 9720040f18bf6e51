// Reports: alerts by hour, response times and on-call load.
import { isRefusal } from "../../domain/shared/refusal.ts";
import { Chips } from "../../kernel/console/filters.tsx";
import { Empty, Heading, Notice } from "../../kernel/console/panel.tsx";
import type { Reply } from "../../kernel/console/reply.ts";
import { type ConsolePage, page, type Visit } from "../page.ts";
import { INITIAL, readReports, SPANS, TABLES } from "./report-data.ts";
import { ByHour, ByPerson, ByWeek } from "./report-panels.tsx";

async function show(visit: Visit): Promise<Reply> {
  const { api, url, session } = visit;
  const reports = await readReports(api, visit);
  if (isRefusal(reports)) return reports;
  const csv = (name: string) => `/reports/${name}${url.search}`;
  const isComplete = reports.alerts.complete && reports.people.complete;
  const hasAlerts = reports.alerts.by_hour.some(({ alerts }) => alerts > 0);
  const body = (
    <>
      <Heading title="Reports" lead={`All times in ${session.timeZone}`}>
        <a class="button plain" href="/reports/hours">
          On-call hours
        </a>
        <Chips joined url={url} name="days" label="Period" chips={SPANS} initial={INITIAL} />
      </Heading>
      {isComplete ? null : (
        <Notice tone="warn" title="Incomplete report.">
          The report covers only the newest 20,000 alerts and 50,000 notifications.
        </Notice>
      )}
      {hasAlerts ? (
        <>
          <ByHour reports={reports} csv={csv} />
          <ByWeek reports={reports} csv={csv} now={visit.now} />
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
