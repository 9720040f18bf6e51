/**
 * The overrides of an imported shift that ends early because the calendar changed it.
 */
import type { OnCallEvent } from "../on-call-event.ts";

export type OverridesAfterEnd = {
  /** Overrides that now override the shift that continues it. */
  readonly moved: readonly OnCallEvent[];
  /** Ids of overrides with nothing left to override. */
  readonly removed: readonly string[];
};

/**
 * What becomes of the direct overrides of a shift that ends at `now`: those that have begun are
 * served; later ones apply to the shift that continues it, if they have hours of it.
 *
 * @param overrides all overrides below the shift
 * @param continuing the new shift for the rest of its hours; null: none
 * @param now epoch ms
 */
export function overridesAfterEnd(
  shift: OnCallEvent,
  overrides: readonly OnCallEvent[],
  continuing: OnCallEvent | null,
  now: number,
): OverridesAfterEnd {
  const later = overrides.filter((it) => it.parentId === shift.id && it.startAt >= now);
  const stays = (it: OnCallEvent) =>
    continuing !== null && it.startAt < continuing.endAt && it.endAt > continuing.startAt;
  const gone = later.filter((it) => !stays(it)).map(({ id }) => id);
  const removed = new Set(gone);
  // Overrides of removed overrides go with them.
  for (let size = -1; size < removed.size; ) {
    size = removed.size;
    for (const it of overrides) if (removed.has(it.parentId ?? "")) removed.add(it.id);
  }
  const moved = later.filter(stays).map((it) => ({
    ...it,
    parentId: continuing?.id ?? null,
    overriddenStartAt: continuing?.startAt ?? null,
  }));
  return { moved, removed: [...removed] };
}
