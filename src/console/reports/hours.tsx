// On-call hours by rate class, to be paid: a form and its tables, also as CSV.
import { isRefusal } from "../../domain/shared/refusal.ts";
import { Heading, Panel } from "../../kernel/console/panel.tsx";
import type { Reply } from "../../kernel/console/reply.ts";
import { allOf } from "../api.ts";
import { type ConsolePage, page, type Visit } from "../page.ts";
import { HoursFields } from "./hours-form.tsx";
import { apiQueryOf, readHoursForm } from "./hours-query.ts";
import { HoursByLayer, HoursByPerson } from "./hours-tables.tsx";

const TITLE = "On-call hours";

async function show(visit: Visit): Promise<Reply> {
  const { api, url, session } = visit;
  const form = readHoursForm(visit);
  const query = apiQueryOf(form);
  const [lists, report] = await Promise.all([
    allOf(api.get("/holidays/regions"), api.every("/schedules")),
    isRefusal(query) ? query : api.get("/reports/on_call_hours", query),
  ]);
  if (isRefusal(lists)) return lists;
  if (isRefusal(report) && !["invalid", "malformed"].includes(report.reason)) return report;
  const [regions, schedules] = lists;
  const refusal = isRefusal(report) ? report : null;
  const csv = (by: string) => {
    const query = new URLSearchParams(url.search);
    query.set("by", by);
    return `/reports/hours.csv?${query}`;
  };
  const lead = session.actor.roles.admin
    ? "Hours on call by weekday, night, weekend and holiday"
    : "Your hours on call, and those on the schedules of teams that you administer";
  const body = (
    <>
      <Heading title={TITLE} lead={lead} back={{ to: "/reports", label: "Reports" }} />
      <Panel title="Period and rates" id="rates">
        <HoursFields {...{ form, regions: regions.data, schedules, refusal }} />
      </Panel>
      {isRefusal(report) ? null : (
        <>
          <HoursByPerson hours={report} csv={csv("person")} />
          <HoursByLayer hours={report} schedules={schedules} csv={csv("layer")} />
        </>
      )}
    </>
  );
  const status = refusal ? 422 : 200;
  return { kind: "page", status, title: TITLE, section: "reports", body };
}

async function exportFile(visit: Visit): Promise<Reply> {
  const query = apiQueryOf(readHoursForm(visit));
  if (isRefusal(query)) return query;
  const by = visit.query.get("by") ?? "person";
  const text = await visit.api.get("/reports/on_call_hours.csv", { ...query, by });
  if (isRefusal(text)) return text;
  return { kind: "file", name: "on-call-hours.csv", type: "text/csv; charset=utf-8", text };
}

export const hoursPages: readonly ConsolePage[] = [
  page("/reports/hours", show),
  page("/reports/hours.csv", exportFile),
];
