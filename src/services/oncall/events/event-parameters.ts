// Applies the parameters of an on-call event, its overrides and amendments to the stored event
// (contract 4).
import type { UpdateEvent } from "../../../contract/oncall/event-parameters.ts";
import type { Reference } from "../../../db/records/references.ts";
import { newId } from "../../../db/shared/identifiers.ts";
import { validateEventRule } from "../../../domain/oncall/changes/event-validation.ts";
import type { OnCallAttendee, OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import type { FieldError } from "../../../domain/shared/refusal.ts";

/** A new event, before its parameters are applied. */
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
 * Applies parameters to an event; omitted ones leave it unchanged.
 *
 * @param people the resolved `account_user_ids`, if the body has them
 * @param now epoch ms
 */
export function withParameters(
  event: OnCallEvent,
  body: UpdateEvent,
  people: readonly string[] | undefined,
  now: number,
): OnCallEvent {
  const rotation = body.rotation === undefined ? event.rotation : body.rotation;
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
    rotation,
    ...(people && positionsOf(event, placesOf(body, people, rotation), now)),
  };
}

/** The positions in the parameters' order. Without rotation, duplicates are removed. */
function placesOf(
  { account_user_ids: ids = [] }: UpdateEvent,
  people: readonly string[],
  rotation: boolean,
): readonly (string | null)[] {
  if (!rotation) return [...new Set(people)];
  const next = people[Symbol.iterator]();
  return ids.map((id) => (id === null ? null : (next.next().value ?? null)));
}

/**
 * The attendees and empty positions in the given order; people who were attendees before keep their
 * attendee ids.
 */
function positionsOf(
  event: OnCallEvent,
  places: readonly (string | null)[],
  now: number,
): Pick<OnCallEvent, "attendees" | "emptyPositions"> {
  const byPerson = Map.groupBy(event.attendees, ({ attendeeId }) => attendeeId);
  const attendees: OnCallAttendee[] = [];
  const emptyPositions: number[] = [];
  for (const [position, attendeeId] of places.entries()) {
    if (attendeeId === null) {
      emptyPositions.push(position);
      continue;
    }
    const id = byPerson.get(attendeeId)?.shift()?.id ?? newId(now);
    attendees.push({ id, attendeeId, attendeeType: "AccountUser", position });
  }
  return { attendees, emptyPositions };
}

/** Errors for empty positions outside a rotation. */
export function positionFaults(body: UpdateEvent, rotation: boolean): FieldError[] {
  const isEmpty = body.account_user_ids?.includes(null) ?? false;
  const message = "account_user_ids may have empty positions (null) only with rotation";
  return isEmpty && !rotation ? [{ field: "account_user_ids", message }] : [];
}

/** Errors in the rule of a new event, once the parameters have its times and its zone. */
export function ruleFaults(body: UpdateEvent, now: number): FieldError[] {
  const { start_datetime, end_datetime, time_zone } = body;
  const hasTimes = [start_datetime, end_datetime, time_zone].every((it) => it !== undefined);
  return hasTimes ? validateEventRule(withParameters(blankEvent(""), body, [], now)) : [];
}

/**
 * The event with new ids for its attendee and exception rows, so that a copy does not share them.
 */
export const withOwnRows = (event: OnCallEvent, now: number): OnCallEvent => ({
  ...event,
  attendees: event.attendees.map((attendee) => ({ ...attendee, id: newId(now) })),
  exceptions: event.exceptions.map(({ startAt }) => ({ id: newId(now), startAt })),
});
