// The parameters of an on-call event, its overrides and amendments, and the event they make of what
// it was (contract 4).
import * as z from "zod";
import { newId } from "../db/identifiers.ts";
import type { Reference } from "../db/references.ts";
import { FREQUENCY_UNITS } from "../db/schema/oncall.ts";
import type { OnCallAttendee, OnCallEvent } from "../domain/on-call-event.ts";
import type { FieldError } from "../domain/refusal.ts";
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

/** People in their order; in a rotation one may stand several times, and null is nobody's turn. */
const attendees = z.preprocess(
  (value) => {
    const list = value == null || value === "" ? [] : Array.isArray(value) ? value : [value];
    return list.filter((item) => item !== "");
  },
  z
    .array(z.string("must be an identifier").nullable(), "must be a list of identifiers")
    .max(1000, "is too long")
    .refine((ids) => ids.some((id) => id !== null), "must name at least one account user"),
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

/** `change_following`: the start of an occurrence, and what changes from it on. */
export const followingParameters = z.preprocess(
  readTwins,
  eventParameters
    .omit({ parent_id: true, schedule_ids: true })
    .extend({ account_user_ids: attendees.optional() })
    .partial()
    .extend({ action_time: field.instant }),
);
export type FollowingParameters = z.output<typeof followingParameters>;

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

/** The override body (contract 4, Overrides): its times are on the wall clock of its zone. */
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
export const attendeesReference = (ids: EventParameters["account_user_ids"] = []): Reference => ({
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
  body: EventParameters,
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
  { account_user_ids: given = [] }: EventParameters,
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
export function positionFaults(body: EventParameters, rotation: boolean): FieldError[] {
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
