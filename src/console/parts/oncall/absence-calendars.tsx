// The absence calendars, with the results of their readings.
import type { AbsenceCalendar } from "../../../contract/calendars/absence-calendar.ts";
import type { HolidayRegion } from "../../../contract/oncall/holidays/holiday.ts";
import { regionChoices } from "../../forms/choices.ts";
import type { Visit } from "../../page.ts";
import type { Names } from "../../shared/names.ts";
import { Who } from "../people/person.tsx";
import { Badge } from "../shared/badge.tsx";
import { ActionButton } from "../shared/form.tsx";
import { Moment } from "../shared/moment.tsx";
import { Table } from "../shared/table.tsx";

type CalendarsProps = {
  readonly visit: Visit;
  readonly names: Names;
  readonly calendars: readonly AbsenceCalendar[];
  readonly regions: readonly HolidayRegion[];
};

/** The absence calendars that the viewer sees, with the results of their readings. */
export const AbsenceCalendars = ({ visit, names, calendars, regions }: CalendarsProps) => {
  const { session, now } = visit;
  const time = { zone: session.timeZone, now };
  const regionNames = new Map(regionChoices(regions).map(({ value, label }) => [value, label]));
  return (
    <Table
      label="Absence calendars"
      rows={calendars}
      columns={[
        {
          title: "Name",
          cell: ({ name, prefix_id }) => <a href={`/absences/calendars/${prefix_id}`}>{name}</a>,
        },
        { title: "Person", cell: (it) => <Who names={names} id={it.account_user_id} /> },
        {
          title: "Source",
          cell: ({ region, company_holidays }) =>
            [
              region !== null && `Public holidays: ${regionNames.get(region) ?? region}`,
              company_holidays && "Company holidays",
            ]
              .filter(Boolean)
              .join(", ") || "iCal URL",
        },
        {
          title: "Status",
          cell: ({ last_error, failing_since, last_read_at }) => (
            <>
              {last_error === null ? null : (
                <>
                  {failing_since === null ? (
                    <Badge tone="warn">incomplete</Badge>
                  ) : (
                    <Badge tone="bad">failing</Badge>
                  )}{" "}
                  {last_error}{" "}
                </>
              )}
              {last_read_at ? (
                <span class="soft">
                  read <Moment at={last_read_at} {...time} />
                </span>
              ) : null}
            </>
          ),
        },
        {
          title: "Change",
          kind: "actions",
          cell: ({ prefix_id }) => (
            <div class="buttons">
              <ActionButton
                to={`/absences/calendars/${prefix_id}/refresh`}
                session={session}
                label="Read now"
              />
              <ActionButton
                to={`/absences/calendars/${prefix_id}/remove`}
                session={session}
                label="Remove"
                tone="danger"
                confirm="Remove this calendar and the absences that were read from it?"
              />
            </div>
          ),
        },
      ]}
      empty={
        <p class="soft">
          Absences can be read from a calendar, such as that of an HR tool, or be public holidays.
        </p>
      }
    />
  );
};
