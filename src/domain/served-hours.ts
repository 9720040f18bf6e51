/**
 * Overrides of one series that a change takes apart: some go on below the series, some below the
 * one that continues it, some as plain shifts. Only overrides below one series rule each other out,
 * so each gives up the hours that a newer one served that it no longer stands beside. Decides only.
 */

import type { OnCallEvent } from "./on-call-event.ts";
import { replacedHours, without } from "./override-precedence.ts";

export type ServedHours = {
  /** Overrides that change, as they become; a plain shift has no parent. */
  readonly changed: readonly OnCallEvent[];
  /** More hours of theirs, each with its override's id: they need ids of their own. */
  readonly rests: readonly OnCallEvent[];
  /** Ids of overrides that served no hours: they are deleted. */
  readonly unserved: readonly string[];
};

type Pieces = ReadonlyMap<string, readonly OnCallEvent[]>;

/**
 * What becomes of all overrides of a series, so that every instant has the substitute that it had.
 *
 * @param overrides every override below the series
 * @param becomes the overrides that the change moves, by id: one piece or more, the first under its
 *   own id
 */
export function keepServedHours(
  event: OnCallEvent,
  overrides: readonly OnCallEvent[],
  becomes: Pieces,
): ServedHours {
  const servedBefore = replacedHours([event, ...overrides]);
  const unserved: string[] = [];
  let pieces: Pieces = new Map(overrides.map((it) => [it.id, becomes.get(it.id) ?? [it]]));
  // An override that gives up hours may have ruled out an older one there, which then does as well.
  for (;;) {
    const trimmed = trim(event, overrides, pieces, servedBefore);
    const gone = overrides.filter(({ id }) => trimmed.get(id)?.length === 0);
    const isDone = gone.length === 0 && countOf(trimmed) === countOf(pieces);
    if (isDone && hoursOf(trimmed) === hoursOf(pieces)) break;
    unserved.push(...gone.map(({ id }) => id));
    pieces = withoutGone(pieces, trimmed, gone);
  }
  const changed = overrides.flatMap((override) => {
    const own = pieces.get(override.id) ?? [];
    return becomes.has(override.id) || own.some((it) => isOther(it, override)) ? [own] : [];
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

const isOther = (piece: OnCallEvent, { parentId, startAt, endAt }: OnCallEvent) =>
  piece.parentId !== parentId || piece.startAt !== startAt || piece.endAt !== endAt;

/** The pieces without the hours that a newer override served that does not rule them out any more. */
function trim(
  event: OnCallEvent,
  overrides: readonly OnCallEvent[],
  pieces: Pieces,
  servedBefore: ReturnType<typeof replacedHours>,
): Pieces {
  // Pieces keep their override's id in front, which decides between two of the same millisecond.
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
        const lost = servedBefore(override).flatMap((hours) => without(hours, still));
        return without(piece, lost).map((hours) => ({ ...piece, ...hours, id: override.id }));
      });
      return [[override.id, parts] as const];
    }),
  );
}

/** Without the overrides that are gone: what overrode them overrides what they did. */
function withoutGone(before: Pieces, trimmed: Pieces, gone: readonly OnCallEvent[]): Pieces {
  const places = new Map(gone.map(({ id }) => [id, before.get(id)?.[0]]));
  return new Map(
    [...trimmed].flatMap(([id, own]) => {
      if (places.has(id)) return [];
      const moved = own.map((piece) => {
        const place = places.get(piece.parentId ?? "");
        if (!place) return piece;
        const { parentId, overriddenStartAt } = place;
        return { ...piece, parentId, overriddenStartAt };
      });
      return [[id, moved] as const];
    }),
  );
}
