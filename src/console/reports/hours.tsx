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
  type FormState,
  SelectField,
  TextField,
} from "../../kernel/console/form.tsx";
import { Heading, Panel } from "../../kernel/console/panel.tsx";
import { PickMany } from "../../kernel/console/pick-many.tsx";
import type { Reply } from "../../kernel/console/reply.ts";
import { type Column, Table } from "../../kernel/console/table.tsx";
import { fieldText, listOf, type Values } from "../../kernel/console/values.ts";
import { choicesOf, regionChoices, zoneChoices } from "../choices.ts";
import { WEEK } from "../oncall/rotation/hours-fields.tsx";
import { type ConsolePage, page, type Visit } from "../page.ts";
import { allOf } from "../reads.ts";
import { holidayText } from "./holiday-words.ts";
import { Csv } from "./report-panels.tsx";

// The form of the page of on-call hours: its values from the query string, and the query of the API
// that they stand for.

const textOf = (day: number) => formatInstant(day * DAY).slice(0, 10);

/** The values of the form; at first the last month, in the viewer's time zone. */
function readHoursForm({ query, session, now }: Visit): Values {
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
    company_holidays: !isSubmitted || query.has("company_holidays"),
    night_start: text("night_start", "22:00"),
    night_end: text("night_end", "06:00"),
    weekend_days: isSubmitted ? query.getAll("weekend_days[]") : ["6", "0"],
    schedule: text("schedule", ""),
  };
}

/** The query of the API; a refusal if the days or the zone are invalid. */
function apiQueryOf(form: Values): Readonly<Record<string, string>> | Refusal {
  const text = (name: string) => fieldText(form, name);
  const [from, to] = [parseDate(text("from")), parseDate(text("to"))];
  const faults: FieldError[] = [];
  if (from === null) faults.push({ field: "from", message: "from is not a date" });
  if (to === null) faults.push({ field: "to", message: "to is not a date" });
  if (!isKnownZone(text("zone")))
    faults.push({ field: "zone", message: "zone is not a time zone" });
  if (from === null || to === null || faults.length > 0) return refuseFields(faults);
  const zone = zoneOf(text("zone"));
  const midnight = (day: number) => formatInstant(instantOf(zone, day * DAY));
  return {
    start: midnight(from),
    end: midnight(to + 1),
    time_zone: text("zone"),
    night_start: text("night_start"),
    night_end: text("night_end"),
    // A parameter without any text would be left out, and mean the usual days.
    weekend_days: listOf(form, "weekend_days").join(",") || ",",
    holiday_region: text("region"),
    company_holidays: text("company_holidays"),
    schedule_ids: text("schedule"),
  };
}

/** The fields that stand for parameters of the API with other names. */
const OWN_NAMES: Readonly<Record<string, string>> = {
  start: "from",
  end: "to",
  time_zone: "zone",
  holiday_region: "region",
  schedule_ids: "schedule",
};

/** A refusal of the API as one of the form's fields. */
const ofForm = (refusal: Refusal): Refusal => ({
  ...refusal,
  errors: refusal.errors.map(({ field = "", message }) => {
    const own = OWN_NAMES[field];
    return own ? { field: own, message: message.replace(field, own) } : { field, message };
  }),
});

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

type HoursFieldsProps = {
  readonly of: FormState;
  readonly regions: readonly HolidayRegion[];
  readonly schedules: readonly Schedule[];
};

const HoursFields = ({ of, regions, schedules }: HoursFieldsProps) => (
  <form class="fields" method="get" action="/reports">
    <input type="hidden" name="view" value="hours" />
    <FormFaults refusal={of.refusal} fields={Object.keys(of.values)} />
    <div class="side-by-side">
      <TextField {...{ of, name: "from", label: "First day", type: "date", required: true }} />
      <TextField {...{ of, name: "to", label: "Last day", type: "date", required: true }} />
    </div>
    <div class="side-by-side">
      <SelectField
        {...{ of, name: "schedule", label: "Schedule" }}
        choices={[{ value: "", label: "All schedules" }, ...choicesOf(schedules)]}
      />
      <SelectField
        {...{ of, name: "zone", label: "Time zone" }}
        choices={zoneChoices(fieldText(of.values, "zone"))}
      />
    </div>
    <SelectField
      {...{ of, name: "region", label: "Public holidays of" }}
      choices={[{ value: "", label: "No public holidays" }, ...regionChoices(regions)]}
    />
    <CheckField
      {...{ of, name: "company_holidays", label: "Company holidays" }}
      help={
        <>
          The days in <a href="/calendars#holidays">the company's own list</a> count as holidays.
        </>
      }
    />
    <div class="side-by-side">
      <TextField
        {...{ of, name: "night_start", label: "Night from", type: "time", required: true }}
      />
      <TextField
        {...{ of, name: "night_end", label: "Night until", type: "time", required: true }}
      />
    </div>
    <PickMany {...{ of, name: "weekend_days", label: "Weekend days", choices: WEEK }} />
    <Button>Calculate hours</Button>
  </form>
);

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
  const refusal = isRefusal(report) ? ofForm(report) : null;
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
        <HoursFields {...{ of: { values: form, refusal }, regions: regions.data, schedules }} />
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
