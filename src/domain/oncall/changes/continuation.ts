/**
 * Continues a series from one of its occurrences as an event of its own. The new event keeps the
 * old one's anchor (first date, month lengths, weeks, rotation) unless the change sets a different
 * rhythm.
 */

import { DAY, instantOf, localOf, zoneOf } from "../../shared/time.ts";
import type { ContinuedTurn, EarlierRoster, OnCallEvent, Roster } from "../on-call-event.ts";
import { lastOccurrence, nominalInterval, type Occurrence } from "../recurrence/occurrences.ts";
import { type Nominal, nominalBetween, type Series, seriesOf } from "../recurrence/recurrence.ts";
import { modulo } from "../recurrence/rotation.ts";
import { changeRosters, plannedRosters } from "../rosters/planned-rosters.ts";
import { changeRoster, isSameRoster, rosterOf } from "../rosters/roster-change.ts";
import { differenceOf } from "../rosters/roster-difference.ts";
import { earlierRostersOf, rosterAt, rosterIndexAt } from "../rosters/serving.ts";
import { firstOf, withRemoved } from "../series-versions.ts";
import {
  carryExceptions,
  carryInstant,
  carryPlanned,
  isSameRhythm,
  type SeriesChange,
} from "./carry-over.ts";

export type Continuation = {
  /** With the exceptions that are left. */
  readonly event: OnCallEvent;
  /** Starts (epoch ms) of exceptions whose occurrence has no successor. */
  readonly dropped: readonly number[];
};

/** How new people of a continued series serve. */
export type PeopleChange = {
  /** Epoch ms: they serve from then on, or from the first occurrence, if that is later. */
  readonly from: number;
  /** Whether they also replace what is planned for later, which else changes as they do. */
  readonly replacesPlanned: boolean;
  /** Makes an id of an attendee. */
  readonly newId: () => string;
};

/**
 * The series that continues another one from one of its occurrences.
 *
 * @param event the old series
 * @param occurrence where the new series begins
 * @param edited the old series with the new parameters; its start and end are those of the new
 *   series' first occurrence
 */
export function continuationOf(
  event: OnCallEvent,
  occurrence: Occurrence,
  edited: OnCallEvent,
  people: PeopleChange,
): Continuation {
  const moved = movementOf(event, occurrence, edited);
  const started = startSeries(event, occurrence, edited, moved);
  const change = { from: seriesOf(event), to: seriesOf(started), by: moved.by };
  const later = event.exceptions.filter(({ startAt }) => startAt > occurrence.startAt);
  const { kept, dropped } = carryExceptions(change, later);
  const continued = continueRosters(
    change,
    occurrence,
    { ...started, exceptions: kept },
    edited,
    people.from,
  );
  return {
    event: changePeople(event, occurrence, continued, edited, people),
    dropped: dropped.map(({ startAt }) => startAt),
  };
}

type Movement = {
  readonly nominal: Nominal | null;
  /** How far start and end move on the wall clock (ms). */
  readonly by: number;
  readonly endBy: number;
  readonly isUnmoved: boolean;
};

function movementOf(event: OnCallEvent, occurrence: Occurrence, edited: OnCallEvent): Movement {
  const series = seriesOf(event);
  const nominal = nominalOf(series, occurrence);
  const zone = zoneOf(edited.timeZone);
  const isOtherZone = edited.timeZone !== event.timeZone;
  const localStart = nominal?.localStart ?? localOf(series.zone, occurrence.startAt);
  const localEnd = nominal?.localEnd ?? localOf(series.zone, occurrence.endAt);
  const by = localOf(zone, edited.startAt) - localStart;
  const endBy = localOf(zone, edited.endAt) - localEnd;
  // A start or end shifted by a clock change is not an edit.
  const startMoved = isOtherZone || edited.startAt !== occurrence.startAt;
  const endMoved = isOtherZone || edited.endAt !== occurrence.endAt;
  const isUnmoved = !startMoved && !endMoved;
  return { nominal, by: startMoved ? by : 0, endBy: endMoved ? endBy : 0, isUnmoved };
}

function nominalOf(series: Series, { startAt, turn }: Occurrence): Nominal | null {
  const day = Math.floor(localOf(series.zone, startAt) / DAY);
  const around = nominalBetween(series, day - 2, day + 2);
  return (
    around.find((it) => it.turn === turn && nominalInterval(series, it)?.startAt === startAt) ??
    null
  );
}

/** The changed series before its rosters are set. */
function startSeries(
  event: OnCallEvent,
  occurrence: Occurrence,
  edited: OnCallEvent,
  moved: Movement,
): OnCallEvent {
  const continues = continuedTurn(event, occurrence.startAt, occurrence.turn);
  const fresh = { ...edited, beginsAt: null, continues, exceptions: [] };
  if (!edited.repeat) return { ...fresh, cutAt: null };
  const cutAt = cutAfter(event, edited, moved);
  const anchor = anchorOf(event, edited, moved);
  return anchor ? { ...fresh, ...anchor, cutAt, beginsAt: edited.startAt } : { ...fresh, cutAt };
}

/** How the series from an instant on (epoch ms), with this turn, goes on with the one before it. */
export function continuedTurn(event: OnCallEvent, at: number, turn: number): ContinuedTurn | null {
  const previous = lastOccurrence(withRemoved(event), at);
  if (previous === null) return event.continues ?? null;
  return previous.turn === turn ? "same_turn" : "next_turn";
}

/** The end of the series moves with its occurrences, so that none is lost. */
function cutAfter(event: OnCallEvent, edited: OnCallEvent, { by, isUnmoved }: Movement) {
  if (event.cutAt === null || isUnmoved) return event.cutAt;
  return instantOf(zoneOf(edited.timeZone), localOf(zoneOf(event.timeZone), event.cutAt) + by);
}

/** The first start and end the changed series counts from; null: its own first occurrence. */
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
  return instantsOf(edited, localStart, localEnd);
}

const dayOf = (local: number) => Math.floor(local / DAY);

/** A new number of weeks still counts from the first day of the week the old occurrence was in. */
function weekOf(series: Series, edited: OnCallEvent, nominal: Nominal) {
  if (series.rhythm.kind !== "weeks") return null;
  const offset = modulo(dayOf(nominal.localStart) - series.startDay, series.rhythm.every * 7) * DAY;
  const zone = zoneOf(edited.timeZone);
  const localStart = localOf(zone, edited.startAt) - offset;
  return instantsOf(edited, localStart, localOf(zone, edited.endAt) - offset);
}

/** The instants of wall-clock times; null where a clock change skips one of them. */
function instantsOf(edited: OnCallEvent, localStart: number, localEnd: number) {
  const zone = zoneOf(edited.timeZone);
  const startAt = instantOf(zone, localStart);
  const endAt = instantOf(zone, localEnd);
  const isExact = localOf(zone, startAt) === localStart && localOf(zone, endAt) === localEnd;
  return isExact && startAt > 0 ? { startAt, endAt } : null;
}

/**
 * The rosters of the old series from the occurrence on, for the turns of the new one.
 *
 * @param now epoch ms: the turns of rosters that have taken effect stay where occurrences do
 */
function continueRosters(
  change: SeriesChange,
  occurrence: Occurrence,
  started: OnCallEvent,
  edited: OnCallEvent,
  now: number,
): OnCallEvent {
  const { event } = change.from;
  const { startAt, endAt } = occurrence;
  const first = firstOf(started);
  const by = first ? occurrence.turn - first.turn : 0;
  if (!isSameRhythm({ ...event, startAt, endAt }, edited)) {
    const from = hasSameTurns(event, edited) ? Math.max(startAt, now) : startAt;
    const earlierRosters = rostersFrom(event, startAt)
      .filter(({ untilAt }) => untilAt <= from)
      .map((it) => shiftRoster({ ...it, untilAt: carryInstant(change, it.untilAt) }, by));
    const present = shiftTurns(rosterOf(rosterAt(event, from)), by);
    const planned = plannedRosters(event, from);
    return carryPlanned(change, { ...started, ...present, earlierRosters }, planned);
  }
  return {
    ...started,
    ...shiftTurns(rosterOf(event), by),
    earlierRosters: rostersFrom(event, startAt).map((it) => shiftRoster(it, by)),
  };
}

/** Whether each occurrence has one of the same number in the changed series. */
const hasSameTurns = (event: OnCallEvent, edited: OnCallEvent): boolean =>
  edited.repeat === event.repeat &&
  edited.frequency === event.frequency &&
  edited.frequencyUnit === event.frequencyUnit &&
  edited.daysOfWeek.join() === event.daysOfWeek.join();

/** The rosters before the event's own that serve occurrences from an instant on (epoch ms). */
function rostersFrom(event: OnCallEvent, at: number): readonly EarlierRoster[] {
  const earlier = earlierRostersOf(event);
  return earlier.slice(rosterIndexAt(earlier, at));
}

const shiftRoster = ({ untilAt, cuts, ...roster }: EarlierRoster, by: number): EarlierRoster => ({
  ...shiftTurns(roster, by),
  untilAt,
  cuts: cuts?.map(({ turn, position }) => ({ turn: turn - by, position })) ?? null,
});

export const shiftTurns = (roster: Required<Roster>, by: number): Required<Roster> => ({
  ...roster,
  turnOffset: roster.turnOffset + by,
});

/** Sets the new roster, if the change has one, so that the rotation continues the old series. */
function changePeople(
  event: OnCallEvent,
  occurrence: Occurrence,
  continued: OnCallEvent,
  edited: OnCallEvent,
  { from, replacesPlanned, newId }: PeopleChange,
): OnCallEvent {
  if (isSameRoster(event, edited) && !replacesPlanned) return continued;
  const first = firstOf(continued);
  const at = Math.max(from, first?.startAt ?? from);
  const left = rosterOf(rosterAt(event, occurrence.startAt - 1));
  const started =
    first?.startAt === at
      ? withLeft(continued, shiftTurns(left, occurrence.turn - first.turn), at)
      : continued;
  const next = rosterOf(edited);
  const { cutAt } = started;
  // Whose turn follows may be decided by an occurrence that the next version has in its place.
  const open = { ...started, cutAt: null };
  if (replacesPlanned) return { ...changeRoster(open, next, at), cutAt };
  const base = rosterAt(open, at);
  const follow = differenceOf(base, next, newId);
  const changed = changeRosters(open, at, (it) => (it === base ? next : follow(it)));
  return { ...changed, cutAt };
}

/**
 * A version after the roster that the one before it ends with: new people go on with its turns.
 *
 * @param left that roster, for the turns of the version
 * @param at the start of the first occurrence (epoch ms)
 */
export function withLeft(event: OnCallEvent, left: Required<Roster>, at: number): OnCallEvent {
  const earlier = earlierRostersOf(event).filter(({ untilAt }) => untilAt > at);
  return { ...event, earlierRosters: [{ ...left, untilAt: at, cuts: null }, ...earlier] };
}
