/**
 * Series as they were before they changed: in hours of the past they count in place of what they are
 * now, so that who was on call stays. Pure.
 */

import type { OnCallSchedule } from "../absences/absence.ts";
import { entriesBetween } from "../event-entries.ts";
import type { OnCallEvent } from "../on-call-event.ts";
import { subtractIntervals } from "../override-precedence.ts";
import { type PrioritizedEntry, priorityOf } from "../priorities.ts";
import { seriesIdsOf } from "../series-versions.ts";
import type { PastSeries } from "./past-series.ts";

/** An entry, and what it is of if that is not there any more. */
export type DatedEntry = PrioritizedEntry & { readonly past?: PastSeries };

/**
 * What each event of a schedule contributes in [from, to) (epoch ms) before priorities apply: in hours
 * of the past as it was then.
 *
 * @param above only what has a higher priority
 */
export function datedEntriesBetween(
  { events, past = [] }: OnCallSchedule,
  from: number,
  to: number,
  above = -1,
): readonly DatedEntry[] {
  const present = entriesAbove(events, from, to, above);
  const here = past.filter(({ startAt, endAt }) => startAt < to && endAt > from);
  if (here.length === 0) return present;
  const seriesIdOf = seriesIdsOf(events);
  const replaced = Map.groupBy(
    here.toSorted((one, other) => one.startAt - other.startAt),
    ({ seriesId }) => seriesId,
  );
  return [
    ...present.flatMap((entry) =>
      subtractIntervals(entry, replaced.get(seriesIdOf(entry.eventId)) ?? []).map((hours) => ({
        ...entry,
        ...hours,
      })),
    ),
    ...here.flatMap((series) =>
      pastEntries(series, from, to, above).map((entry) => ({ ...entry, past: series })),
    ),
  ].filter(({ startAt, endAt }) => startAt < to && endAt > from);
}

/** What a series contributes in [from, to), cut to its hours. */
function pastEntries(series: PastSeries, from: number, to: number, above: number) {
  const since = Math.max(from, series.startAt);
  const until = Math.min(to, series.endAt);
  return entriesAbove(series.events, since, until, above).map((entry) => ({
    ...entry,
    startAt: Math.max(entry.startAt, series.startAt),
    endAt: Math.min(entry.endAt, series.endAt),
  }));
}

function entriesAbove(events: readonly OnCallEvent[], from: number, to: number, above: number) {
  if (above < 0) return entriesBetween(events, from, to);
  const priority = priorityOf(events);
  const ids = new Set(events.filter((it) => priority(it) > above).map((it) => it.seriesId));
  const some = events.filter((it) => ids.has(it.seriesId));
  return entriesBetween(some, from, to).filter((it) => it.priority > above);
}

/** The highest priority of a schedule's events, also of the past. */
export function highestPriority({ events, past = [] }: OnCallSchedule): number {
  const all = [events, ...past.map(({ events: own }) => own)];
  return Math.max(0, ...all.flatMap((own) => own.map(priorityOf(own))));
}

/**
 * The hours of all occurrences in [from, to), whole: what is left of one is the same for each window
 * that it is in.
 */
export function wholeOccurrences(
  { events, past = [] }: OnCallSchedule,
  from: number,
  to: number,
): readonly [from: number, to: number] {
  const entries = [events, ...past.map(({ events: own }) => own)].flatMap((own) =>
    entriesBetween(own, from, to),
  );
  return [
    Math.min(from, ...entries.map(({ startAt }) => startAt)),
    Math.max(to, ...entries.map(({ endAt }) => endAt)),
  ];
}

/** Joins the parts of occurrences that a change left as they were. */
export function joinUnchanged<Entry extends DatedEntry>(entries: readonly Entry[]): Entry[] {
  const joined: Entry[] = [];
  const byOccurrence = Map.groupBy(entries, keyOf);
  for (const parts of byOccurrence.values()) {
    let last: Entry | undefined;
    for (const part of parts.toSorted((one, other) => one.startAt - other.startAt)) {
      const isContinued = last?.endAt === part.startAt && last.past !== part.past;
      if (isContinued && last) {
        last = { ...part, startAt: last.startAt };
        joined[joined.length - 1] = last;
      } else {
        last = part;
        joined.push(part);
      }
    }
  }
  return joined;
}

const keyOf = ({ eventId, occurrenceAt, layer, priority, attendees, absent = [] }: DatedEntry) =>
  JSON.stringify([
    [eventId, occurrenceAt, layer, priority],
    attendees.map(({ attendeeId }) => attendeeId).sort(),
    absent.map(({ absenceId, accountUserId }) => `${absenceId} ${accountUserId}`),
  ]);
