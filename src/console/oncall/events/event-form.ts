// The values of an on-call event's form, by parameter: blank, of a stored event, moved, and as an API
// request. Times are wall-clock times in the form's zone, in the format of a `datetime-local` field.
import {
  DAY,
  formatInstant,
  HOUR,
  instantOf,
  localOf,
  type Zone,
  zoneOf,
} from "../../../domain/shared/time.ts";
import type { Event } from "../../../features/oncall/events/contract.ts";
import type { EventOccurrence } from "../../../features/oncall/occurrences/contract.ts";
import {
  fieldText,
  isTicked,
  listOf,
  textOf,
  type Values,
} from "../../../kernel/console/values.ts";
import type { Api } from "../../api-client.ts";
import type { Visit } from "../../page.ts";
import { instantText, wallOf } from "../on-call-window.ts";
import {
  type Positions,
  positionsField,
  positionsIn,
  positionText,
} from "../rotation/positions.ts";

/** A new event's form, filled in from the query string. */
export function blankForm(query: URLSearchParams, zone: string, now: number): Values {
  const next = Math.ceil(now / HOUR) * HOUR;
  const start = query.get("start") ?? wallOf(next, zone);
  const begins = Date.parse(instantText(start, zone));
  const end = query.get("end") ?? wallOf((begins || next) + 12 * HOUR, zone);
  return {
    start_datetime: start.slice(0, 16),
    end_datetime: end.slice(0, 16),
    time_zone: zone,
    layer: query.get("layer") ?? "1",
    frequency: "1",
    frequency_unit: "weekly",
  };
}

/**
 * The form of a stored event: from its start, or from one of its occurrences on.
 *
 * @param people those who serve when the change takes effect
 */
export function formOf(
  event: Event,
  occurrence: EventOccurrence | null,
  people: Positions,
): Values {
  const zone = event.time_zone;
  const last = event.repeat_end_datetime;
  return {
    ...event,
    start_datetime: wallOf(Date.parse(occurrence?.start_time ?? event.start_datetime), zone),
    end_datetime: wallOf(Date.parse(occurrence?.end_time ?? event.end_datetime), zone),
    [positionsField(0)]: people.map(positionText),
    effective_at: event.rotation ? "next_handoff" : "now",
    frequency: event.frequency ?? 1,
    frequency_unit: event.frequency_unit ?? "weekly",
    days_of_week: event.days_of_week.map(String),
    /** The last day as `YYYY-MM-DD`; empty if the event has no end. */
    repeat_end_datetime: last ? wallOf(Date.parse(last), zone).slice(0, 10) : "",
  };
}

/** The people that a form names: by position, or one by one. */
export const peopleNamed = (form: Values): Positions =>
  form[positionsField(0)] === undefined
    ? listOf(form, "account_user_ids").map((id) => [id])
    : positionsIn(form, 0);

const takesDays = (unit: string) => unit === "daily" || unit === "weekly";

/** The API request body: every attribute of an event except its schedules. */
export function bodyOf(form: Values) {
  const text = (name: string) => fieldText(form, name);
  const zone = text("time_zone");
  const repeat = isTicked(form, "repeat");
  const last = text("repeat_end_datetime");
  return {
    start_datetime: instantText(text("start_datetime"), zone),
    end_datetime: instantText(text("end_datetime"), zone),
    time_zone: zone,
    layer: text("layer"),
    positions: peopleNamed(form),
    repeat,
    ...(repeat && { frequency: text("frequency"), frequency_unit: text("frequency_unit") }),
    days_of_week: repeat && takesDays(text("frequency_unit")) ? listOf(form, "days_of_week") : [],
    repeat_end_datetime: repeat && last !== "" ? instantText(`${last} 00:00`, zone) : null,
    rotation: isTicked(form, "rotation"),
  };
}

/**
 * The parameters that differ between the submitted and the rendered form. An unchanged field is not
 * sent, because wall-clock times, dates and blanks are less precise than the stored values.
 */
export function changesOf(sent: Values, shown: Values): Record<string, unknown> {
  const before = new Map<string, unknown>(Object.entries(bodyOf(shown)));
  return Object.fromEntries(
    Object.entries(bodyOf(sent)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
    ),
  );
}

/**
 * Parses an occurrence's `at` from the query string; epoch ms, or null if it is missing or invalid.
 */
export function atOf(text: string): number | null {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

/** The occurrence that a page, or a form of it, is about. */
export const atIn = ({ query, form }: Pick<Visit, "query" | "form">): number | null =>
  atOf(query.get("at") ?? textOf(form, "at"));

type Parameters = Readonly<Record<string, unknown>>;

/** The parameter that lets the people of the shift before serve until the first changed one. */
export const EXTEND = "extend_previous_shift";

export type Scope = "one" | "following" | "all";

/** A change of an event from one of its occurrences on. */
export type FollowingRequest = {
  /** The start of that occurrence. */
  readonly action_time: string;
  readonly body: Parameters;
};

/** The new hours of an occurrence's part (epoch ms). */
export type Move = {
  readonly occurrence: EventOccurrence;
  readonly start: number;
  readonly end: number;
};

const shiftInstant = (zone: Zone, at: string, by: number) =>
  formatInstant(by === 0 ? Date.parse(at) : instantOf(zone, localOf(zone, Date.parse(at)) + by));

/** The distance of a move on the event's wall clock (ms). */
function distanceOf(zone: Zone, { occurrence, start, end }: Move) {
  const { part_start_time, part_end_time } = occurrence;
  const by = localOf(zone, start) - localOf(zone, Date.parse(part_start_time));
  const endBy = localOf(zone, end) - localOf(zone, Date.parse(part_end_time));
  const dayOf = (at: number) => Math.floor(localOf(zone, at) / DAY);
  return { by, endBy, days: dayOf(start) - dayOf(Date.parse(part_start_time)) };
}

/**
 * The change that shifts an event's occurrences, from one on, by the distance that a part of one
 * was moved.
 *
 * @param from the first occurrence to change: the moved one, or the event's first
 */
export function movedFrom(
  event: Event,
  from: Pick<EventOccurrence, "start_time" | "end_time">,
  move: Move,
): FollowingRequest {
  const zone = zoneOf(event.time_zone);
  const { by, endBy, days } = distanceOf(zone, move);
  const daysOfWeek = event.days_of_week.map((day) => (((day + days) % 7) + 7) % 7);
  return {
    action_time: from.start_time,
    body: {
      ...(by !== 0 && { start_datetime: shiftInstant(zone, from.start_time, by) }),
      ...(endBy !== 0 && { end_datetime: shiftInstant(zone, from.end_time, endBy) }),
      ...(days !== 0 && daysOfWeek.length > 0 && { days_of_week: daysOfWeek }),
    },
  };
}

/** The change that moves one occurrence, or its requested part, together with its people. */
export const movedPart = ({ occurrence, start, end }: Move) => ({
  action_time: occurrence.part_start_time,
  start_datetime: formatInstant(start),
  end_datetime: formatInstant(end),
});

/** The calls for a change of events: one of a shift that is over can only be a correction of the past. */
export const callsFor = ({ api }: Pick<Visit, "api">, isCorrection: boolean): Api["correcting"] =>
  isCorrection ? api.correcting : api;

export const isOver = ({ now }: Pick<Visit, "now">, end: string): boolean => Date.parse(end) <= now;
