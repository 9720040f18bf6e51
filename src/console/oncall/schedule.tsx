// The page of a schedule: the calendar, and the same shifts as a list, the coverage, each person's
// hours and the events.

import { isRefusal } from "../../domain/shared/refusal.ts";
import type { ScheduleConflicts } from "../../features/oncall/absences/contract.ts";
import type { CalendarImport } from "../../features/oncall/calendar-imports/contract.ts";
import type { Event } from "../../features/oncall/events/contract.ts";
import type { ScheduleChange } from "../../features/oncall/history/contract.ts";
import type { Schedule } from "../../features/oncall/schedules/contract.ts";
import { changedParameters, NOTHING_CHANGED } from "../../kernel/console/changed.ts";
import { Chips } from "../../kernel/console/filters.tsx";
import { ActionButton, Button, Form, TextField } from "../../kernel/console/form.tsx";
import { Heading, LinkButton, Notice, Panel } from "../../kernel/console/panel.tsx";
import { done, notDone, pageReply, type Reply } from "../../kernel/console/reply.ts";
import { textOf } from "../../kernel/console/values.ts";
import { mayChangeAssigned, whySharedIsFixed } from "../access/reach.ts";
import { action, type ConsolePage, idOf, page, pathOf, type Visit } from "../page.ts";
import { allOf, type PageProps, readNames } from "../reads.ts";
import { calendarOf, withScheduleColours } from "./calendar-data.ts";
import { ImportTable } from "./calendars/calendar-tables.tsx";
import { Conflicts } from "./conflicts.tsx";
import { EventTable } from "./events/event-table.tsx";
import { showHistory } from "./history.tsx";
import { JustChanged, recentChanges } from "./history-list.tsx";
import { listedZone, type OnCall, readOnCall, type Span, spanOf, VIEWS } from "./on-call-window.ts";
import { PeriodSteps } from "./period-steps.tsx";
import { ScheduleCalendar } from "./schedule-calendar.tsx";
import { ClockNotices, SharedNotice, StartNotices, Unused, UsedBy } from "./schedule-notices.tsx";
import { CoverageTables, TurnList } from "./turns.tsx";

/** The zone of most of a schedule's events; the viewer's if it has none. */
function zoneOfEvents(events: readonly Event[], otherwise: string): string {
  const counts = new Map<string, number>();
  for (const { time_zone } of events) counts.set(time_zone, (counts.get(time_zone) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? listedZone(otherwise);
}

type ScheduleProps = PageProps<{
  schedule: Schedule;
  events: readonly Event[];
  span: Span;
  theirs: string;
  may: boolean;
  imports: readonly CalendarImport[];
  away: ScheduleConflicts;
  changes: readonly ScheduleChange[];
}>;

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

const Body = ({ shown, onCall }: { readonly shown: ScheduleProps; readonly onCall: OnCall }) => {
  const { visit, schedule, names, span, may } = shown;
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
      <JustChanged visit={visit} path={path} mayChange={may} changes={shown.changes} />
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
      <StartNotices {...{ onCall, events: shown.events, zone }} />
      <Conflicts names={names} conflicts={shown.away.conflicts} />
      <ScheduleCalendar
        schedule={schedule.prefix_id}
        span={span}
        may={may}
        data={calendarOf({
          ...{ onCall, events: shown.events, names, zone: span.zone },
          viewer: visit.session.actor.accountUserId,
        })}
      />
      <Panel title="Shifts" id="turns">
        <TurnList
          {...{ turns: onCall.turns, names, zone, scheduleId: schedule.prefix_id }}
          events={shown.events}
          view={span.view}
        />
      </Panel>
      <Panel title="Coverage and hours" id="coverage">
        <CoverageTables
          coverage={onCall.coverage}
          names={names}
          zone={zone}
          events={shown.events}
        />
      </Panel>
      <Panel title="Events" id="events">
        {shown.events.length > 0 && shown.events.every((it) => it.import_id !== null) ? (
          <p class="soft">All shifts of this schedule come from calendar imports.</p>
        ) : (
          <EventTable
            {...{ names, schedule, may, events: shown.events }}
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

async function show(visit: Visit): Promise<Reply> {
  const { api, query, session, now } = visit;
  const id = idOf(visit);
  const span = spanOf(query, session.timeZone, now);
  const read = await allOf(
    api.get("/schedules/:id", { id }),
    readNames(api),
    api.every("/schedules/:id/events", { id }),
    readOnCall(api, id, span),
    api.every("/calendar_imports", { schedule_id: id }),
    api.get("/schedules/:id/conflicts", { id }),
    api.get("/schedules/:id/changes", { id, ...recentChanges(now) }),
  );
  if (isRefusal(read)) return read;
  const [schedule, known, events, onCall, imports, away, { data: changes }] = read;
  const names = withScheduleColours(known, events, onCall.turns);
  const theirs = zoneOfEvents(events, session.timeZone);
  const may = mayChangeAssigned(visit, names, "schedule_id", schedule.id);
  const shown = { visit, schedule, names, events, span, theirs, may, imports, away, changes };
  return pageReply(schedule.name, <Body shown={shown} onCall={onCall} />);
}

async function rename(visit: Visit): Promise<Reply> {
  const to = pathOf("/schedules", visit);
  const schedule = await visit.api.get("/schedules/:id", { id: idOf(visit) });
  if (isRefusal(schedule)) return notDone(to, schedule);
  const body = changedParameters({ name: textOf(visit.form, "name") }, schedule);
  if (Object.keys(body).length === 0) return done(to, NOTHING_CHANGED);
  const changed = await visit.api.put("/schedules/:id", { ...body, id: idOf(visit) });
  return isRefusal(changed) ? notDone(to, changed) : done(to, "Schedule renamed.");
}

export const schedulePages: readonly ConsolePage[] = [
  page("/schedules/:id", (visit) =>
    visit.query.get("view") === "history" ? showHistory(visit) : show(visit),
  ),
  action("/schedules/:id", rename),
];
