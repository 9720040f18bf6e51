// The page of an on-call event, or of one occurrence of it (`at`), with the actions on this shift,
// on this and the following ones, or on all.
import { TAKE_OVER } from "../../../domain/oncall/changes/history-entry.ts";
import { NOTICE_WINDOW_MS } from "../../../domain/oncall/notices/shift-changes.ts";
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import type { Event, EventWithClockChanges } from "../../../features/oncall/events/contract.ts";
import type { ScheduleChange } from "../../../features/oncall/history/contract.ts";
import type { EventOccurrence } from "../../../features/oncall/occurrences/contract.ts";
import { Moment } from "../../../kernel/console/moment.tsx";
import { Facts, Heading, LinkButton, Notice, Panel } from "../../../kernel/console/panel.tsx";
import { pageReply, type Reply } from "../../../kernel/console/reply.ts";
import { useViewer } from "../../../kernel/console/viewer.tsx";
import { mayChangeAssigned, mayTakeOver, mayUndo } from "../../access/reach.ts";
import { idOf, type Visit } from "../../page.ts";
import { Everybody, withColours } from "../../people/person-panels.tsx";
import { allOf, type Names, readNames, type WithNames } from "../../reads.ts";
import { shiftAbsencePath } from "../absences/absence-form.ts";
import { UndoButton } from "../history.tsx";
import { copyPath, isCopied } from "../rotation/copied-rotation.ts";
import { PlannedPanel, peopleAt } from "../rotation/planned-people.tsx";
import { WHEN_AWAY } from "../rotation/rotation-fields.tsx";
import { ClockChanges } from "../schedule-notices.tsx";
import { nounOf, ruleOf, titleOf } from "../shift-kind.ts";
import { TakeOverButton } from "../team-layers.tsx";
import { atOf } from "./event-form.ts";
import { isSplit, Removal } from "./removal.tsx";
import { backToSchedule, eventPath, Occurrence, placeOf, ShiftViews } from "./shift-views.tsx";

/** The other versions of its series ("this and following"), each with a link. */
const Versions = ({ versions }: { readonly versions: readonly Event[] }) => (
  <ul>
    {versions.map(({ id, begins_at, start_datetime, time_zone }) => (
      <li>
        <a href={`/events/${id}`}>
          from <Moment at={begins_at ?? start_datetime} zone={time_zone} />
        </a>
      </li>
    ))}
  </ul>
);

/** The other versions of the event's series, in order. */
async function readVersions({ api }: Visit, event: Event): Promise<readonly Event[]> {
  const [schedule] = event.schedule_ids;
  if (event.begins_at === null && event.terminated_at === null) return [];
  if (schedule === undefined) return [];
  const query = { id: schedule, series_id: event.series_id };
  const found = await api.every("/schedules/:id/events", query);
  if (isRefusal(found)) return [];
  const begin = ({ begins_at, start_datetime }: Event) => Date.parse(begins_at ?? start_datetime);
  return found
    .filter(({ id, parent_id }) => id !== event.id && parent_id === null)
    .toSorted((one, other) => begin(one) - begin(other));
}

export const NOT_THERE = refuse(
  "not_found",
  "this shift no longer exists; open a shift from the calendar",
);

/**
 * Reads the occurrence that starts at an instant (epoch ms), or has a part that does; null: the
 * first.
 */
export async function readShift(
  visit: Visit,
  at: number | null,
): Promise<EventOccurrence | Refusal> {
  const parameters = at === null ? {} : { action_time: formatInstant(at) };
  const read = await visit.api.get("/events/:id/occurrence", { id: idOf(visit), ...parameters });
  return isRefusal(read) && read.reason === "invalid" ? NOT_THERE : read;
}

const SomeOrNobody = ({ names, ids }: WithNames<{ ids: readonly string[] }>) =>
  ids.length === 0 ? <span class="soft">nobody</span> : <Everybody names={names} ids={ids} />;

/** The positions of a rotation, or the people of an event, who serve now, in order. */
const Positions = ({ event, names }: WithNames<{ event: EventWithClockChanges }>) => (
  <ol class="positions">
    {peopleAt(event, useViewer().now).map((ids) => (
      <li>
        <SomeOrNobody names={names} ids={ids} />
      </li>
    ))}
  </ol>
);

export const OnCallFor = ({ shift, names }: WithNames<{ shift: EventOccurrence }>) => (
  <SomeOrNobody names={names} ids={shift.attendees.map(({ attendee_id }) => attendee_id)} />
);

type EventProps = WithNames<{
  event: EventWithClockChanges;
  shift: EventOccurrence | null;
  versions: readonly Event[];
}>;

/** Instead of whom the people of a shift are on call. */
const AbsentPeople = ({ shift, names }: WithNames<{ shift: EventOccurrence }>) => (
  <Everybody names={names} ids={shift.absent.map(({ account_user_id }) => account_user_id)} />
);

const ShiftFacts = ({ event, shift, names, versions }: EventProps) => {
  const isRotation = event.repeat && event.rotation;
  return (
    <Facts
      facts={[
        [
          "Shift",
          shift && (
            <>
              <Moment at={shift.part_start_time} relative /> – <Moment at={shift.part_end_time} />
            </>
          ),
        ],
        [
          "Part of shift",
          shift && isSplit(shift) && (
            <>
              <Moment at={shift.start_time} /> – <Moment at={shift.end_time} />
            </>
          ),
        ],
        ["On call", shift && <OnCallFor shift={shift} names={names} />],
        ["Instead of", shift && shift.absent.length > 0 && <AbsentPeople {...{ shift, names }} />],
        ["Step", event.layer],
        [
          isRotation ? "Rotation" : "People",
          (isRotation || !shift) && <Positions {...{ event, names }} />,
        ],
        ["Repeats", event.parent_id ? "no (override of another event)" : ruleOf(event)],
        [
          "First shift",
          <>
            <Moment at={event.start_datetime} zone={event.time_zone} /> –{" "}
            <Moment at={event.end_datetime} zone={event.time_zone} />
          </>,
        ],
        [
          "Continues from",
          event.begins_at && <Moment at={event.begins_at} zone={event.time_zone} />,
        ],
        ["Other versions", versions.length > 0 && <Versions versions={versions} />],
        [
          WHEN_AWAY,
          isRotation && event.when_away === "next_in_line" && "the next in line takes it",
        ],
        ["Time zone", event.time_zone],
        ["Removed shifts", event.exceptions.length > 0 && event.exceptions.length],
      ]}
    />
  );
};

/** Reads an occurrence; null if there is none. */
export async function findShift(visit: Visit, at: number | null): Promise<EventOccurrence | null> {
  const read = await readShift(visit, at);
  return isRefusal(read) ? null : read;
}

/** Whether the viewer is on call for a shift that is not over. */
const isOwn = ({ session, now }: Visit, shift: EventOccurrence): boolean =>
  Date.parse(shift.part_end_time) > now &&
  shift.attendees.some((it) => it.attendee_id === session.actor.accountUserId);

const absencePathOf = ({ id, schedule_ids: [schedule = ""] }: Event, shift: EventOccurrence) =>
  shiftAbsencePath({
    ...{ event_id: id, schedule_id: schedule },
    ...{ start_time: shift.part_start_time, end_time: shift.part_end_time },
  });

const mayTake = (visit: Visit, event: Event, shift: EventOccurrence, names: Names): boolean =>
  Date.parse(shift.part_end_time) > visit.now &&
  Date.parse(shift.part_start_time) <= visit.now + NOTICE_WINDOW_MS &&
  shift.attendees.length > 0 &&
  !isOwn(visit, shift) &&
  mayTakeOver(visit, names, event.schedule_ids);

/** The change by which an override took over a shift, while it can be undone; null: there is none. */
async function readTakeOver({ api }: Visit, event: Event): Promise<ScheduleChange | null> {
  const [schedule] = event.schedule_ids;
  if (event.parent_id === null || schedule === undefined) return null;
  const query = { id: schedule, record_id: event.id, verb: TAKE_OVER, limit: 1 };
  const changes = await api.get("/schedules/:id/changes", query);
  const [change] = isRefusal(changes) ? [] : changes.data;
  return change?.undoable ? change : null;
}

export async function showShift(visit: Visit): Promise<Reply> {
  const { api, query } = visit;
  const requestedAt = atOf(query.get("at") ?? "");
  const read = await allOf(
    api.get("/events/:id", { id: idOf(visit) }),
    readNames(api),
    requestedAt === null ? findShift(visit, null) : readShift(visit, requestedAt),
  );
  if (isRefusal(read)) return read;
  const [event, known, occurrence] = read;
  const names = withColours(known, [event.positions.flat()]);
  // Without an occurrence in the query string, the page of a series is about all of them.
  const shift = requestedAt === null && event.repeat ? null : occurrence;
  const at = shift && Date.parse(shift.part_start_time);
  const heading = at === null ? titleOf(event) : "Shift";
  const [takenOver, versions] = await Promise.all([
    readTakeOver(visit, event),
    readVersions(visit, event),
  ]);
  const may =
    visit.session.actor.roles.admin ||
    (event.schedule_ids.length > 0 &&
      event.schedule_ids.every((id) => mayChangeAssigned(visit, names, "schedule_id", id)));
  return pageReply(
    heading,
    <div class="narrow">
      <Heading title={heading} back={{ to: backToSchedule(visit, at), label: "Calendar" }}>
        {may ? <ShiftViews {...{ visit, event, at }} change={null} /> : null}
        {shift && mayTake(visit, event, shift, names) ? (
          <TakeOverButton
            eventId={idOf(visit)}
            at={shift.part_start_time}
            fields={placeOf(visit)}
          />
        ) : null}
        {shift && isOwn(visit, shift) ? (
          <LinkButton to={absencePathOf(event, shift)}>I can't</LinkButton>
        ) : null}
        {may && isCopied(event) ? (
          <LinkButton to={copyPath(event)}>Copy to another step</LinkButton>
        ) : null}
      </Heading>
      {takenOver && mayUndo(visit, takenOver, may) ? (
        <Notice
          tone="neutral"
          title={`${names.of(takenOver.account_user_id)} took over this shift.`}
        >
          <UndoButton path={`/schedules/${event.schedule_ids[0] ?? ""}`} change={takenOver} />
        </Notice>
      ) : null}
      <ClockChanges event={event} />
      <Panel>
        <ShiftFacts {...{ event, shift, names, versions }} />
      </Panel>
      <PlannedPanel {...{ visit, event, names }} may={may && event.import_id === null} />
      {event.import_id === null ? null : (
        <Notice tone="neutral" title="Imported shift.">
          It comes from a calendar import. Change it in that calendar, or override it here.
        </Notice>
      )}
      {event.import_id !== null ? null : may ? (
        <Panel title={event.repeat ? "Remove shifts" : "Remove shift"} id="remove">
          <Removal
            to={`${eventPath(visit)}/remove`}
            hidden={<Occurrence visit={visit} at={at} />}
            {...{ visit, event, shift }}
          />
        </Panel>
      ) : (
        <p class="help">
          Only an admin of the account, or of every team that uses the schedule, can change this{" "}
          {nounOf(event)}.
        </p>
      )}
    </div>,
  );
}
