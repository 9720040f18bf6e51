// The events of a schedule; or, while there are none, the ways to begin.
import type { Event } from "../../../features/oncall/events/contract.ts";
import type { Schedule } from "../../../features/oncall/schedules/contract.ts";
import { DayAndClock } from "../../../kernel/console/moment.tsx";
import { Empty } from "../../../kernel/console/panel.tsx";
import { Table } from "../../../kernel/console/table.tsx";
import { ruleOf } from "../../oncall/recurrence-text.ts";
import { copyPath, isCopied } from "../../oncall/rotation/copied-rotation.ts";
import { TEMPLATES } from "../../oncall/rotation/templates.ts";
import { Everybody } from "../../people/person-panels.tsx";
import type { WithNames } from "../../reads.ts";

type EventTableProps = WithNames<{
  events: readonly Event[];
  schedule: Schedule;
  /** Whether the viewer may change the schedule. */
  may: boolean;
  isAdmin: boolean;
}>;

export const EventTable = ({ events, names, schedule, may, isAdmin }: EventTableProps) => (
  <Table
    label="Events of this schedule"
    rows={events.filter(({ import_id }) => import_id === null)}
    columns={[
      { title: "People", cell: (it) => <Everybody names={names} ids={it.account_user_ids} /> },
      { title: "Step", cell: ({ layer }) => layer },
      {
        title: "First shift",
        cell: (it) => <DayAndClock at={it.start_datetime} zone={it.time_zone} />,
      },
      { title: "Repeats", cell: (it) => (it.parent_id ? "override" : ruleOf(it)) },
      { title: "Time zone", cell: (it) => it.time_zone },
      {
        title: "Change",
        kind: "actions",
        cell: (it) => (
          <>
            <a href={`/events/${it.prefix_id}?schedule=${schedule.prefix_id}`}>Open</a>
            {may && isCopied(it) ? (
              <>
                {" "}
                <a href={copyPath(it)}>Copy</a>
              </>
            ) : null}
          </>
        ),
      },
    ]}
    empty={
      <Empty
        title="No shifts yet"
        {...(isAdmin && {
          next: { to: `/schedules/${schedule.prefix_id}/rotations/new`, label: "Add rotation" },
        })}
      >
        {isAdmin ? (
          <>
            In a rotation, people take turns being on call:{" "}
            {TEMPLATES.map(({ value, label }, at) => (
              <>
                {at === 0 ? null : " · "}
                <a href={`/schedules/${schedule.prefix_id}/rotations/new?template=${value}`}>
                  {label}
                </a>
              </>
            ))}
          </>
        ) : (
          "An admin of the team can add shifts."
        )}
      </Empty>
    }
  />
);
