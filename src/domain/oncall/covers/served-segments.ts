/**
 * The hours in which a person serves each event, as on-call calculation gives them: after overrides,
 * restrictions and priorities. Pure.
 */

import { edgesBetween, runningAlong } from "../intervals.ts";
import type { OnCallAttendee, OnCallEvent } from "../on-call-event.ts";
import { type OnCallEntry, onCallBetween } from "../oncall.ts";
import type { Interval } from "../override-precedence.ts";
import { occurrencesTouching } from "../recurrence/occurrences.ts";
import { type Series, seriesOf } from "../recurrence/recurrence.ts";
import { earlierRostersOf } from "../rosters/serving.ts";

/** A part of an event's occurrence in which the same people are on call. */
export type ServedSegment = Interval & {
  readonly event: OnCallEvent;
  /** The start (epoch ms) of the occurrence. */
  readonly occurrenceAt: number;
  readonly attendees: readonly OnCallAttendee[];
};

/**
 * The segments in which a person serves, by event and start, clipped to [from, to) (epoch ms).
 *
 * @param schedules the events of each schedule; an event may be in several
 */
export function segmentsServedBy(
  person: string,
  schedules: readonly (readonly OnCallEvent[])[],
  from: number,
  to: number,
): readonly ServedSegment[] {
  if (from >= to) return [];
  const served = schedules.filter((events) => events.some((event) => mayServe(event, person)));
  const entries = served.flatMap((events) => onCallBetween(events, from, to));
  const byId = new Map(served.flat().map((event) => [event.id, event]));
  const byEvent = Map.groupBy(entries, ({ eventId }) => eventId);
  return [...byEvent.keys()].sort().flatMap((id) => {
    const event = byId.get(id);
    const own = byEvent.get(id) ?? [];
    const isServing = own.some(({ attendees }) => includes(attendees, person));
    return event && isServing ? segmentsOf(event, own, person, from, to) : [];
  });
}

const includes = (attendees: readonly OnCallAttendee[], person: string): boolean =>
  attendees.some(({ attendeeId }) => attendeeId === person);

const mayServe = (event: OnCallEvent, person: string): boolean =>
  [event, ...earlierRostersOf(event)].some(({ attendees }) => includes(attendees, person));

function segmentsOf(
  event: OnCallEvent,
  entries: readonly OnCallEntry[],
  person: string,
  from: number,
  to: number,
): readonly ServedSegment[] {
  const series = seriesOf(event);
  const segments: ServedSegment[] = [];
  for (const { startAt, endAt, attendees } of along(entries, from, to)) {
    if (!includes(attendees, person)) continue;
    const occurrenceAt = startOfOccurrence(series, startAt);
    const last = segments.at(-1);
    const isContinued = last?.endAt === startAt && last.occurrenceAt === occurrenceAt;
    if (last && isContinued && idsOf(last.attendees) === idsOf(attendees)) {
      segments[segments.length - 1] = { ...last, endAt };
    } else segments.push({ event, startAt, endAt, occurrenceAt, attendees });
  }
  return segments;
}

const idsOf = (attendees: readonly OnCallAttendee[]): string =>
  attendees
    .map(({ attendeeId }) => attendeeId)
    .sort()
    .join();

const startOfOccurrence = (series: Series, at: number): number =>
  occurrencesTouching(series, at, at + 1)[0]?.startAt ?? at;

/** Who is on call in each interval between the edges of entries; entries may overlap. */
function along(entries: readonly OnCallEntry[], from: number, to: number) {
  const instants = edgesBetween(entries, from, to);
  const running = runningAlong(entries, instants);
  return instants.slice(0, -1).map((startAt, index) => {
    const attendees = running[index]?.flatMap((it) => it.attendees) ?? [];
    const people = new Map(attendees.map((it) => [it.attendeeId, it] as const));
    return { startAt, endAt: instants[index + 1] ?? to, attendees: [...people.values()] };
  });
}
