/** Who is on call instead of an absent person in each of their shifts. Pure. */

import type { OnCallAttendee, OnCallEvent } from "../on-call-event.ts";
import { type Interval, subtractIntervals } from "../override-precedence.ts";
import {
  type Absence,
  isGivenByRotation,
  partsAway,
  skipsUnavailable,
  skipsUnavailableAt,
  type TimeAway,
} from "./absences.ts";
import { type Cover, concerns, MOST_COVER_PARTS } from "./cover.ts";
import { nextInLine } from "./next-in-line.ts";
import { type ServedSegment, segmentsServedBy } from "./served-segments.ts";

/** Events of an account, each once, and the schedules of each by its id. */
export type PlacedEvents = {
  readonly events: readonly OnCallEvent[];
  readonly schedulesOf: ReadonlyMap<string, readonly string[]>;
};

/** Hours of an event that a cover gives to other people. */
export type CoverPart = ServedSegment & {
  /** The account users on call instead; none only if the cover leaves the hours empty. */
  readonly people: readonly string[];
};

export type CoverParts = {
  readonly parts: readonly CoverPart[];
  /** Hours for which nobody was found: the absent person stays on call. */
  readonly unfilled: readonly ServedSegment[];
  /** Whether there are more parts than a cover may have; the others are left out. */
  readonly isOverLimit: boolean;
};

/** The segments that the person of a cover serves in it, from `now` (epoch ms) on. */
export function absentSegments(
  cover: Cover,
  placed: PlacedEvents,
  now: number,
): readonly ServedSegment[] {
  const from = Math.max(cover.startAt, now);
  const schedules = eventsBySchedule(placed).flatMap(([scheduleId, events]) =>
    concerns(cover, scheduleId) ? [events] : [],
  );
  return segmentsServedBy(cover.accountUserId, schedules, from, cover.endAt);
}

function eventsBySchedule({
  events,
  schedulesOf,
}: PlacedEvents): readonly (readonly [string, readonly OnCallEvent[]])[] {
  const bySchedule = new Map<string, OnCallEvent[]>();
  for (const event of events) {
    for (const scheduleId of schedulesOf.get(event.id) ?? []) {
      const known = bySchedule.get(scheduleId);
      if (known) known.push(event);
      else bySchedule.set(scheduleId, [event]);
    }
  }
  return [...bySchedule];
}

/**
 * Decides a cover.
 *
 * @param placed the events without the overrides of this cover and of later ones
 * @param earlier the covers that were created before: the next in line is nobody who is absent
 * @param unavailable when people are unavailable: nobody who is, in a rotation that skips them
 * @param now epoch ms: hours before it stay as they were
 */
export function decideCoverParts(
  cover: Cover,
  placed: PlacedEvents,
  earlier: readonly Cover[],
  unavailable: readonly TimeAway[],
  now: number,
): CoverParts {
  const byId = new Map(placed.events.map((event) => [event.id, event]));
  const parts: CoverPart[] = [];
  const unfilled: ServedSegment[] = [];
  for (const segment of absentSegments(cover, placed, now)) {
    if (isDecidedByHand(segment.event, cover)) continue;
    const series = seriesOfOverride(segment.event, byId);
    const released = cover.released.filter(({ eventId }) => eventId === series.id);
    const sorted = released.toSorted((one, other) => one.startAt - other.startAt);
    const absent = awayIn(earlier, placed.schedulesOf.get(segment.event.id) ?? []);
    const away = skipsUnavailableAt(series, segment.startAt) ? [...absent, ...unavailable] : absent;
    for (const hours of subtractIntervals(segment, sorted)) {
      const kept = { ...segment, ...hours };
      for (const part of merged(substituted(cover, kept, series, away))) {
        if (part.people.length > 0 || cover.coveredBy === "nobody") parts.push(part);
        else unfilled.push(part);
      }
    }
  }
  return limited(parts, unfilled);
}

/**
 * Decides who serves instead of a person who is unavailable, in rotations that skip who is.
 *
 * @param placed the events with the overrides of covers, without those of this absence and of later
 *   ones
 * @param covers all covers: the next in line is nobody who is absent
 * @param unavailable when people are unavailable: the next in line is nobody who is
 * @param now epoch ms: hours before it stay as they were
 */
export function decideSkippedParts(
  absence: Absence,
  placed: PlacedEvents,
  covers: readonly Cover[],
  unavailable: readonly TimeAway[],
  now: number,
): CoverParts {
  const { accountUserId, hours } = absence;
  const byId = new Map(placed.events.map((event) => [event.id, event]));
  const from = Math.max(hours[0]?.startAt ?? now, now);
  const to = hours.at(-1)?.endAt ?? now;
  const schedules = eventsBySchedule(placed).flatMap(([, events]) =>
    events.some(skipsUnavailable) ? [events] : [],
  );
  const parts: CoverPart[] = [];
  const unfilled: ServedSegment[] = [];
  for (const segment of segmentsServedBy(accountUserId, schedules, from, to)) {
    const series = seriesOfOverride(segment.event, byId);
    if (!skipsUnavailableAt(series, segment.startAt)) continue;
    if (!isGivenByRotation(segment.event, accountUserId, covers, byId)) continue;
    const absent = awayIn(covers, placed.schedulesOf.get(segment.event.id) ?? []);
    const away = [...absent, ...unavailable];
    const skip = { accountUserId, coveredBy: "next_in_line" } as const;
    for (const served of partsAway(segment, absence)) {
      const decided = substituted(skip, served, series, away);
      // If everybody is away, nobody is taken off: a page to one of them is better than none.
      const isFilled = (part: CoverPart) => part.people.some((id) => !isAwayIn(away, id, part));
      parts.push(...merged(decided.filter(isFilled)));
      unfilled.push(...merged(decided.filter((part) => !isFilled(part))));
    }
  }
  return limited(parts, unfilled);
}

function limited(parts: readonly CoverPart[], unfilled: readonly ServedSegment[]): CoverParts {
  const inTime = parts.toSorted((one, other) => one.startAt - other.startAt);
  return {
    parts: inTime.slice(0, MOST_COVER_PARTS),
    unfilled,
    isOverLimit: inTime.length > MOST_COVER_PARTS,
  };
}

/** An override by hand that is newer than the cover was made with knowledge of it. */
const isDecidedByHand = ({ parentId, coverId, createdAt }: OnCallEvent, cover: Cover): boolean =>
  parentId !== null && !coverId && createdAt >= cover.decidedAt;

/** The event at the root of an override's chain, as far as it is among the events. */
export function seriesOfOverride(
  event: OnCallEvent,
  byId: ReadonlyMap<string, OnCallEvent>,
): OnCallEvent {
  const parent = byId.get(event.parentId ?? "");
  return parent ? seriesOfOverride(parent, byId) : event;
}

/** When people are absent by covers that concern one of these schedules. */
const awayIn = (covers: readonly Cover[], schedules: readonly string[]): readonly Cover[] =>
  covers.filter((cover) => schedules.some((id) => concerns(cover, id)));

const isAwayIn = (away: readonly TimeAway[], id: string, hours: Interval): boolean =>
  away.some(
    (it) => it.accountUserId === id && it.startAt < hours.endAt && it.endAt > hours.startAt,
  );

/** Who is absent, and who is to serve instead. */
type Substitution = Pick<Cover, "accountUserId" | "coveredBy"> &
  Partial<Pick<Cover, "coveringAccountUserId">>;

/** The segment with its substitute, in parts in which the same people are away. */
function substituted(
  { accountUserId, coveredBy, coveringAccountUserId = null }: Substitution,
  segment: ServedSegment,
  series: OnCallEvent,
  away: readonly TimeAway[],
): readonly CoverPart[] {
  const others = segment.attendees
    .map(({ attendeeId }) => attendeeId)
    .filter((id) => id !== accountUserId);
  if (coveredBy !== "next_in_line") {
    return [{ ...segment, people: withPerson(others, coveringAccountUserId) }];
  }
  const line = nextInLine(series, accountUserId, segment.startAt);
  const candidates = line.filter((id) => id !== accountUserId && !others.includes(id));
  const meanwhile = away.filter((it) => it.startAt < segment.endAt && it.endAt > segment.startAt);
  return splitAt(segment, meanwhile).map((hours) => {
    const found = candidates.find((id) => !isAwayIn(meanwhile, id, hours)) ?? null;
    return { ...segment, ...hours, people: withPerson(others, found) };
  });
}

/** Parts of one segment; those that touch and have the same people are one. */
function merged(parts: readonly CoverPart[]): readonly CoverPart[] {
  const joined: CoverPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last?.endAt === part.startAt && last.people.join() === part.people.join()) {
      joined[joined.length - 1] = { ...last, endAt: part.endAt };
    } else joined.push(part);
  }
  return joined;
}

const withPerson = (people: readonly string[], person: string | null): readonly string[] =>
  person === null || people.includes(person) ? people : [...people, person];

/** An interval in parts at the edges of others. */
function splitAt({ startAt, endAt }: Interval, others: readonly Interval[]): readonly Interval[] {
  const edges = others.flatMap((it) => [it.startAt, it.endAt]);
  const inside = edges.filter((at) => at > startAt && at < endAt);
  const instants = [...new Set([startAt, ...inside, endAt])].sort((one, other) => one - other);
  return instants.slice(1).map((at, index) => ({ startAt: instants[index] ?? startAt, endAt: at }));
}

/** Attendees of an override. */
export const attendeesOf = (
  people: readonly string[],
  newId: () => string,
): readonly OnCallAttendee[] =>
  people.map((attendeeId, position) => ({
    id: newId(),
    attendeeId,
    attendeeType: "AccountUser",
    position,
  }));
