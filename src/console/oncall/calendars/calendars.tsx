// Everything that is read or kept as a calendar: shifts, absences and holidays.
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { DAY } from "../../../domain/shared/time.ts";
import type { CompanyHoliday } from "../../../features/oncall/holidays/contract.ts";
import { Button, SelectField } from "../../../kernel/console/form.tsx";
import { Heading, Panel } from "../../../kernel/console/panel.tsx";
import { searchField } from "../../../kernel/console/picker-search.ts";
import { pageReply, type Reply } from "../../../kernel/console/reply.ts";
import { Table } from "../../../kernel/console/table.tsx";
import { mayChangeAssigned } from "../../access/reach.ts";
import { regionChoices } from "../../choices.ts";
import { showWindows } from "../../integrations/maintenance-windows.tsx";
import { wallOf } from "../../oncall/on-call-window.ts";
import { type ConsolePage, page, type Visit } from "../../page.ts";
import { allOf, readNames } from "../../reads.ts";
import { holidayText } from "../../reports/holiday-words.ts";
import { isAdmin } from "../../resource-pages.tsx";
import { OnCallViews } from "../on-call-views.tsx";
import { importable } from "./calendar-forms.tsx";
import { AbsenceCalendarTable, ImportTable } from "./calendar-tables.tsx";

const YEAR_DAYS = 365;

/** The public holidays of the coming year in the region that the query names; none without one. */
async function readHolidays({ api, query, session, now }: Visit) {
  const region = query.get("region") ?? "";
  const [from, to] = [now, now + YEAR_DAYS * DAY].map((at) =>
    wallOf(at, session.timeZone).slice(0, 10),
  );
  if (region === "") return [];
  const read = await api.get("/holidays", { region, from, to });
  // An unknown region, or a year without data, has none.
  return isRefusal(read) ? [] : read.data;
}

const datesText = ({ start_date: start, end_date: end }: CompanyHoliday) =>
  start === end ? start : `${start} – ${end}`;

async function show(visit: Visit): Promise<Reply> {
  const { api, query, session, url } = visit;
  const read = await allOf(
    readNames(api),
    api.every("/schedules"),
    api.every("/calendar_imports"),
    api.every("/absence_calendars"),
    api.every("/company_holidays"),
    api.get("/holidays/regions"),
    readHolidays(visit),
  );
  if (isRefusal(read)) return read;
  const [names, schedules, imports, calendars, companyHolidays, { data: regions }, holidays] = read;
  const nameOf = (id: string) => schedules.find((it) => it.id === id)?.name ?? "Schedule";
  const mayImport = importable(visit, { names, schedules }).length > 0;
  const region = query.get("region") ?? "";
  return pageReply(
    "Calendars",
    <>
      <Heading title="Calendars" lead={`All times in ${session.timeZone}`}>
        <OnCallViews path={url.pathname} />
      </Heading>
      <Panel
        title="Imported shifts"
        id="imports"
        aside={mayImport ? <a href="/calendars/imports/new">Import calendar</a> : null}
      >
        <ImportTable
          imports={imports}
          may={(it) => mayChangeAssigned(visit, names, "schedule_id", it.schedule_id)}
          scheduleOf={({ schedule_id: id }) => <a href={`/schedules/${id}`}>{nameOf(id)}</a>}
        />
      </Panel>
      <Panel
        title="Absences"
        id="absences"
        aside={<a href="/calendars/absences/new">Add absence calendar</a>}
      >
        <AbsenceCalendarTable {...{ names, calendars, regions }} />
      </Panel>
      <Panel
        title="Company holidays"
        id="holidays"
        aside={isAdmin(visit) ? <a href="/calendars/holidays/new">Add company holiday</a> : null}
      >
        <Table
          label="Company holidays"
          rows={companyHolidays}
          columns={[
            {
              title: "Name",
              cell: (it) => <a href={`/calendars/holidays/${it.prefix_id}`}>{it.name}</a>,
            },
            { title: "Dates", cell: datesText },
            { title: "Repeats", cell: (it) => (it.repeats_yearly ? "every year" : "") },
          ]}
          empty={
            <p class="soft">
              Days that count as holidays in on-call hours, beside the public ones. An absence
              calendar can make them days on which a person is away.
            </p>
          }
        />
      </Panel>
      <Panel title="Public holidays" id="public-holidays">
        <form class="fields" method="get" action="/calendars#public-holidays">
          <SelectField
            {...{ name: "region", label: "Region", value: region, source: "regions" }}
            sought={query.get(searchField("region")) ?? ""}
            choices={[{ value: "", label: "No region" }, ...regionChoices(regions)]}
          />
          <Button tone="plain">Show</Button>
        </form>
        {region === "" ? null : (
          <p>{holidayText(holidays) || "No public holidays are known in the next year."}</p>
        )}
      </Panel>
    </>,
  );
}

export const calendarsPages: readonly ConsolePage[] = [
  page("/calendars", (visit) =>
    visit.query.get("view") === "windows" ? showWindows(visit) : show(visit),
  ),
];
