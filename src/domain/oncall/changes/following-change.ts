/**
 * Changes a series from one of its occurrences on ("this and following"). The rotation continues,
 * and later overrides and exceptions are preserved; overrides that no longer match an occurrence
 * become plain shifts. Pure.
 */

import { isSkipping } from "../absences/absence.ts";
import type { OnCallEvent } from "../on-call-event.ts";
import { lastOccurrence, type Occurrence, occurrencesTouching } from "../recurrence/occurrences.ts";
import { seriesOf } from "../recurrence/recurrence.ts";
import { rotationOf } from "../recurrence/rotation.ts";
import { occurrenceForOverride, type SeriesChange } from "./carry-over.ts";
import { continuationOf, type PeopleChange } from "./continuation.ts";
import { preserveServedHours } from "./served-hours.ts";

export type FollowingChange = {
  /** The series before the occurrence; null if that was the first, so the whole series changes. */
  readonly before: OnCallEvent | null;
  /** The series from the occurrence on, with its remaining exceptions. */
  readonly after: OnCallEvent;
  /** Overrides that remain overrides, of the new series or with fewer hours, in their new form. */
  readonly moved: readonly OnCallEvent[];
  /** Overrides that become plain shifts. */
  readonly plain: readonly OnCallEvent[];
  /** Additional pieces of both kinds, each with its override's id: the caller assigns new ids. */
  readonly plainRests: readonly OnCallEvent[];
  readonly movedRests: readonly OnCallEvent[];
  /** Ids of overrides that served no hours: delete them. */
  readonly unserved: readonly string[];
  /** Starts (epoch ms) of exceptions whose occurrence has no successor. */
  readonly dropped: readonly number[];
};

/**
 * Decides the change of a series from an occurrence on, and of its overrides.
 *
 * @param overrides all overrides of the event, direct and nested
 * @param edited the event with the change; its start and end are those of the first changed
 *   occurrence
 * @param id id of the new series, if the change splits the event
 * @param people how the people of `edited` serve, if they differ
 */
export function decideFollowing(
  event: OnCallEvent,
  overrides: readonly OnCallEvent[],
  occurrence: Occurrence,
  edited: OnCallEvent,
  id: string,
  people: PeopleChange,
): FollowingChange {
  const { startAt: at } = occurrence;
  const isFirst = lastOccurrence(seriesOf({ ...event, exceptions: [] }), at) === null;
  const before = isFirst ? null : { ...event, cutAt: at };
  const { event: continued, by, dropped } = continuationOf(event, occurrence, edited, people);
  const after = { ...continued, id: isFirst ? event.id : id };
  const direct = overrides.filter((override) => override.parentId === event.id);
  const change = { from: seriesOf(event), to: seriesOf(after), by };
  const replacements = new Map(
    direct.flatMap((override) => {
      const pieces = placeOverride(change, before, override);
      return pieces ? [[override.id, pieces] as const] : [];
    }),
  );
  const { changed, rests, unserved } = preserveServedHours(event, overrides, replacements);
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
    dropped,
  };
}

/** Whether a change has no effect from an occurrence on. */
export function isUnchanged(
  event: OnCallEvent,
  occurrence: Occurrence,
  edited: OnCallEvent,
): boolean {
  const { startAt, endAt } = occurrence;
  return JSON.stringify(ruleOf({ ...event, startAt, endAt })) === JSON.stringify(ruleOf(edited));
}

/** The editable fields in a fixed order; row ids are ignored. */
const ruleOf = (event: OnCallEvent) => [
  [event.startAt, event.endAt, event.layer, event.timeZone, event.repeat, event.rotation],
  [event.frequency, event.frequencyUnit, event.daysOfWeek, event.repeatEndAt],
  [event.restrictions ?? [], event.priority ?? 0, isSkipping(event)],
  rotationOf(event).map((position) => position.map(({ attendeeId }) => attendeeId)),
];

/** The new form of an override: one piece, or one on each side of the split; null: unchanged. */
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

/** Splits an override that spans both series at their boundary. */
function splitOverride(
  { to }: SeriesChange,
  override: OnCallEvent,
  continued: OnCallEvent,
  earlierEnd: number,
): readonly OnCallEvent[] {
  const overlapping = occurrencesTouching(to, override.startAt, override.endAt);
  const boundary = Math.max(override.startAt, Math.min(...overlapping.map((it) => it.startAt)));
  const rest = {
    ...continued,
    startAt: boundary,
    overriddenStartAt: overlapping[0]?.startAt ?? null,
  };
  // Overlapping occurrences have no boundary: the hours are replaced in both.
  const isSeparable = earlierEnd <= boundary && boundary > override.startAt;
  return isSeparable
    ? [{ ...override, endAt: boundary }, rest]
    : [override, { ...rest, startAt: override.startAt }];
}
