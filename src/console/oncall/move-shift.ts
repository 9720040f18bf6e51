// Changes of on-call events as API requests: moves one shift, this and the following, or all of
// them. Moving one takes two calls; in between, both the old and the new hours are covered.
import type { Event } from "../../contract/oncall/events/event.ts";
import type { EventOccurrence } from "../../contract/oncall/events/event-occurrence.ts";
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import {
  DAY,
  formatInstant,
  instantOf,
  localOf,
  type Zone,
  zoneOf,
} from "../../domain/shared/time.ts";
import type { Api } from "../api-client.ts";

type Parameters = Readonly<Record<string, unknown>>;

/** The parameter that lets the people of the shift before serve until the first changed one. */
export const EXTEND = "extend_previous_shift";

export type Scope = "one" | "following" | "all";

/** A change of an event from one of its occurrences on. */
export type FollowingChange = {
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
): FollowingChange {
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

/** Moves one occurrence or its requested part, together with its people. */
export async function moveShift(api: Api, event: Event, move: Move): Promise<Event | Refusal> {
  const { occurrence, start, end } = move;
  const created = await api.post("/events", {
    start_datetime: formatInstant(start),
    end_datetime: formatInstant(end),
    time_zone: event.time_zone,
    layer: event.layer,
    schedule_ids: event.schedule_ids,
    account_user_ids: occurrence.attendees.map(({ attendee_id }) => attendee_id),
  });
  if (isRefusal(created)) return created;
  const removed = await api.post("/events/:id/remove_part", {
    id: event.id,
    action_time: occurrence.part_start_time,
  });
  if (!isRefusal(removed)) return created;
  await api.delete("/events/:id", { id: created.id });
  return removed;
}
