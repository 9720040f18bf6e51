// The parameters of an on-call event, its overrides and amendments, and the event they make of what
// it was (specification, Event and Events).
import * as z from "zod";
import { newId } from "../db/identifiers.ts";
import { FREQUENCY_UNITS } from "../db/schema/oncall.ts";
import type { OnCallAttendee, OnCallEvent } from "../domain/oncall.ts";
import { parseWallClock } from "../domain/time.ts";
import { listedTimeZone } from "../domain/time-zones.ts";
import * as field from "../http/fields.ts";

const timeZone = field.requiredText(64).transform((text, context) => {
  const listed = listedTimeZone(text.trim());
  if (listed !== null) return listed;
  context.addIssue({ code: "custom", message: "must be a name that GET /events/time_zones lists" });
  return z.NEVER;
});

const daysOfWeek = z.preprocess(
  (value) => (value == null || value === "" ? [] : Array.isArray(value) ? value : [value]),
  z
    .array(field.integer(0, 6), "must be a list of numbers")
    .max(100, "has more than 100 elements")
    .transform((days) => [...new Set(days)].sort()),
);

const attendees = z.preprocess(
  (value) => value ?? [],
  field.identifiers.refine((ids) => ids.length > 0, "must name at least one account user"),
);

const eventParameters = z.object({
  parent_id: field.identifier,
  start_datetime: field.instant,
  end_datetime: field.instant,
  layer: field.integer(1, 100),
  time_zone: timeZone,
  repeat: field.optionalFlag,
  frequency: field.optionalInteger(1, 10_000),
  frequency_unit: field.optionalChoice(FREQUENCY_UNITS),
  days_of_week: daysOfWeek.optional(),
  repeat_end_datetime: field.optionalInstant,
  rotation: field.optionalFlag,
  schedule_ids: field.identifiers.optional(),
  account_user_ids: attendees,
  meta: field.hash.optional(),
});

/** `start_time` and `end_time` are other names of `start_datetime` and `end_datetime`. */
const readTwins = (parameters: unknown) => {
  const { start_time, end_time, ...rest } = parameters as Record<string, unknown>;
  return {
    ...(start_time !== undefined && { start_datetime: start_time }),
    ...(end_time !== undefined && { end_datetime: end_time }),
    ...rest,
  };
};

export const createEvent = z.preprocess(readTwins, eventParameters);
export const updateEvent = z.preprocess(
  readTwins,
  eventParameters.extend({ account_user_ids: attendees.optional() }).partial(),
);
export type EventParameters = z.output<typeof updateEvent>;

/** `add_exception` and `terminate_on`: the start of an occurrence. */
export const amendment = z.object({ action_time: field.instant });
export type Amendment = z.output<typeof amendment>;

const OUT_OF_TIME = "is not in the years 1970 to 2199";

/** For the reference: `YYYY-MM-DD HH:mm`, or ISO 8601. */
const WALL_CLOCK =
  "^\\d{4}-\\d{2}-\\d{2}[ T]\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:?\\d{2})?$";

/** Whether a text is read as a time is the same in every zone; what instant it is, is not. */
const wallClock = field
  .requiredText(64)
  .refine(
    (text) => parseWallClock(text.trim(), "UTC") !== null,
    "must be YYYY-MM-DD HH:mm, or ISO 8601 with an offset",
  )
  .meta({ pattern: WALL_CLOCK });

const readOverrideTwins = (parameters: unknown) => {
  const { start_datetime, end_datetime, ...rest } = parameters as Record<string, unknown>;
  return { start_time: start_datetime, end_time: end_datetime, ...rest };
};

/** The override body (specification, Events): its times are on the wall clock of its zone. */
export const overrideParameters = z.preprocess(
  readOverrideTwins,
  z
    .object({
      start_time: wallClock,
      end_time: wallClock,
      layer: field.integer(1, 100),
      time_zone: timeZone,
      account_user_ids: attendees,
      action_time: field.instant,
      repeat: field.optionalFlag,
      rotation: field.optionalFlag,
      meta: field.hash.optional(),
    })
    .transform(({ start_time, end_time, ...body }, context) => {
      const read = (name: string, text: string) => {
        const at = parseWallClock(text.trim(), body.time_zone);
        if (at === null) context.addIssue({ code: "custom", path: [name], message: OUT_OF_TIME });
        return at ?? 0;
      };
      return {
        ...body,
        start_datetime: read("start_time", start_time),
        end_datetime: read("end_time", end_time),
      };
    }),
);
export type OverrideParameters = z.output<typeof overrideParameters>;

/** A new event before its parameters. */
export function blankEvent(id: string): OnCallEvent {
  return {
    id,
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
    rotation: false,
    attendees: [],
    exceptions: [],
  };
}

/**
 * The event as the parameters make it; what is not given stays as it is.
 *
 * @param people the resolved `account_user_ids`, if they were given
 * @param now epoch ms
 */
export function withParameters(
  event: OnCallEvent,
  body: EventParameters,
  people: readonly string[] | undefined,
  now: number,
): OnCallEvent {
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
    rotation: given(body.rotation, event.rotation),
    attendees: people ? attendeesOf(event, people, now) : event.attendees,
  };
}

/** The attendees in the order given; who attended before keeps the id of that. */
function attendeesOf(
  event: OnCallEvent,
  people: readonly string[],
  now: number,
): readonly OnCallAttendee[] {
  const held = new Map(event.attendees.map((attendee) => [attendee.attendeeId, attendee.id]));
  return people.map((attendeeId, position) => ({
    id: held.get(attendeeId) ?? newId(now),
    attendeeId,
    attendeeType: "AccountUser",
    position,
  }));
}
