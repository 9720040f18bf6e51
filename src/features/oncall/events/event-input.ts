// Applies the parameters of an on-call event, its overrides and amendments to the stored event
// (contract 4).
import { isSkipping, withSkipping } from "../../../domain/oncall/absences/absence.ts";
import { validateEventRule } from "../../../domain/oncall/changes/event-validation.ts";
import {
  type OnCallAttendee,
  type OnCallEvent,
  type Roster,
  SINGLE_SHIFT,
} from "../../../domain/oncall/on-call-event.ts";
import type { NewRoster } from "../../../domain/oncall/rosters/roster-change.ts";
import { earlierRostersOf } from "../../../domain/oncall/rosters/serving.ts";
import type { FieldError } from "../../../domain/shared/refusal.ts";
import { newId } from "../../../kernel/db/identifiers.ts";
import type { Reference } from "../../../kernel/db/references.ts";
import type { UpdateEvent } from "./parameters.ts";

/** A new event, before its parameters are applied. */
export function blankEvent(id: string): OnCallEvent {
  return {
    id,
    createdAt: 0,
    seriesId: id,
    parentId: null,
    startAt: 0,
    endAt: 0,
    layer: 1,
    timeZone: "UTC",
    ...SINGLE_SHIFT,
    attendees: [],
    priority: 0,
    leavesEmpty: false,
    skipChanges: [],
    exceptions: [],
  };
}

/**
 * The references to an event's people. A repeated person counts each time: a rotation may list them
 * twice.
 */
export const attendeesReference = (ids: UpdateEvent["account_user_ids"] = []): Reference => ({
  field: "account_user_ids",
  kind: "account_user",
  ids: ids.filter((id) => id !== null),
  repeats: true,
});

/** The records that the parameters name. */
export const referencesOf = (body: UpdateEvent): Reference[] => [
  attendeesReference(body.account_user_ids),
  { field: "schedule_ids", kind: "schedule", ids: body.schedule_ids ?? [] },
];

/**
 * Applies the parameters of an event's rule; omitted ones leave it unchanged. Not its people: those
 * of a new event are in `newRosterOf`, and `changeRoster` changes them from an instant on.
 *
 * @param now epoch ms
 */
export function withParameters(event: OnCallEvent, body: UpdateEvent, now: number): OnCallEvent {
  const orElse = <Value>(value: Value | undefined, otherwise: Value) =>
    value === undefined ? otherwise : value;
  return {
    ...event,
    startAt: orElse(body.start_datetime, event.startAt),
    endAt: orElse(body.end_datetime, event.endAt),
    layer: orElse(body.layer, event.layer),
    timeZone: orElse(body.time_zone, event.timeZone),
    repeat: orElse(body.repeat, event.repeat),
    frequency: orElse(body.frequency, event.frequency),
    frequencyUnit: orElse(body.frequency_unit, event.frequencyUnit),
    daysOfWeek: orElse(body.days_of_week, event.daysOfWeek),
    repeatEndAt: orElse(body.repeat_end_datetime, event.repeatEndAt),
    restrictions: orElse(body.restrictions, event.restrictions ?? []),
    priority: orElse(body.priority, event.priority ?? 0),
    skipChanges: withSkipping(
      event,
      body.when_away ? body.when_away === "next_in_line" : isSkipping(event),
      now,
    ),
    leavesEmpty: body.account_user_ids === undefined && (event.leavesEmpty ?? false),
  };
}

/**
 * The roster that the parameters name; omitted ones are those of the roster that it changes. People
 * who are in that one keep their attendee ids.
 *
 * @param people the resolved `account_user_ids`, if the body has them
 * @param now epoch ms
 */
export function newRosterOf(
  roster: Roster,
  body: UpdateEvent,
  people: readonly string[] | undefined,
  now: number,
): NewRoster {
  const rotation = body.rotation ?? roster.rotation;
  if (people === undefined) {
    return { rotation, attendees: roster.attendees, emptyPositions: roster.emptyPositions ?? [] };
  }
  return { rotation, ...positionsOf(roster, positionsIn(body, people, rotation), now) };
}

/** The resolved people by position. Without rotation, all are different and in positions of theirs. */
function positionsIn(
  { account_user_ids: ids = [], positions }: UpdateEvent,
  people: readonly string[],
  rotation: boolean,
): readonly (readonly string[])[] {
  if (!rotation) return [...new Set(people)].map((id) => [id]);
  const rest = [...people];
  if (positions) return positions.map((named) => [...new Set(rest.splice(0, named.length))]);
  return ids.map((id) => (id === null ? [] : rest.splice(0, 1)));
}

function positionsOf(
  roster: Roster,
  positions: readonly (readonly string[])[],
  now: number,
): Pick<NewRoster, "attendees" | "emptyPositions"> {
  const byPerson = Map.groupBy(roster.attendees, ({ attendeeId }) => attendeeId);
  const attendees: OnCallAttendee[] = [];
  const emptyPositions: number[] = [];
  for (const [position, ids] of positions.entries()) {
    if (ids.length === 0) emptyPositions.push(position);
    for (const attendeeId of ids) {
      const id = byPerson.get(attendeeId)?.shift()?.id ?? newId(now);
      attendees.push({ id, attendeeId, attendeeType: "AccountUser", position });
    }
  }
  return { attendees, emptyPositions };
}

/** Errors in the people of an event, for its rotation and priority with the parameters. */
export function positionFaults(
  { account_user_ids: ids, positions }: UpdateEvent,
  { rotation, priority = 0 }: Pick<OnCallEvent, "rotation" | "priority">,
): FieldError[] {
  const named = ids?.filter((id) => id !== null);
  if (ids === undefined || named === undefined) return [];
  if (positions && positions.flat().join() !== named.join()) {
    const message = "account_user_ids and positions name different people; send one of them";
    return [{ field: "positions", message }];
  }
  if (named.length === 0) {
    const message =
      "account_user_ids must name at least one account user, unless priority is over 0";
    return priority > 0 ? [] : [{ field: "account_user_ids", message }];
  }
  const message = "account_user_ids may have empty positions (null) only with rotation";
  return ids.includes(null) && !rotation ? [{ field: "account_user_ids", message }] : [];
}

/** Errors in the rule of a new event, once the parameters have its times and its zone. */
export function ruleFaults(body: UpdateEvent): FieldError[] {
  const { start_datetime, end_datetime, time_zone } = body;
  const hasTimes = [start_datetime, end_datetime, time_zone].every((it) => it !== undefined);
  return hasTimes ? validateEventRule(withParameters(blankEvent(""), body, 0)) : [];
}

/**
 * The event with new ids for the attendees of all its rosters, any of which may become the newest
 * again, and for its exceptions, so that a copy does not share them.
 */
export function withOwnRows(event: OnCallEvent, now: number): OnCallEvent {
  const ids = new Map<string, string>();
  const ownId = (id: string) => {
    const own = ids.get(id) ?? newId(now);
    ids.set(id, own);
    return own;
  };
  const own = (attendees: readonly OnCallAttendee[]) =>
    attendees.map((attendee) => ({ ...attendee, id: ownId(attendee.id) }));
  return {
    ...event,
    attendees: own(event.attendees),
    earlierRosters: earlierRostersOf(event).map((it) => ({ ...it, attendees: own(it.attendees) })),
    exceptions: event.exceptions.map(({ startAt }) => ({ id: newId(now), startAt })),
  };
}
