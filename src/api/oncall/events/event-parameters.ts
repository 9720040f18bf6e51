// The parameters of an on-call event, its overrides and amendments, and the event they make of what
// it was (contract 4).
import type { UpdateEvent } from "../../../contract/oncall/event-parameters.ts";
import type { Reference } from "../../../db/records/references.ts";
import { newId } from "../../../db/shared/identifiers.ts";
import type { OnCallAttendee, OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import type { FieldError } from "../../../domain/shared/refusal.ts";

/** A new event before its parameters. */
export function blankEvent(id: string): OnCallEvent {
  return {
    id,
    createdAt: 0,
    parentId: null,
    overriddenStartAt: null,
    startAt: 0,
    endAt: 0,
    layer: 1,
    timeZone: "UTC",
    repeat: false,
    frequency: null,
    frequencyUnit: null,
    daysOfWeek: [],
    repeatEndAt: null,
    cutAt: null,
    beginsAt: null,
    rotation: false,
    turnOffset: 0,
    emptyPositions: [],
    attendees: [],
    exceptions: [],
  };
}

/** The reference to the people of an event: those named several times count several times. */
export const attendeesReference = (ids: UpdateEvent["account_user_ids"] = []): Reference => ({
  field: "account_user_ids",
  kind: "account_user",
  ids: ids.filter((id) => id !== null),
  repeats: true,
});

/**
 * The event as the parameters make it; what is not given stays as it is.
 *
 * @param people the resolved `account_user_ids`, if they were given
 * @param now epoch ms
 */
export function withParameters(
  event: OnCallEvent,
  body: UpdateEvent,
  people: readonly string[] | undefined,
  now: number,
): OnCallEvent {
  const rotation = body.rotation === undefined ? event.rotation : body.rotation;
  const given = <Value>(value: Value | undefined, otherwise: Value) =>
    value === undefined ? otherwise : value;
  return {
    ...event,
    startAt: given(body.start_datetime, event.startAt),
    endAt: given(body.end_datetime, event.endAt),
    layer: given(body.layer, event.layer),
    timeZone: given(body.time_zone, event.timeZone),
    repeat: given(body.repeat, event.repeat),
    frequency: given(body.frequency, event.frequency),
    frequencyUnit: given(body.frequency_unit, event.frequencyUnit),
    daysOfWeek: given(body.days_of_week, event.daysOfWeek),
    repeatEndAt: given(body.repeat_end_datetime, event.repeatEndAt),
    rotation,
    ...(people && positionsOf(event, placesOf(body, people, rotation), now)),
  };
}

/** The positions that the parameters give: people who are on call together stand once each. */
function placesOf(
  { account_user_ids: given = [] }: UpdateEvent,
  people: readonly string[],
  rotation: boolean,
): readonly (string | null)[] {
  if (!rotation) return [...new Set(people)];
  const next = people[Symbol.iterator]();
  return given.map((id) => (id === null ? null : (next.next().value ?? null)));
}

/** The attendees and empty positions in the order given; who attended before keeps the ids of that. */
function positionsOf(
  event: OnCallEvent,
  places: readonly (string | null)[],
  now: number,
): Pick<OnCallEvent, "attendees" | "emptyPositions"> {
  const held = Map.groupBy(event.attendees, ({ attendeeId }) => attendeeId);
  const attendees: OnCallAttendee[] = [];
  const emptyPositions: number[] = [];
  for (const [position, attendeeId] of places.entries()) {
    if (attendeeId === null) {
      emptyPositions.push(position);
      continue;
    }
    const id = held.get(attendeeId)?.shift()?.id ?? newId(now);
    attendees.push({ id, attendeeId, attendeeType: "AccountUser", position });
  }
  return { attendees, emptyPositions };
}

/** An empty position where nobody takes turns. */
export function positionFaults(body: UpdateEvent, rotation: boolean): FieldError[] {
  const isEmpty = body.account_user_ids?.includes(null) ?? false;
  const message = "account_user_ids may have empty positions (null) only with rotation";
  return isEmpty && !rotation ? [{ field: "account_user_ids", message }] : [];
}

/** The event with people and exceptions of its own: a copy must not share the ids of the rows. */
export const withOwnRows = (event: OnCallEvent, now: number): OnCallEvent => ({
  ...event,
  attendees: event.attendees.map((attendee) => ({ ...attendee, id: newId(now) })),
  exceptions: event.exceptions.map(({ startAt }) => ({ id: newId(now), startAt })),
});
