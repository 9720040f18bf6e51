// Changes of on-call events as API requests: moves one shift, this and the following, or all of
// them.
import {
  DAY,
  formatInstant,
  instantOf,
  localOf,
  type Zone,
  zoneOf,
} from "../../../domain/shared/time.ts";
import type { Event } from "../../../features/oncall/events/contract.ts";
import type { EventOccurrence } from "../../../features/oncall/occurrences/contract.ts";

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
