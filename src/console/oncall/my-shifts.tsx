// The viewer's next shifts on all schedules, in their own time zone, what is asked of them, and their
// absences.
import { isRefusal } from "../../domain/shared/refusal.ts";
import { DAY, formatInstant } from "../../domain/shared/time.ts";
import type { Absence } from "../../features/oncall/absences/contract.ts";
import type { OnCallEntry } from "../../features/oncall/on-call/contract.ts";
import type { Schedule } from "../../features/oncall/schedules/contract.ts";
import { Badge } from "../../kernel/console/badge.tsx";
import { dayAndClockOf, lengthOf } from "../../kernel/console/moment.tsx";
import { Empty, Heading, Panel } from "../../kernel/console/panel.tsx";
import type { Reply } from "../../kernel/console/reply.ts";
import { Table } from "../../kernel/console/table.tsx";
import { mayChangeAssigned } from "../access/reach.ts";
import { allOf } from "../api.ts";
import { type Names, readNames } from "../names.ts";
import { type ConsolePage, page, type Visit } from "../page.ts";
import { shiftAbsencePath } from "./absences/absence-form.ts";
import { AbsenceList, isAnswerable } from "./absences/absence-list.tsx";
import { OnCallViews } from "./on-call-views.tsx";

const AHEAD_DAYS = 60;
const MOST_SHIFTS = 100;

type ShiftsProps = {
  readonly visit: Visit;
  readonly shifts: readonly OnCallEntry[];
  readonly schedules: readonly Schedule[];
  readonly names: Names;
};

/** The path of a form or page about a shift. */
const shiftPath = ({ event_id, start_time, schedule_id }: OnCallEntry, what: string) =>
  `/events/${event_id}${what}?${new URLSearchParams({ at: start_time, schedule: schedule_id })}`;

type AbsencesProps = {
  readonly visit: Visit;
  /** Those of the viewer that are not over. */
  readonly own: readonly Absence[];
  /** Those for which the viewer is asked. */
  readonly asked: readonly Absence[];
  readonly names: Names;
};

/** What is asked of the viewer, and their own absences; nothing if there are none. */
const Absences = ({ visit, own, asked, names }: AbsencesProps) => (
  <>
    {asked.length > 0 ? (
      <Panel title="Asked of me" id="asked">
        <AbsenceList {...{ visit, names }} absences={asked} label="Asked of me" empty="" isPart />
      </Panel>
    ) : null}
    {own.length > 0 ? (
      <Panel title="My absences" id="away">
        <AbsenceList {...{ visit, names }} absences={own} label="My absences" empty="" isPart />
      </Panel>
    ) : null}
  </>
);

const Shifts = ({ visit, shifts, schedules, names }: ShiftsProps) => {
  const { now, session } = visit;
  const when = (at: string) => dayAndClockOf(at, session.timeZone, now);
  return (
    <Table
      label="My shifts"
      rows={shifts}
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
              , layer {layer}
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
                <a href={shiftPath(it, "/override")}>Override</a>
              ) : (
                <a href={shiftPath(it, "")}>Open</a>
              )}
            </div>
          ),
        },
      ]}
      empty={
        <Empty title="No shifts">{`You are not on call in the next ${AHEAD_DAYS} days.`}</Empty>
      }
    />
  );
};

async function show(visit: Visit): Promise<Reply> {
  const { api, now, session, url } = visit;
  const window = { start: formatInstant(now), end: formatInstant(now + AHEAD_DAYS * DAY) };
  const { accountUserId } = session.actor;
  const current = {
    ...{ ops: "end_datetime:gte", end_datetime: window.start },
    ...{ sort: "start_datetime", direction: "asc" },
  };
  const read = await allOf(
    api.get("/account_users/:id/window_events", { id: accountUserId, ...window }),
    api.every("/schedules"),
    readNames(api),
    api.every("/absences", { account_user_id: accountUserId, ...current }),
    api.every("/absences", { account_user_ids: accountUserId, ...current }),
  );
  if (isRefusal(read)) return read;
  const [shifts, schedules, names, own, asked] = read;
  return {
    kind: "page",
    title: "My shifts",
    section: "on-call",
    body: (
      <>
        <Heading
          title="My shifts"
          lead={`The next ${AHEAD_DAYS} days. All times in ${session.timeZone}`}
        >
          <OnCallViews path={url.pathname} />
        </Heading>
        <Absences
          {...{ visit, names, own }}
          asked={asked.filter((it) => isAnswerable(it, visit))}
        />
        <Shifts
          visit={visit}
          shifts={shifts.slice(0, MOST_SHIFTS)}
          schedules={schedules}
          names={names}
        />
      </>
    ),
  };
}

export const myShiftsPages: readonly ConsolePage[] = [page("/on-call/mine", show)];
