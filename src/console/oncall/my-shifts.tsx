// The viewer's next shifts on all schedules, in their own time zone.
import type { OnCallEntry } from "../../features/oncall/on-call/contract.ts";
import type { Schedule } from "../../features/oncall/schedules/contract.ts";
import { Badge } from "../../kernel/console/badge.tsx";
import { isWhole, Unfold } from "../../kernel/console/folded.tsx";
import { lengthOf } from "../../kernel/console/lengths.ts";
import { dayAndClockOf } from "../../kernel/console/moment.tsx";
import { Table } from "../../kernel/console/table.tsx";
import { mayChangeAssigned } from "../access/reach.ts";
import type { PageProps } from "../reads.ts";
import { shiftAbsencePath } from "./absences/absence-form.ts";

/** More are behind a link. */
const FEW_SHIFTS = 5;

type ShiftsProps = PageProps<{
  shifts: readonly OnCallEntry[];
  schedules: readonly Schedule[];
  /** How many days ahead they are. */
  days: number;
}>;

/** The path of a form or page about a shift. */
const shiftPath = ({ event_id, start_time, schedule_id }: OnCallEntry, change: string) =>
  `/events/${event_id}?${new URLSearchParams({
    ...{ at: start_time, schedule: schedule_id },
    ...(change !== "" && { change }),
  })}`;

export const MyShifts = ({ visit, shifts, schedules, names, days }: ShiftsProps) => {
  const { now, session, url } = visit;
  const shown = isWhole(url, "shifts") ? shifts : shifts.slice(0, FEW_SHIFTS);
  const when = (at: string) => dayAndClockOf(at, session.timeZone, now);
  if (shifts.length === 0)
    return <p class="soft">{`You are not on call in the next ${days} days.`}</p>;
  return (
    <>
      <Table
        label="My shifts"
        rows={shown}
        columns={[
          {
            title: "Start",
            cell: ({ start_time }) => (
              <>
                {when(start_time)}{" "}
                {Date.parse(start_time) <= now ? <Badge tone="busy">now</Badge> : null}
              </>
            ),
          },
          {
            title: "End",
            cell: ({ start_time, end_time }) => (
              <>
                {when(end_time)}{" "}
                <span class="soft">{lengthOf(Date.parse(end_time) - Date.parse(start_time))}</span>
              </>
            ),
          },
          {
            title: "Schedule",
            cell: ({ schedule_id: id, layer }) => (
              <>
                <a href={`/schedules/${id}`}>
                  {schedules.find((it) => it.id === id)?.name ?? "Schedule"}
                </a>
                , step {layer}
              </>
            ),
          },
          {
            title: "Change",
            kind: "actions",
            cell: (it) => (
              <div class="buttons">
                <a href={shiftAbsencePath(it)}>I can't</a>
                {mayChangeAssigned(visit, names, "schedule_id", it.schedule_id) ? (
                  <a href={shiftPath(it, "override")}>Override</a>
                ) : (
                  <a href={shiftPath(it, "")}>Open</a>
                )}
              </div>
            ),
          },
        ]}
      />
      {shown.length < shifts.length ? (
        <Unfold part="shifts">{`All ${shifts.length} shifts of the next ${days} days`}</Unfold>
      ) : null}
    </>
  );
};
