/**
 * Removing only the part of an occurrence that overrides leave between them: nobody has its hours
 * any more, and the other parts and the overrides stay, as plain shifts. Decides only.
 */

import type { ShownOccurrence } from "./occurrence-at.ts";
import { occurrencesTouching } from "./occurrences.ts";
import type { OnCallEvent } from "./on-call-event.ts";
import { seriesOf } from "./recurrence.ts";
import { keepServedHours } from "./served-hours.ts";

export type PartRemoval = {
  /** The event as it becomes; null: it is deleted. */
  readonly event: OnCallEvent | null;
  /** The start of the occurrence that is removed from the event, or null. */
  readonly exceptionAt: number | null;
  /** Overrides that change, as they become. */
  readonly changed: readonly OnCallEvent[];
  /** The other parts, and more hours of overrides, as events of their own: they need ids. */
  readonly added: readonly OnCallEvent[];
  /** Ids of overrides that served no hours: they are deleted. */
  readonly unserved: readonly string[];
};

/**
 * What removing the part of an occurrence makes of its event and of the event's overrides.
 *
 * @param overrides every override below the event
 */
export function decidePartRemoval(
  event: OnCallEvent,
  overrides: readonly OnCallEvent[],
  shown: ShownOccurrence,
): PartRemoval {
  const { occurrence, part, parts, attendees } = shown;
  const others = parts.filter(({ startAt }) => startAt !== part.startAt);
  const single = {
    ...event,
    repeat: false,
    rotation: false,
    frequency: null,
    frequencyUnit: null,
    daysOfWeek: [],
    repeatEndAt: null,
    cutAt: null,
    beginsAt: null,
    turnOffset: 0,
    emptyPositions: [],
    exceptions: [],
    attendees: attendees.map((attendee, position) => ({ ...attendee, position })),
  };
  const rest = attendees.length > 0 ? others.map((hours) => ({ ...single, ...hours })) : [];
  const direct = overrides.filter((override) => override.parentId === event.id);
  if (event.repeat && event.parentId === null) {
    const exceptions = [...event.exceptions, { id: "", startAt: occurrence.startAt }];
    const series = seriesOf({ ...event, exceptions });
    const freed = direct.filter(
      ({ startAt, endAt }) => occurrencesTouching(series, startAt, endAt).length === 0,
    );
    const asShift = (it: OnCallEvent) => ({ ...it, parentId: null, overriddenStartAt: null });
    const becomes = new Map(freed.map((it) => [it.id, [asShift(it)]]));
    const { changed, rests, unserved } = keepServedHours(event, overrides, becomes);
    const added = [...rest, ...rests];
    return { event, exceptionAt: occurrence.startAt, changed, added, unserved };
  }
  // Of an override, the hours go back to whom it replaced; what overrode it then overrides those.
  const { parentId, overriddenStartAt } = event;
  const changed = direct.map((override) => ({ ...override, parentId, overriddenStartAt }));
  const [shrunk, ...added] = rest;
  return { event: shrunk ?? null, exceptionAt: null, changed, added, unserved: [] };
}
