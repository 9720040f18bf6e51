// The page of a schedule: the calendar, and the same shifts as a list, the coverage, each person's
// hours and the events.

import { isRefusal } from "../../domain/shared/refusal.ts";
import { HOUR } from "../../domain/shared/time.ts";
import type { ScheduleConflicts } from "../../features/oncall/absences/contract.ts";
import type { CalendarImport } from "../../features/oncall/calendar-imports/contract.ts";
import type { Event } from "../../features/oncall/events/contract.ts";
import type { ScheduleChange } from "../../features/oncall/history/contract.ts";
import type { Schedule } from "../../features/oncall/schedules/contract.ts";
import { changedParameters, NOTHING_CHANGED } from "../../kernel/console/changed.ts";
import { Chips, withQuery } from "../../kernel/console/filters.tsx";
import { ActionButton, Button, Form, TextField } from "../../kernel/console/form.tsx";
import { Icon } from "../../kernel/console/icons.tsx";
import { dateOf } from "../../kernel/console/moment.tsx";
import { Heading, Notice, Panel } from "../../kernel/console/panel.tsx";
import { done, notDone } from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { textOf } from "../../kernel/console/values.ts";
import { mayChangeAssigned, whySharedIsFixed } from "../access/reach.ts";
import { allOf } from "../api.ts";
import { type Names, readNames } from "../names.ts";
import { action, type ConsolePage, idOf, page, type Visit } from "../page.ts";
import { calendarOf, withScheduleColours } from "./calendar-data.ts";
import { ImportTable } from "./calendars/calendar-tables.tsx";
import { Conflicts, type ShownConflict } from "./conflicts.tsx";
import { EventTable } from "./events/event-table.tsx";
import { JustChanged, recentChanges } from "./history-list.tsx";
import { listedZone, type OnCall, readOnCall, type Span, spanOf, VIEWS } from "./on-call-window.ts";
import { ScheduleCalendar } from "./schedule-calendar.tsx";
import { ClockNotices, StartNotices, Unused, UsedBy } from "./schedule-notices.tsx";
import { CoverageTables, TurnList } from "./turns.tsx";

/** The zone of most of a schedule's events; the viewer's if it has none. */
function zoneOfEvents(events: readonly Event[], otherwise: string): string {
  const counts = new Map<string, number>();
  for (const { time_zone } of events) counts.set(time_zone, (counts.get(time_zone) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? listedZone(otherwise);
}

type ScheduleProps = {
  readonly visit: Visit;
  readonly schedule: Schedule;
  readonly names: Names;
  readonly events: readonly Event[];
  readonly span: Span;
  readonly theirs: string;
  readonly may: boolean;
  readonly imports: readonly CalendarImport[];
  readonly away: ScheduleConflicts;
  readonly changes: readonly ScheduleChange[];
};

const Steps = ({ visit: { url, now }, span }: ScheduleProps) => (
  <div class="buttons">
    <a class="button plain" href={withQuery(url, { from: span.before })} aria-label="Earlier">
      <Icon name="back" />
    </a>
    <a class="button plain" href={withQuery(url, { from: null })}>
      Today
    </a>
    <a class="button plain" href={withQuery(url, { from: span.next })} aria-label="Later">
      <Icon name="forward" />
    </a>
    <strong class="span">
      {dateOf(span.from, span.zone, now)} – {dateOf(span.to - HOUR, span.zone, now)}
    </strong>
  </div>
);

const ZoneChips = ({ visit: { url, session }, span, theirs }: ScheduleProps) =>
  theirs === session.timeZone ? (
    <span class="soft">All times in {span.zone}</span>
  ) : (
    <Chips
      joined
      url={url}
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
      <Form to={path} session={session} kind="fields">
        <TextField name="name" label="Name" value={schedule.name} required />
        <Button tone="plain">Rename schedule</Button>
      </Form>
      <div class="buttons">
        <ActionButton
          to={`${path}/flush`}
          session={session}
          label="Remove all events"
          tone="danger"
        />
        {session.actor.roles.admin ? (
          <ActionButton
            to={`${path}/delete`}
            session={session}
            label="Delete schedule"
            tone="danger"
          />
        ) : null}
      </div>
    </Panel>
  );
};

const conflictsOf = ({ away }: ScheduleProps): readonly ShownConflict[] =>
  away.conflicts.map((it) => ({
    accountUserId: it.account_user_id,
    layer: it.layer,
    start: it.start_time,
    end: it.end_time,
    reason: it.reason,
    absenceId: it.absence_id,
  }));

const Body = ({ shown, onCall }: { readonly shown: ScheduleProps; readonly onCall: OnCall }) => {
  const { visit, schedule, names, span, may } = shown;
  const clock = { zone: span.zone, now: visit.now };
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
        back={{ to: "/schedules", label: "Schedules" }}
        lead={teams.length > 0 ? <UsedBy teams={teams} /> : null}
      >
        {may ? (
          <>
            <a class="button primary" href={`${path}/rotations/new`}>
              Add rotation
            </a>
            <a class="button plain" href={`${path}/events/new`}>
              Add shift
            </a>
          </>
        ) : null}
        <a class="button plain" href={`${path}/history`}>
          History
        </a>
      </Heading>
      <JustChanged visit={visit} path={path} mayChange={may} changes={shown.changes} />
      <div class="calendar-bar">
        <Steps {...shown} />
        <div class="buttons">
          <ZoneChips {...shown} />
          <Chips joined url={visit.url} name="view" label="View" chips={VIEWS} />
        </div>
      </div>
      {teams.length === 0 ? <Unused isAdmin={visit.session.actor.roles.admin} /> : null}
      {why ? (
        <Notice tone="neutral" title="Shared with other teams.">
          {why}
        </Notice>
      ) : null}
      <ClockNotices span={span} theirs={shown.theirs} now={visit.now} />
      {hasGaps ? (
        <Notice tone="bad" title="Coverage gaps.">
          At some times nobody is on call on a layer. Gaps are red in the calendar and{" "}
          <a href="#coverage">listed below</a>.
        </Notice>
      ) : null}
      <StartNotices {...{ onCall, events: shown.events, ...clock }} />
      <Conflicts visit={visit} names={names} conflicts={conflictsOf(shown)} />
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
          {...{ turns: onCall.turns, names, clock, scheduleId: schedule.prefix_id }}
          events={shown.events}
          view={span.view}
        />
      </Panel>
      <Panel title="Coverage and hours" id="coverage">
        <CoverageTables
          coverage={onCall.coverage}
          names={names}
          clock={clock}
          events={shown.events}
        />
      </Panel>
      <Panel title="Events" id="events">
        {shown.events.length > 0 && shown.events.every((it) => it.import_id !== null) ? (
          <p class="soft">All shifts of this schedule come from calendar imports.</p>
        ) : (
          <EventTable
            {...{ names, schedule, may, events: shown.events, now: visit.now }}
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
          <ImportTable {...{ visit, imports: shown.imports }} may={() => may} />
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
  return {
    kind: "page",
    title: schedule.name,
    section: "schedules",
    body: <Body shown={shown} onCall={onCall} />,
  };
}

const pathOf = ({ params }: Visit) => `/schedules/${encodeURIComponent(params.id ?? "")}`;

async function rename(visit: Visit): Promise<Reply> {
  const to = pathOf(visit);
  const schedule = await visit.api.get("/schedules/:id", { id: idOf(visit) });
  if (isRefusal(schedule)) return notDone(to, schedule);
  const body = changedParameters({ name: textOf(visit.form, "name") }, schedule);
  if (Object.keys(body).length === 0) return done(to, NOTHING_CHANGED);
  const changed = await visit.api.put("/schedules/:id", { ...body, id: idOf(visit) });
  return isRefusal(changed) ? notDone(to, changed) : done(to, "Schedule renamed.");
}

export const schedulePages: readonly ConsolePage[] = [
  page("/schedules/:id", show),
  action("/schedules/:id", rename),
];
