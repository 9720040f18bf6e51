/**
 * A series from one of its occurrences on, as an event of its own. It keeps what the old one counts
 * from (first date, month lengths, weeks, turns) unless the change gives it another rhythm.
 */

import { lastOccurrence, nextOccurrence, type Occurrence, onTheClock } from "./occurrences.ts";
import type { OnCallEvent } from "./on-call-event.ts";
import { type Nominal, nominalBetween, type Series, seriesOf } from "./recurrence.ts";
import { modulo, nextPosition, rotationOf, samePosition, turnOf } from "./rotation.ts";
import { DAY, instantOf, localOf, zoneOf } from "./time.ts";

export type Continuation = {
  readonly event: OnCallEvent;
  /** How far its starts are from the old ones on the wall clock, ms. */
  readonly by: number;
};

/**
 * The series that begins with an occurrence of another one.
 *
 * @param event the old series
 * @param occurrence where the new one begins
 * @param edited the old series with the parameters of the new one; its hours are those of the new
 *   one's first occurrence
 */
export function continuationOf(
  event: OnCallEvent,
  occurrence: Occurrence,
  edited: OnCallEvent,
): Continuation {
  const moved = movementOf(event, occurrence, edited);
  const begun = beginning(event, edited, moved);
  return { event: withTurns(event, occurrence, begun), by: moved.by };
}

type Movement = {
  readonly nominal: Nominal | null;
  /** On the wall clock, ms: how far the start and the end move. */
  readonly by: number;
  readonly endBy: number;
  readonly isUnmoved: boolean;
};

function movementOf(event: OnCallEvent, occurrence: Occurrence, edited: OnCallEvent): Movement {
  const series = seriesOf(event);
  const nominal = nominalOf(series, occurrence);
  const zone = zoneOf(edited.timeZone);
  const isElsewhere = edited.timeZone !== event.timeZone;
  const localStart = nominal?.localStart ?? localOf(series.zone, occurrence.startAt);
  const localEnd = nominal?.localEnd ?? localOf(series.zone, occurrence.endAt);
  const by = localOf(zone, edited.startAt) - localStart;
  const endBy = localOf(zone, edited.endAt) - localEnd;
  // A time that the clocks moved is not a change that anybody made.
  const startMoved = isElsewhere || edited.startAt !== occurrence.startAt;
  const endMoved = isElsewhere || edited.endAt !== occurrence.endAt;
  const isUnmoved = !startMoved && !endMoved;
  return { nominal, by: startMoved ? by : 0, endBy: endMoved ? endBy : 0, isUnmoved };
}

function nominalOf(series: Series, { startAt, turn }: Occurrence): Nominal | null {
  const day = Math.floor(localOf(series.zone, startAt) / DAY);
  const around = nominalBetween(series, day - 2, day + 2);
  return (
    around.find((it) => it.turn === turn && onTheClock(series, it)?.startAt === startAt) ?? null
  );
}

/** The changed series before its turns are set. */
function beginning(event: OnCallEvent, edited: OnCallEvent, moved: Movement): OnCallEvent {
  const fresh = { ...edited, beginsAt: null, turnOffset: 0, exceptions: [] };
  if (!edited.repeat) return { ...fresh, cutAt: null };
  const cutAt = cutAfter(event, edited, moved);
  const anchor = anchorOf(event, edited, moved);
  return anchor ? { ...fresh, ...anchor, cutAt, beginsAt: edited.startAt } : { ...fresh, cutAt };
}

/** An end of the series moves with its occurrences: none is lost by it. */
function cutAfter(event: OnCallEvent, edited: OnCallEvent, { by, isUnmoved }: Movement) {
  if (event.cutAt === null || isUnmoved) return event.cutAt;
  return instantOf(zoneOf(edited.timeZone), localOf(zoneOf(event.timeZone), event.cutAt) + by);
}

/** The instants that the changed series counts from; null: from its own first occurrence. */
function anchorOf(event: OnCallEvent, edited: OnCallEvent, moved: Movement) {
  const { nominal, by, endBy, isUnmoved } = moved;
  const series = seriesOf(event);
  const isSameUnit = edited.frequencyUnit === event.frequencyUnit;
  if (!nominal || !isSameUnit) return null;
  if (edited.frequency !== event.frequency) return weekOf(series, edited, nominal);
  if (isUnmoved) return { startAt: event.startAt, endAt: event.endAt };
  if (series.rhythm.kind === "months") {
    const isOtherDay = dayOf(nominal.localStart + by) !== dayOf(nominal.localStart);
    if (isOtherDay || (series.spanMonths !== null && by !== endBy)) return null;
  }
  const localStart = series.startDay * DAY + series.startClock + by;
  const localEnd = (series.startDay + series.spanDays) * DAY + series.endClock + endBy;
  return onClock(edited, localStart, localEnd);
}

const dayOf = (local: number) => Math.floor(local / DAY);

/** Another number of weeks still counts from the first day of the week that the old one was in. */
function weekOf(series: Series, edited: OnCallEvent, nominal: Nominal) {
  if (series.rhythm.kind !== "weeks") return null;
  const into = modulo(dayOf(nominal.localStart) - series.startDay, series.rhythm.every * 7) * DAY;
  const zone = zoneOf(edited.timeZone);
  const localStart = localOf(zone, edited.startAt) - into;
  return onClock(edited, localStart, localOf(zone, edited.endAt) - into);
}

/** Instants for wall-clock times; null where a change of clocks has none for one of them. */
function onClock(edited: OnCallEvent, localStart: number, localEnd: number) {
  const zone = zoneOf(edited.timeZone);
  const startAt = instantOf(zone, localStart);
  const endAt = instantOf(zone, localEnd);
  const isRead = localOf(zone, startAt) === localStart && localOf(zone, endAt) === localEnd;
  return isRead && startAt > 0 ? { startAt, endAt } : null;
}

const peopleOf = (event: OnCallEvent) => rotationOf(event).map((it) => it?.attendeeId ?? null);

/** The changed series with the turns of the old one going on. */
function withTurns(event: OnCallEvent, occurrence: Occurrence, begun: OnCallEvent): OnCallEvent {
  const first = nextOccurrence(seriesOf(begun), begun.beginsAt ?? begun.startAt);
  const line = peopleOf(begun);
  if (!begun.rotation || !begun.repeat || !first || line.length === 0) return begun;
  const position = firstPosition(event, occurrence, line);
  return { ...begun, turnOffset: modulo(position - first.turn, line.length) };
}

/** The position in the changed rotation that has its first occurrence. */
function firstPosition(
  event: OnCallEvent,
  occurrence: Occurrence,
  line: readonly (string | null)[],
): number {
  if (!event.rotation) return 0;
  const before = peopleOf(event);
  const turn = turnOf(event, occurrence);
  // A removed occurrence used its turn as well.
  const previous = lastOccurrence(seriesOf({ ...event, exceptions: [] }), occurrence.startAt);
  if (turn === 0 && !previous && !event.beginsAt) return 0;
  // A turn of several occurrences that has begun stays with whoever has it.
  const isRunning = previous?.turn === occurrence.turn;
  const running = isRunning ? samePosition(before, line, turn) : null;
  return running ?? nextPosition(before, line, isRunning ? turn : turn - 1);
}
