// The calendar imports of a schedule, with the results of their readings.
import type { CalendarImport } from "../../../contract/calendars/calendar-import.ts";
import type { Visit } from "../../page.ts";
import { Badge } from "../shared/badge.tsx";
import { ActionButton } from "../shared/form.tsx";
import { Moment } from "../shared/moment.tsx";
import { Panel } from "../shared/panel.tsx";
import { Table } from "../shared/table.tsx";

type ImportsProps = {
  readonly visit: Visit;
  /** The path of the schedule's page. */
  readonly path: string;
  readonly imports: readonly CalendarImport[];
  readonly may: boolean;
};

const State = ({ visit, it }: { readonly visit: Visit; readonly it: CalendarImport }) => {
  const time = { zone: visit.session.timeZone, now: visit.now };
  return (
    <>
      {it.last_error === null ? (
        <Badge tone="good">imported</Badge>
      ) : (
        <>
          <Badge tone="bad">failing</Badge> {it.last_error}
        </>
      )}
      <div class="soft">
        {it.last_read_at === null ? (
          "never read"
        ) : (
          <>
            read <Moment at={it.last_read_at} {...time} />
          </>
        )}
      </div>
    </>
  );
};

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

/** The schedule's imports with their actions; nothing for a member if there are none. */
export const Imports = ({ visit, path, imports, may }: ImportsProps) =>
  imports.length === 0 && !may ? null : (
    <Panel
      title="Calendar imports"
      id="imports"
      aside={may ? <a href={`${path}/imports/new`}>Import calendar</a> : null}
    >
      <Table
        label="Calendar imports of this schedule"
        rows={imports}
        columns={[
          {
            title: "Name",
            cell: ({ name, prefix_id }) =>
              may ? <a href={`${path}/imports/${prefix_id}`}>{name}</a> : name,
          },
          { title: "Status", cell: (it) => <State visit={visit} it={it} /> },
          { title: "Layer", cell: ({ layer }) => layer },
          {
            title: "Shifts",
            cell: ({ shift_count, unmatched }) => (
              <>
                {shift_count}
                <Unmatched titles={unmatched} />
              </>
            ),
          },
          {
            title: "Change",
            kind: "actions",
            cell: ({ prefix_id, name }) =>
              may ? (
                <div class="buttons">
                  <ActionButton
                    to={`${path}/imports/${prefix_id}/refresh`}
                    session={visit.session}
                    label={
                      <>
                        Read now <span class="unseen">{name}</span>
                      </>
                    }
                  />
                  <ActionButton
                    to={`${path}/imports/${prefix_id}/remove`}
                    session={visit.session}
                    tone="danger"
                    label={
                      <>
                        Remove <span class="unseen">{name}</span>
                      </>
                    }
                  />
                </div>
              ) : null,
          },
        ]}
        empty={
          <p class="soft">
            Shifts can come from a calendar of another tool: its iCal URL, or a file.
          </p>
        }
      />
    </Panel>
  );
