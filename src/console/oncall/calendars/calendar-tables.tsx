// The calendars that are read, with the results of their readings: those whose shifts are imported,
// and those of absences.
import type { Child } from "hono/jsx";
import type { AbsenceCalendar } from "../../../features/oncall/absence-calendars/contract.ts";
import type { CalendarImport } from "../../../features/oncall/calendar-imports/contract.ts";
import type { HolidayRegion } from "../../../features/oncall/holidays/contract.ts";
import { Badge } from "../../../kernel/console/badge.tsx";
import { ActionButton } from "../../../kernel/console/form.tsx";
import { Moment } from "../../../kernel/console/moment.tsx";
import { type Column, Table } from "../../../kernel/console/table.tsx";
import { regionChoices } from "../../choices.ts";
import { Who } from "../../people/person-panels.tsx";
import type { Names } from "../../reads.ts";

type Calendar = AbsenceCalendar | CalendarImport;

const Status = ({ it }: { readonly it: Calendar }) => {
  const { last_error: error, failing_since: failingSince, last_read_at: readAt } = it;
  return (
    <>
      {error !== null ? (
        <>
          <Badge tone={failingSince === null ? "warn" : "bad"}>
            {failingSince === null ? "incomplete" : "failing"}
          </Badge>{" "}
          {error}{" "}
        </>
      ) : readAt === null ? null : (
        <>
          <Badge tone="good">read</Badge>{" "}
        </>
      )}
      {readAt === null ? <span class="soft">never read</span> : <Moment at={readAt} />}
    </>
  );
};

/** The columns that all calendars have: the name and the status, with those of the kind between them. */
const columnsOf = <Kind extends Calendar>(
  path: string,
  may: (it: Kind) => boolean,
  columns: readonly Column<Kind>[],
): readonly Column<Kind>[] => [
  {
    title: "Name",
    cell: (it) => (may(it) ? <a href={`${path}/${it.prefix_id}`}>{it.name}</a> : it.name),
  },
  ...columns,
  { title: "Status", cell: (it) => <Status it={it} /> },
  {
    title: "Change",
    kind: "actions",
    cell: (it) =>
      may(it) ? (
        <ActionButton
          to={`${path}/${it.prefix_id}/refresh`}
          label={
            <>
              Read now <span class="unseen">{it.name}</span>
            </>
          }
        />
      ) : null,
  },
];

/** Titles of calendar events whose people are not in the account. */
export const Unmatched = ({ titles }: { readonly titles: readonly string[] }) =>
  titles.length === 0 ? null : (
    <details>
      <summary>
        {titles.length === 50 ? "50 or more" : titles.length} without a known person
      </summary>
      <ul>
        {titles.map((title) => (
          <li>{title === "" ? "(no title)" : title}</li>
        ))}
      </ul>
    </details>
  );

type Imports = {
  readonly imports: readonly CalendarImport[];
  /** Whether the viewer may change one. */
  readonly may: (it: CalendarImport) => boolean;
  /** Names the schedule of each; absent on the page of the schedule. */
  readonly scheduleOf?: (it: CalendarImport) => Child;
};

export const ImportTable = ({ imports, may, scheduleOf }: Imports) => (
  <Table
    label="Calendar imports"
    rows={imports}
    columns={columnsOf<CalendarImport>("/calendars/imports", may, [
      ...(scheduleOf ? [{ title: "Schedule", cell: scheduleOf }] : []),
      { title: "Step", cell: ({ layer }) => layer },
      {
        title: "Shifts",
        cell: ({ shift_count, unmatched }) => (
          <>
            {shift_count}
            <Unmatched titles={unmatched} />
          </>
        ),
      },
    ])}
    empty={
      <p class="soft">Shifts can come from a calendar of another tool: its iCal URL, or a file.</p>
    }
  />
);

type Absences = {
  readonly names: Names;
  readonly calendars: readonly AbsenceCalendar[];
  readonly regions: readonly HolidayRegion[];
};

export const AbsenceCalendarTable = ({ names, calendars, regions }: Absences) => {
  const regionNames = new Map(regionChoices(regions).map(({ value, label }) => [value, label]));
  const sourceOf = ({ region, company_holidays: company }: AbsenceCalendar) =>
    [
      ...(region === null ? [] : [`Public holidays: ${regionNames.get(region) ?? region}`]),
      ...(company ? ["Company holidays"] : []),
    ].join(", ") || "iCal URL";
  return (
    <Table
      label="Absence calendars"
      rows={calendars}
      columns={columnsOf<AbsenceCalendar>("/calendars/absences", () => true, [
        { title: "Person", cell: (it) => <Who names={names} id={it.account_user_id} /> },
        { title: "Source", cell: sourceOf },
      ])}
      empty={
        <p class="soft">
          Absences can be read from a calendar, such as that of an HR tool, or be public holidays.
        </p>
      }
    />
  );
};
