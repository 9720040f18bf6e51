// The page of a schedule: the calendar, and the same shifts as a list, the coverage, each person's
// hours and the events.
import { isRefusal } from "../../domain/shared/refusal.ts";
import type { Event } from "../../features/oncall/events/contract.ts";
import type { Schedule } from "../../features/oncall/schedules/contract.ts";
import { changedParameters, NOTHING_CHANGED } from "../../kernel/console/changed.ts";
import { Chips } from "../../kernel/console/filters.tsx";
import { ActionButton, Button, Form, TextField } from "../../kernel/console/form.tsx";
import { DayAndClock } from "../../kernel/console/moment.tsx";
import { Empty, Heading, LinkButton, Notice, Panel } from "../../kernel/console/panel.tsx";
import { done, notDone, outcome, pageReply, type Reply } from "../../kernel/console/reply.ts";
import { Table } from "../../kernel/console/table.tsx";
import { textOf } from "../../kernel/console/values.ts";
import { mayChangeAssigned, whySharedIsFixed } from "../access/reach.ts";
import { action, type ConsolePage, idOf, page, pathOf, type Visit } from "../page.ts";
import { Everybody } from "../people/person-panels.tsx";
import { allByName, type ReadBy, readNames, type WithNames, type WithVisit } from "../reads.ts";
import { calendarOf, withScheduleColours } from "./calendar-data.ts";
import { ImportTable } from "./calendars/calendar-tables.tsx";
import { Conflicts } from "./conflicts.tsx";
import { JustChanged, recentChanges, showHistory } from "./history.tsx";
import { listedZone, readOnCall, spanOf, VIEWS } from "./on-call-window.ts";
import { copyPath, isCopied } from "./rotation/copied-rotation.ts";
import { TEMPLATES } from "./rotation/templates.ts";
import { PeriodSteps, ScheduleCalendar } from "./schedule-calendar.tsx";
import { ClockNotices, SharedNotice, StartNotices, Unused, UsedBy } from "./schedule-notices.tsx";
import { ruleOf } from "./shift-kind.ts";
import { CoverageTables, TurnList } from "./turns.tsx";

/** The zone of most of a schedule's events; the viewer's if it has none. */
function zoneOfEvents(events: readonly Event[], otherwise: string): string {
  const counts = new Map<string, number>();
  for (const { time_zone } of events) counts.set(time_zone, (counts.get(time_zone) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? listedZone(otherwise);
}

type ScheduleProps = WithVisit<ReadBy<typeof readSchedule>>;

const ZoneChips = ({ visit: { session }, span, theirs }: ScheduleProps) =>
  theirs === session.timeZone ? (
    <span class="soft">All times in {span.zone}</span>
  ) : (
    <Chips
      joined
      name="zone"
      label="Time zone"
      chips={[
        { value: "mine", label: `My time zone: ${session.timeZone}` },
        { value: theirs, label: `Schedule: ${theirs}` },
      ]}
    />
  );

const Settings = ({ visit: { session }, schedule }: ScheduleProps) => {
  const path = `/schedules/${schedule.prefix_id}`;
  return (
    <Panel title="Schedule settings" id="settings">
      <Form to={path} kind="fields">
        <TextField name="name" label="Name" value={schedule.name} required />
        <Button tone="plain">Rename schedule</Button>
      </Form>
      <div class="buttons">
        <ActionButton to={`${path}/flush`} label="Remove all events" tone="danger" />
        {session.actor.roles.admin ? (
          <ActionButton to={`${path}/delete`} label="Delete schedule" tone="danger" />
        ) : null}
      </div>
    </Panel>
  );
};

type EventTableProps = WithNames<{
  events: readonly Event[];
  schedule: Schedule;
  /** Whether the viewer may change the schedule. */
  may: boolean;
  isAdmin: boolean;
}>;

const EventTable = ({ events, names, schedule, may, isAdmin }: EventTableProps) => (
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

const Body = (shown: ScheduleProps) => {
  const { visit, schedule, names, events, onCall, span, may } = shown;
  const { zone } = span;
  const path = `/schedules/${schedule.prefix_id}`;
  const teams = names.teams.filter((it) => it.schedule_id === schedule.id);
  const why = whySharedIsFixed(visit, names, "schedule_id", schedule.id);
  // Past gaps are red in the calendar but need no action.
  const hasGaps = onCall.coverage.layers.some(({ gaps }) =>
    gaps.some(({ end_time }) => Date.parse(end_time) > visit.now),
  );
  return (
    <>
      <Heading
        title={schedule.name}
        back={{ to: "/on-call", label: "On call" }}
        lead={teams.length > 0 ? <UsedBy teams={teams} /> : null}
      >
        {may ? (
          <>
            <LinkButton to={`${path}/rotations/new`} tone="primary">
              Add rotation
            </LinkButton>
            <LinkButton to={`${path}/events/new`}>Add shift</LinkButton>
          </>
        ) : null}
        <LinkButton to={`${path}?view=history`}>History</LinkButton>
      </Heading>
      <JustChanged visit={visit} path={path} mayChange={may} changes={shown.changes.data} />
      <div class="calendar-bar">
        <PeriodSteps span={span} />
        <div class="buttons">
          <ZoneChips {...shown} />
          <Chips joined name="view" label="View" chips={VIEWS} />
        </div>
      </div>
      {teams.length === 0 ? <Unused isAdmin={visit.session.actor.roles.admin} /> : null}
      <SharedNotice why={why} />
      <ClockNotices span={span} theirs={shown.theirs} />
      {hasGaps ? (
        <Notice tone="bad" title="Coverage gaps.">
          At some times nobody is on call on a step. Gaps are red in the calendar and{" "}
          <a href="#coverage">listed below</a>.
        </Notice>
      ) : null}
      <StartNotices {...{ onCall, events, zone }} />
      <Conflicts names={names} conflicts={shown.away.conflicts} />
      <ScheduleCalendar
        schedule={schedule.prefix_id}
        span={span}
        may={may}
        data={calendarOf({
          ...{ onCall, events, names, zone },
          viewer: visit.session.actor.accountUserId,
        })}
      />
      <Panel title="Shifts" id="turns">
        <TurnList
          {...{ turns: onCall.turns, names, zone, scheduleId: schedule.prefix_id, events }}
          view={span.view}
        />
      </Panel>
      <Panel title="Coverage and hours" id="coverage">
        <CoverageTables coverage={onCall.coverage} {...{ names, zone, events }} />
      </Panel>
      <Panel title="Events" id="events">
        {events.length > 0 && events.every((it) => it.import_id !== null) ? (
          <p class="soft">All shifts of this schedule come from calendar imports.</p>
        ) : (
          <EventTable
            {...{ names, schedule, may, events }}
            isAdmin={visit.session.actor.roles.admin}
          />
        )}
      </Panel>
      {may || shown.imports.length > 0 ? (
        <Panel
          title="Calendar imports"
          id="imports"
          aside={
            may ? (
              <a href={`/calendars/imports/new?schedule=${schedule.id}`}>Import calendar</a>
            ) : null
          }
        >
          <ImportTable imports={shown.imports} may={() => may} />
        </Panel>
      ) : null}
      {may ? <Settings {...shown} /> : null}
    </>
  );
};

async function readSchedule(visit: Visit) {
  const { api, query, session, now } = visit;
  const id = idOf(visit);
  const span = spanOf(query, session.timeZone, now);
  const read = await allByName({
    schedule: api.get("/schedules/:id", { id }),
    names: readNames(api),
    events: api.every("/schedules/:id/events", { id }),
    onCall: readOnCall(api, id, span),
    imports: api.every("/calendar_imports", { schedule_id: id }),
    away: api.get("/schedules/:id/conflicts", { id }),
    changes: api.get("/schedules/:id/changes", { id, ...recentChanges(now) }),
  });
  if (isRefusal(read)) return read;
  const names = withScheduleColours(read.names, read.events, read.onCall.turns);
  const theirs = zoneOfEvents(read.events, session.timeZone);
  const may = mayChangeAssigned(visit, names, "schedule_id", read.schedule.id);
  return { ...read, names, span, theirs, may };
}

async function show(visit: Visit): Promise<Reply> {
  const read = await readSchedule(visit);
  return isRefusal(read) ? read : pageReply(read.schedule.name, <Body {...{ visit, ...read }} />);
}

async function rename(visit: Visit): Promise<Reply> {
  const to = pathOf("/schedules", visit);
  const schedule = await visit.api.get("/schedules/:id", { id: idOf(visit) });
  if (isRefusal(schedule)) return notDone(to, schedule);
  const body = changedParameters({ name: textOf(visit.form, "name") }, schedule);
  if (Object.keys(body).length === 0) return done(to, NOTHING_CHANGED);
  const changed = await visit.api.put("/schedules/:id", { ...body, id: idOf(visit) });
  return outcome(changed, to, "Schedule renamed.");
}

export const schedulePages: readonly ConsolePage[] = [
  page("/schedules/:id", (visit) =>
    visit.query.get("view") === "history" ? showHistory(visit) : show(visit),
  ),
  action("/schedules/:id", rename),
];
