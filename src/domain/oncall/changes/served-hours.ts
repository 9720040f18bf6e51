/**
 * Preserves who is on call when a change moves overrides: some stay with the series, some move to
 * its continuation, some become plain shifts. Precedence applies only within one series, so each
 * override gives up the hours that a newer one served, where that one no longer takes precedence.
 * Pure.
 */

import type { OnCallEvent } from "../on-call-event.ts";
import { replacedHours, subtractIntervals } from "../override-precedence.ts";

export type ServedHours = {
  /** Changed overrides in their new form; a plain shift has no parent. */
  readonly changed: readonly OnCallEvent[];
  /** Additional pieces, each with its override's id: the caller assigns new ids. */
  readonly rests: readonly OnCallEvent[];
  /** Ids of overrides that served no hours: delete them. */
  readonly unserved: readonly string[];
};

type Pieces = ReadonlyMap<string, readonly OnCallEvent[]>;

/**
 * Decides the new form of all overrides of a series, so that the substitute at every instant stays
 * the same.
 *
 * @param overrides all overrides of the series, direct and nested
 * @param becomes the overrides that the change moves, by id: one or more pieces, the first with the
 *   override's own id
 */
export function preserveServedHours(
  event: OnCallEvent,
  overrides: readonly OnCallEvent[],
  becomes: Pieces,
): ServedHours {
  const servedBefore = replacedHours([event, ...overrides]);
  const unserved: string[] = [];
  let pieces: Pieces = new Map(overrides.map((it) => [it.id, becomes.get(it.id) ?? [it]]));
  // Repeat until stable: giving up hours may expose an older override that must do the same.
  for (;;) {
    const trimmed = trimPieces(event, overrides, pieces, servedBefore);
    const deleted = overrides.filter(({ id }) => trimmed.get(id)?.length === 0);
    const isStable = deleted.length === 0 && countOf(trimmed) === countOf(pieces);
    if (isStable && hoursOf(trimmed) === hoursOf(pieces)) break;
    unserved.push(...deleted.map(({ id }) => id));
    pieces = removeDeleted(pieces, trimmed, deleted);
  }
  const changed = overrides.flatMap((override) => {
    const own = pieces.get(override.id) ?? [];
    return becomes.has(override.id) || own.some((it) => isChanged(it, override)) ? [own] : [];
  });
  return {
    changed: changed.flatMap((own) => own.slice(0, 1)),
    rests: changed.flatMap((own) => own.slice(1)),
    unserved,
  };
}

const countOf = (pieces: Pieces) => [...pieces.values()].flat().length;

const hoursOf = (pieces: Pieces) =>
  [...pieces.values()].flat().reduce((sum, { startAt, endAt }) => sum + endAt - startAt, 0);

const isChanged = (piece: OnCallEvent, { parentId, startAt, endAt }: OnCallEvent) =>
  piece.parentId !== parentId || piece.startAt !== startAt || piece.endAt !== endAt;

/** Removes the hours that a newer override served and that it no longer takes precedence in. */
function trimPieces(
  event: OnCallEvent,
  overrides: readonly OnCallEvent[],
  pieces: Pieces,
  servedBefore: ReturnType<typeof replacedHours>,
): Pieces {
  // The override's id comes first: it decides between two created in the same millisecond.
  const named = new Map(
    [...pieces].map(([id, own]) => [
      id,
      own.map((piece, index) => ({ ...piece, id: index === 0 ? id : `${id} ${index}` })),
    ]),
  );
  const servedAfter = replacedHours([event, ...[...named.values()].flat()]);
  return new Map(
    overrides.flatMap((override) => {
      const own = named.get(override.id);
      if (!own) return [];
      const parts = own.flatMap((piece) => {
        const still = servedAfter(piece);
        const lost = servedBefore(override).flatMap((hours) => subtractIntervals(hours, still));
        return subtractIntervals(piece, lost).map((hours) => ({
          ...piece,
          ...hours,
          id: override.id,
        }));
      });
      return [[override.id, parts] as const];
    }),
  );
}

/** Removes deleted overrides: their own overrides move to what they overrode. */
function removeDeleted(before: Pieces, trimmed: Pieces, deleted: readonly OnCallEvent[]): Pieces {
  const deletedPieces = new Map(deleted.map(({ id }) => [id, before.get(id)?.[0]]));
  return new Map(
    [...trimmed].flatMap(([id, own]) => {
      if (deletedPieces.has(id)) return [];
      const moved = own.map((piece) => {
        const deletedParent = deletedPieces.get(piece.parentId ?? "");
        if (!deletedParent) return piece;
        const { parentId, overriddenStartAt } = deletedParent;
        return { ...piece, parentId, overriddenStartAt };
      });
      return [[id, moved] as const];
    }),
  );
}
