/**
 * A change of a series from one of its occurrences on ("this and following"): the turns go on, and
 * later overrides and removed occurrences stay. What no longer fits an occurrence is kept as a plain
 * shift of its own hours. Decides only.
 */

import { carryExceptions, occurrenceForOverride, type SeriesChange } from "./carry-over.ts";
import { continuationOf } from "./continuation.ts";
import { lastOccurrence, type Occurrence, occurrencesTouching } from "./occurrences.ts";
import type { OnCallEvent } from "./on-call-event.ts";
import { seriesOf } from "./recurrence.ts";
import { rotationOf } from "./rotation.ts";
import { keepServedHours } from "./served-hours.ts";

export type FollowingChange = {
  /** The series up to the occurrence; null: it was the first, so the whole series changes. */
  readonly before: OnCallEvent | null;
  /** The series from the occurrence on, with the removed occurrences that it keeps. */
  readonly after: OnCallEvent;
  /** Overrides that go on as overrides, of the new series or with fewer hours, as they become. */
  readonly moved: readonly OnCallEvent[];
  /** Overrides that become plain shifts. */
  readonly plain: readonly OnCallEvent[];
  /** More hours of either, each with its override's id: they need ids of their own. */
  readonly plainRests: readonly OnCallEvent[];
  readonly movedRests: readonly OnCallEvent[];
  /** Ids of overrides that served no hours: they are deleted. */
  readonly unserved: readonly string[];
  /** Starts (epoch ms) of removed occurrences that have none in their place any more. */
  readonly dropped: readonly number[];
};

/**
 * What changing a series from an occurrence on makes of it and of its overrides.
 *
 * @param overrides every override below the event
 * @param edited the event with the change; its hours are those of the first changed occurrence
 * @param id of the series from there on, where it becomes an event of its own
 */
export function decideFollowing(
  event: OnCallEvent,
  overrides: readonly OnCallEvent[],
  occurrence: Occurrence,
  edited: OnCallEvent,
  id: string,
): FollowingChange {
  const { startAt: at } = occurrence;
  const isFirst = lastOccurrence(seriesOf({ ...event, exceptions: [] }), at) === null;
  const before = isFirst ? null : { ...event, cutAt: at };
  const { event: begun, by } = continuationOf(event, occurrence, edited);
  const named = { ...begun, id: isFirst ? event.id : id };
  const from = seriesOf(event);
  const later = event.exceptions.filter(({ startAt }) => startAt > at);
  const { kept, dropped } = carryExceptions({ from, to: seriesOf(named), by }, later);
  const after = { ...named, exceptions: kept };
  const direct = overrides.filter((override) => override.parentId === event.id);
  const change = { from, to: seriesOf(after), by };
  const becomes = new Map(
    direct.flatMap((override) => {
      const pieces = placeOverride(change, before, override);
      return pieces ? [[override.id, pieces] as const] : [];
    }),
  );
  const { changed, rests, unserved } = keepServedHours(event, overrides, becomes);
  const isPlain = ({ parentId }: OnCallEvent) => parentId === null;
  const isMoved = ({ parentId }: OnCallEvent) => parentId !== null;
  return {
    before,
    after,
    moved: changed.filter(isMoved),
    movedRests: rests.filter(isMoved),
    plain: changed.filter(isPlain),
    plainRests: rests.filter(isPlain),
    unserved,
    dropped: dropped.map(({ startAt }) => startAt),
  };
}

/** Whether a change leaves everything of a series from an occurrence on as it is. */
export function isUnchanged(
  event: OnCallEvent,
  occurrence: Occurrence,
  edited: OnCallEvent,
): boolean {
  const { startAt, endAt } = occurrence;
  return JSON.stringify(ruleOf({ ...event, startAt, endAt })) === JSON.stringify(ruleOf(edited));
}

/** What may be changed, in one order; the ids of rows do not count. */
const ruleOf = (event: OnCallEvent) => [
  [event.startAt, event.endAt, event.layer, event.timeZone, event.repeat, event.rotation],
  [event.frequency, event.frequencyUnit, event.daysOfWeek, event.repeatEndAt],
  rotationOf(event).map((attendee) => attendee?.attendeeId ?? null),
];

/** What an override becomes, in one piece or in one on each side; null: it stays as it is. */
function placeOverride(
  change: SeriesChange,
  before: OnCallEvent | null,
  override: OnCallEvent,
): readonly OnCallEvent[] | null {
  const { startAt, endAt } = override;
  const earlier = before ? occurrencesTouching(seriesOf(before), startAt, endAt) : [];
  const later = occurrenceForOverride(change, override);
  if (!later) {
    return earlier.length > 0 ? null : [{ ...override, parentId: null, overriddenStartAt: null }];
  }
  const parentId = change.to.event.id;
  const continued = { ...override, parentId, overriddenStartAt: later.startAt };
  if (earlier.length === 0) return [continued];
  return splitOverride(change, override, continued, Math.max(...earlier.map((it) => it.endAt)));
}

/** An override of hours on both sides replaces the people of either series in its hours there. */
function splitOverride(
  { to }: SeriesChange,
  override: OnCallEvent,
  continued: OnCallEvent,
  earlierEnd: number,
): readonly OnCallEvent[] {
  const touched = occurrencesTouching(to, override.startAt, override.endAt);
  const boundary = Math.max(override.startAt, Math.min(...touched.map((it) => it.startAt)));
  const rest = { ...continued, startAt: boundary, overriddenStartAt: touched[0]?.startAt ?? null };
  // Occurrences that overlap have no boundary: then the hours are replaced in both.
  const isApart = earlierEnd <= boundary && boundary > override.startAt;
  return isApart
    ? [{ ...override, endAt: boundary }, rest]
    : [override, { ...rest, startAt: override.startAt }];
}
