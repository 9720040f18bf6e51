// On-call hours by rate class, to be paid, a view of the reports: a form and its tables, also as CSV.
import { FORMER_MEMBER } from "../../domain/shared/anonymize.ts";
import { civilDate, dayNumber, parseDate } from "../../domain/shared/calendar.ts";
import {
  type FieldError,
  isRefusal,
  type Refusal,
  refuseFields,
} from "../../domain/shared/refusal.ts";
import { DAY, formatInstant, instantOf, localOf, zoneOf } from "../../domain/shared/time.ts";
import { isKnownZone } from "../../domain/shared/time-zones.ts";
import type { Holiday, HolidayRegion } from "../../features/oncall/holidays/contract.ts";
import type { Schedule } from "../../features/oncall/schedules/contract.ts";
import type { OnCallHours, RatedMinutes } from "../../features/reports/on-call-hours/contract.ts";
import {
  Button,
  CheckField,
  FormFaults,
  SelectField,
  TextField,
} from "../../kernel/console/form.tsx";
import { Heading, Panel } from "../../kernel/console/panel.tsx";
import { PickMany } from "../../kernel/console/pick-many.tsx";
import type { Reply } from "../../kernel/console/reply.ts";
import { type Column, Table } from "../../kernel/console/table.tsx";
import { choicesOf, regionChoices, zoneChoices } from "../choices.ts";
import { WEEK } from "../oncall/rotation/hours-fields.tsx";
import { type ConsolePage, page, type Visit } from "../page.ts";
import { allOf } from "../reads.ts";
import { holidayText } from "./holiday-words.ts";
import { Csv } from "./report-panels.tsx";

// The form of the page of on-call hours: its values from the query string, and the query of the API
// that they stand for.

type HoursForm = {
  /** The first and the last day, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  readonly region: string;
  readonly companyHolidays: boolean;
  readonly nightStart: string;
  readonly nightEnd: string;
  /** Sunday is 0. */
  readonly weekendDays: readonly string[];
  /** The id of a schedule; empty: all. */
  readonly schedule: string;
};

const textOf = (day: number) => formatInstant(day * DAY).slice(0, 10);

/** The values of the form; at first the last month, in the viewer's time zone. */
function readHoursForm({ query, session, now }: Visit): HoursForm {
  const today = civilDate(Math.floor(localOf(zoneOf(session.timeZone), now) / DAY));
  const thisMonth = dayNumber(today.year, today.month, 1);
  const lastDay = civilDate(thisMonth - 1);
  const text = (name: string, initial: string) => query.get(name)?.trim() || initial;
  const isSubmitted = query.has("weekend_days[]");
  return {
    from: text("from", textOf(dayNumber(lastDay.year, lastDay.month, 1))),
    to: text("to", textOf(thisMonth - 1)),
    zone: text("zone", session.timeZone),
    region: text("region", ""),
    companyHolidays: !isSubmitted || query.has("company_holidays"),
    nightStart: text("night_start", "22:00"),
    nightEnd: text("night_end", "06:00"),
    weekendDays: isSubmitted
      ? query.getAll("weekend_days[]").filter((day) => day !== "")
      : ["6", "0"],
    schedule: text("schedule", ""),
  };
}

/** The query of the API; a refusal if the days or the zone are invalid. */
function apiQueryOf(form: HoursForm): Readonly<Record<string, string>> | Refusal {
  const [from, to] = [parseDate(form.from), parseDate(form.to)];
  const faults: FieldError[] = [];
  if (from === null) faults.push({ field: "from", message: "from is not a date" });
  if (to === null) faults.push({ field: "to", message: "to is not a date" });
  if (!isKnownZone(form.zone)) faults.push({ field: "zone", message: "zone is not a time zone" });
  if (from === null || to === null || faults.length > 0) return refuseFields(faults);
  const zone = zoneOf(form.zone);
  const midnight = (day: number) => formatInstant(instantOf(zone, day * DAY));
  return {
    start: midnight(from),
    end: midnight(to + 1),
    time_zone: form.zone,
    night_start: form.nightStart,
    night_end: form.nightEnd,
    // A parameter without any text would be left out, and mean the usual days.
    weekend_days: form.weekendDays.join(",") || ",",
    holiday_region: form.region,
    company_holidays: String(form.companyHolidays),
    schedule_ids: form.schedule,
  };
}

type Rated = { readonly minutes: RatedMinutes };

/** Hours with two decimals, rounded as in the CSV. */
const hoursText = (minutes: number) => (Math.round((minutes * 100) / 60) / 100).toFixed(2);

const CLASSES = [
  { title: "Weekday", of: "weekday" },
  { title: "Night", of: "night" },
  { title: "Weekend", of: "weekend" },
  { title: "Holiday", of: "holiday" },
  { title: "Total", of: "total" },
] as const;

const hoursColumns = <Row extends Rated>(): readonly Column<Row>[] =>
  CLASSES.map(({ title, of }) => ({
    title,
    kind: "number",
    cell: ({ minutes }) => hoursText(minutes[of]),
  }));

const Holidays = ({ holidays }: { readonly holidays: readonly Holiday[] }) =>
  holidays.length === 0 ? null : <p class="help">Holidays: {holidayText(holidays)}.</p>;

const HoursByPerson = ({ hours, csv }: { readonly hours: OnCallHours; readonly csv: string }) => (
  <Panel title="Hours by person" id="by-person" aside={<Csv to={csv} />}>
    <p class="help">
      Simultaneous shifts count once. A holiday precedes a weekend, a weekend precedes a night.
    </p>
    <Holidays holidays={hours.holidays} />
    <Table
      label="On-call hours of each person"
      numbers
      rows={hours.by_person}
      columns={[
        { title: "Person", cell: ({ name }) => name ?? FORMER_MEMBER },
        ...hoursColumns<OnCallHours["by_person"][number]>(),
      ]}
      empty={
        <p class="soft">
          Nobody was on call. <a href="/on-call">Open on call</a>.
        </p>
      }
    />
  </Panel>
);

type HoursByLayerProps = {
  readonly hours: OnCallHours;
  readonly schedules: readonly Schedule[];
  readonly csv: string;
};

const HoursByLayer = ({ hours, schedules, csv }: HoursByLayerProps) => {
  const names = new Map(schedules.map(({ id, name }) => [id, name]));
  const rows = hours.by_person.flatMap(({ name, by_layer }) =>
    by_layer.map((it) => ({ ...it, person: name ?? FORMER_MEMBER })),
  );
  if (rows.length === 0) return null;
  return (
    <Panel title="Hours by schedule and step" id="by-layer" aside={<Csv to={csv} />}>
      <Table
        label="On-call hours of each person by schedule and step"
        numbers
        rows={rows}
        columns={[
          { title: "Person", cell: ({ person }) => person },
          { title: "Schedule", cell: (it) => names.get(it.schedule_id) ?? "" },
          { title: "Step", kind: "number", cell: ({ layer }) => layer },
          ...hoursColumns<(typeof rows)[number]>(),
        ]}
      />
    </Panel>
  );
};

/** The API's names of fields whose errors the form shows at the field. */
const FIELDS = [
  ...["from", "start", "to", "end", "zone", "time_zone", "night_start", "night_end"],
  ...["weekend_days", "holiday_region", "schedule_ids"],
];

type HoursFieldsProps = {
  readonly form: HoursForm;
  readonly regions: readonly HolidayRegion[];
  readonly schedules: readonly Schedule[];
  readonly refusal: Refusal | null;
};

const HoursFields = ({ form, regions, schedules, refusal }: HoursFieldsProps) => {
  const names = (refusal?.errors ?? []).map(({ field }) => field);
  /** The parameter whose error a field shows: its own, or the one that it stands for in the API. */
  const parameter = (own: string, other: string) => (names.includes(other) ? other : own);
  return (
    <form class="fields" method="get" action="/reports">
      <input type="hidden" name="view" value="hours" />
      <FormFaults refusal={refusal} fields={FIELDS} />
      <div class="side-by-side">
        <TextField
          {...{ name: "from", label: "First day", type: "date", required: true }}
          {...{ value: form.from, refusal, parameter: parameter("from", "start") }}
        />
        <TextField
          {...{ name: "to", label: "Last day", type: "date", required: true }}
          {...{ value: form.to, refusal, parameter: parameter("to", "end") }}
        />
      </div>
      <div class="side-by-side">
        <SelectField
          {...{ name: "schedule", label: "Schedule", value: form.schedule, refusal }}
          parameter="schedule_ids"
          choices={[{ value: "", label: "All schedules" }, ...choicesOf(schedules)]}
        />
        <SelectField
          {...{ name: "zone", label: "Time zone", value: form.zone, refusal }}
          parameter={parameter("zone", "time_zone")}
          choices={zoneChoices(form.zone)}
        />
      </div>
      <SelectField
        {...{ name: "region", label: "Public holidays of", value: form.region, refusal }}
        parameter="holiday_region"
        choices={[{ value: "", label: "No public holidays" }, ...regionChoices(regions)]}
      />
      <CheckField
        name="company_holidays"
        label="Company holidays"
        help={
          <>
            The days in <a href="/calendars#holidays">the company's own list</a> count as holidays.
          </>
        }
        checked={form.companyHolidays}
      />
      <div class="side-by-side">
        <TextField
          {...{ name: "night_start", label: "Night from", type: "time", required: true }}
          {...{ value: form.nightStart, refusal }}
        />
        <TextField
          {...{ name: "night_end", label: "Night until", type: "time", required: true }}
          {...{ value: form.nightEnd, refusal }}
        />
      </div>
      <PickMany
        {...{ name: "weekend_days", label: "Weekend days", of: { values: {}, refusal } }}
        choices={WEEK}
        chosen={form.weekendDays}
      />
      <Button>Calculate hours</Button>
    </form>
  );
};

const TITLE = "On-call hours";

export async function showHours(visit: Visit): Promise<Reply> {
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
  return { kind: "page", status, title: TITLE, body };
}

async function exportFile(visit: Visit): Promise<Reply> {
  const query = apiQueryOf(readHoursForm(visit));
  if (isRefusal(query)) return query;
  const by = visit.query.get("by") ?? "person";
  const text = await visit.api.get("/reports/on_call_hours.csv", { ...query, by });
  if (isRefusal(text)) return text;
  return { kind: "file", name: "on-call-hours.csv", type: "text/csv; charset=utf-8", text };
}

export const hoursPages: readonly ConsolePage[] = [page("/reports/hours.csv", exportFile)];
