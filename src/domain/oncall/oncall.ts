/**
 * Who is on call at an instant, in a window, and until when. One calculation (`onCallBetween`)
 * serves the API, the feed, the preview and paging. Pure: depends only on the events passed in.
 */

import { DAY, END_OF_TIME } from "../shared/time.ts";
import type { OnCallSchedule } from "./absences/absence.ts";
import { type AbsentPerson, serveAbsences } from "./absences/serve-absences.ts";
import {
  type DatedEntry,
  datedEntriesBetween,
  highestPriority,
  joinUnchanged,
  wholeOccurrences,
} from "./changes/dated-entries.ts";
import type { OnCallAttendee, OnCallEvent } from "./on-call-event.ts";
import { applyPriorities, type PrioritizedEntry, priorityOf } from "./priorities.ts";
import { lastOccurrence, occurrencesTouching } from "./recurrence/occurrences.ts";
import { seriesOf } from "./recurrence/recurrence.ts";
import { isOverride } from "./series-versions.ts";

export type OnCallEntry = {
  readonly layer: number;
  /** Start and end of the occurrence, or of its part if split; not clipped to a window. */
  readonly startAt: number;
  readonly endAt: number;
  readonly eventId: string;
  readonly attendees: readonly OnCallAttendee[];
  /** Who would be on call but for an absence; not present: nobody. */
  readonly absent?: readonly AbsentPerson[];
};

/** Everyone on call at an instant (epoch ms), ordered by layer, then start, then event id. */
export function onCallAt(schedule: OnCallSchedule, at: number): OnCallEntry[] {
  return onCallBetween(schedule, at, at + 1);
}

/**
 * Every occurrence with attendees that overlaps [from, to) (epoch ms), ordered by layer, then
 * start, then event id. The schedule must have all overrides that overlap the occurrences of its
 * series in the window, and all absences in them.
 */
export const onCallBetween = (schedule: OnCallSchedule, from: number, to: number): OnCallEntry[] =>
  servedBetween(schedule, from, to).filter(({ attendees }) => attendees.length > 0);

/** The same, with the parts of occurrences that an absence leaves without anybody. */
export function servedBetween(schedule: OnCallSchedule, from: number, to: number): OnCallEntry[] {
  const isDated = (schedule.past ?? []).length > 0;
  const [since, until] = isDated ? wholeOccurrences(schedule, from, to) : [from, to];
  const entries = applyPriorities(
    datedEntriesBetween(schedule, since, until),
    (above, start, end) => datedEntriesBetween(schedule, start, end, above),
    highestPriority(schedule),
  );
  const isInside = ({ startAt, endAt }: PrioritizedEntry) => startAt < to && endAt > from;
  const counting = entries.filter((entry) => entry.attendees.length > 0);
  const served = isDated
    ? joinUnchanged(servedInTime(counting, schedule))
    : serveAbsences(counting.filter(isInside), schedule);
  return served
    .filter(isInside)
    .map(
      ({ priority: _, occurrenceAt: __, turn: ___, named: ____, past: _____, ...entry }) => entry,
    )
    .sort(byLayerStartAndEvent);
}

/** The entries after absences: those of the past by the events as they were. */
function servedInTime(
  entries: readonly DatedEntry[],
  { events, absences }: OnCallSchedule,
): readonly DatedEntry[] {
  return [...Map.groupBy(entries, ({ past }) => past)].flatMap(([past, own]) =>
    serveAbsences(own, { events: past?.events ?? events, absences }),
  );
}

/**
 * A series with precedence splits the occurrences of others, which may last this long after it (ms).
 */
const SPLIT_BY_PRIORITY_MS = 366 * DAY;

/**
 * The instant (epoch ms) after which an event no longer affects who is on call; null: never. An
 * override also splits occurrences of its series, up to their end: pass all events of the series.
 */
export function activeUntil(
  event: OnCallEvent,
  series: readonly OnCallEvent[] = [],
): number | null {
  const own = seriesOf(event);
  const isEndless = own.lastDay === Number.POSITIVE_INFINITY && event.cutAt === null;
  if (isEndless && own.rhythm.kind !== "once") return null;
  const end = lastOccurrence(own, Number.POSITIVE_INFINITY)?.endAt ?? event.startAt;
  const versions = isOverride(event) ? series.filter((it) => !isOverride(it)) : [];
  const split = versions.flatMap((version) =>
    occurrencesTouching(seriesOf(version), event.startAt, event.endAt).map(({ endAt }) => ({
      ...{ version, endAt },
    })),
  );
  const until = Math.max(end, ...split.map(({ endAt }) => endAt));
  const priority = priorityOf([...series, event]);
  const hasPriority = [event, ...split.map(({ version }) => version)].some(
    (it) => priority(it) > 0,
  );
  return hasPriority ? until + SPLIT_BY_PRIORITY_MS : until;
}

// The search for the next boundary starts with one day, quadruples the span, and stops after this
// many shifts without a change.
const FIRST_SPAN = DAY;
const MAX_SHIFTS = 1000;

/**
 * The next instant strictly after `after` (epoch ms) at which the people on call change on any
 * layer; null: never. After a thousand shifts without a change (one person serving every turn), it
 * returns the instant that the search reached: a timer set to it resumes the search.
 */
export function nextBoundary(schedule: OnCallSchedule, after: number): number | null {
  const before = personKeys(onCallAt(schedule, after));
  let from = after;
  let span = FIRST_SPAN;
  let startedShifts = 0;
  while (from < END_OF_TIME) {
    const to = Math.min(from + span, END_OF_TIME);
    const entries = onCallBetween(schedule, from, to);
    const change = firstDifference(entries, before, from, to);
    if (change !== null) return change;
    startedShifts += entries.filter((entry) => entry.startAt >= from).length;
    if (startedShifts > MAX_SHIFTS) return to;
    from = to;
    span *= 4;
  }
  return null;
}

/** The first instant in [from, to) at which the people on call differ from `before`; null: none. */
function firstDifference(
  entries: readonly OnCallEntry[],
  before: ReadonlySet<string>,
  from: number,
  to: number,
): number | null {
  const steps = entries.flatMap((entry) => [
    { at: Math.max(entry.startAt, from), entry, by: 1 },
    { at: entry.endAt, entry, by: -1 },
  ]);
  // Always evaluate `from`, even without steps: everyone may have left.
  const instants = [...new Set([from, ...steps.map((step) => step.at)])].sort((a, b) => a - b);
  const stepsAt = Map.groupBy(steps, (step) => step.at);
  const shifts = new Map<string, number>();
  let joined = 0;
  let missing = before.size;
  for (const at of instants) {
    if (at >= to) break;
    for (const { entry, by } of stepsAt.get(at) ?? []) {
      for (const person of personKeys([entry])) {
        const previous = shifts.get(person) ?? 0;
        shifts.set(person, previous + by);
        const change = previous + by === 0 ? -1 : previous === 0 ? 1 : 0;
        if (before.has(person)) missing -= change;
        else joined += change;
      }
    }
    if (joined > 0 || missing > 0) return at;
  }
  return null;
}

/** Keys of who is on call on which layer. */
function personKeys(entries: readonly OnCallEntry[]): Set<string> {
  const people = new Set<string>();
  for (const { layer, attendees } of entries) {
    for (const { attendeeId } of attendees) people.add(`${layer} ${attendeeId}`);
  }
  return people;
}

function byLayerStartAndEvent(one: OnCallEntry, other: OnCallEntry): number {
  if (one.layer !== other.layer) return one.layer - other.layer;
  if (one.startAt !== other.startAt) return one.startAt - other.startAt;
  if (one.eventId !== other.eventId) return one.eventId < other.eventId ? -1 : 1;
  return one.endAt - other.endAt;
}
