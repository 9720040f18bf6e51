// The tables of the report of on-call hours.
import { FORMER_MEMBER } from "../../domain/shared/anonymize.ts";
import type { Holiday } from "../../features/oncall/holidays/contract.ts";
import type { Schedule } from "../../features/oncall/schedules/contract.ts";
import type { OnCallHours, RatedMinutes } from "../../features/reports/on-call-hours/contract.ts";
import { Panel } from "../../kernel/console/panel.tsx";
import { type Column, Table } from "../../kernel/console/table.tsx";
import { holidayText } from "./holiday-words.ts";

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

const Csv = ({ to }: { readonly to: string }) => (
  <a href={to} download>
    CSV
  </a>
);

const Holidays = ({ holidays }: { readonly holidays: readonly Holiday[] }) =>
  holidays.length === 0 ? null : <p class="help">Holidays: {holidayText(holidays)}.</p>;

export const HoursByPerson = ({
  hours,
  csv,
}: {
  readonly hours: OnCallHours;
  readonly csv: string;
}) => (
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
          Nobody was on call. <a href="/schedules">Open schedules</a>.
        </p>
      }
    />
  </Panel>
);

export const HoursByLayer = ({
  hours,
  schedules,
  csv,
}: {
  readonly hours: OnCallHours;
  readonly schedules: readonly Schedule[];
  readonly csv: string;
}) => {
  const names = new Map(schedules.map(({ id, name }) => [id, name]));
  const rows = hours.by_person.flatMap(({ name, by_layer }) =>
    by_layer.map((it) => ({ ...it, person: name ?? FORMER_MEMBER })),
  );
  if (rows.length === 0) return null;
  return (
    <Panel title="Hours by schedule and layer" id="by-layer" aside={<Csv to={csv} />}>
      <Table
        label="On-call hours of each person by schedule and layer"
        numbers
        rows={rows}
        columns={[
          { title: "Person", cell: ({ person }) => person },
          { title: "Schedule", cell: (it) => names.get(it.schedule_id) ?? "" },
          { title: "Layer", kind: "number", cell: ({ layer }) => layer },
          ...hoursColumns<(typeof rows)[number]>(),
        ]}
      />
    </Panel>
  );
};
