// The viewer's next shifts on all schedules, in their own time zone, and the requests
// for cover that concern them.
import type { OnCallEntry } from "../../../contract/oncall/on-call.ts";
import type { CoverRequest } from "../../../contract/oncall/requests/cover-request.ts";
import type { Schedule } from "../../../contract/oncall/schedule.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { DAY, formatInstant } from "../../../domain/shared/time.ts";
import { mayChangeAssigned } from "../../access/reach.ts";
import { type ConsolePage, page, type Reply, type Visit } from "../../page.ts";
import { OnCallViews } from "../../parts/oncall/on-call-views.tsx";
import { RequestList } from "../../parts/oncall/requests/request-list.tsx";
import { Badge } from "../../parts/shared/badge.tsx";
import { dayAndClockOf, lengthOf } from "../../parts/shared/moment.tsx";
import { Empty, Heading, Panel } from "../../parts/shared/panel.tsx";
import { Table } from "../../parts/shared/table.tsx";
import { allOf } from "../../shared/api.ts";
import { type Names, readNames } from "../../shared/names.ts";

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

/** The path of the form that asks for cover of a shift. */
const askPath = ({ event_id, start_time, end_time, schedule_id }: OnCallEntry) =>
  `/cover_requests/new?${new URLSearchParams({
    event: event_id,
    schedule: schedule_id,
    start: start_time,
    end: end_time,
  })}`;

/** Requests that are open, or whose hours are still to come. */
const isCurrent =
  (now: number) =>
  ({ status, end_datetime: end }: CoverRequest): boolean =>
    status === "open" || Date.parse(end) > now;

type RequestsProps = {
  readonly visit: Visit;
  readonly own: readonly CoverRequest[];
  readonly asked: readonly CoverRequest[];
  readonly names: Names;
};

/** The requests of the viewer and those that others have sent them; nothing if there are none. */
const Requests = ({ visit, own, asked, names }: RequestsProps) => (
  <>
    {asked.length > 0 ? (
      <Panel title="Asked of me" id="asked">
        <RequestList
          {...{ visit, names }}
          requests={asked}
          label="Requests to me"
          empty=""
          isPart
        />
      </Panel>
    ) : null}
    {own.length > 0 ? (
      <Panel title="My requests" id="requests">
        <RequestList {...{ visit, names }} requests={own} label="My requests" empty="" isPart />
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
        { title: "End", cell: ({ end_time }) => when(end_time) },
        {
          title: "Length",
          cell: ({ start_time, end_time }) =>
            lengthOf(Date.parse(end_time) - Date.parse(start_time)),
        },
        {
          title: "Schedule",
          cell: ({ schedule_id: id }) => (
            <a href={`/schedules/${id}`}>
              {schedules.find((it) => it.id === id)?.name ?? "Schedule"}
            </a>
          ),
        },
        { title: "Layer", cell: ({ layer }) => layer },
        { title: "Cover", cell: (it) => <a href={askPath(it)}>Ask for cover</a> },
        {
          title: "Change",
          kind: "actions",
          cell: (it) =>
            mayChangeAssigned(visit, names, "schedule_id", it.schedule_id) ? (
              <a href={shiftPath(it, "/override")}>Override</a>
            ) : (
              <a href={shiftPath(it, "")}>Open</a>
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
  const read = await allOf(
    api.get("/account_users/:id/window_events", { id: accountUserId, ...window }),
    api.every("/schedules"),
    readNames(api),
    api.every("/cover_requests", { account_user_id: accountUserId }),
    api.every("/cover_requests", { account_user_ids: accountUserId }),
  );
  if (isRefusal(read)) return read;
  const [shifts, schedules, names, own, asked] = read;
  const current = isCurrent(now);
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
        <Requests {...{ visit, names, own: own.filter(current), asked: asked.filter(current) }} />
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
