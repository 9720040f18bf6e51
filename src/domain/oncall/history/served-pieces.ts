/**
 * Overrides and plain shifts that, beside other events, make who was on call in a time what was
 * served. Pure.
 */

import type { Absence } from "../absences/absence.ts";
import type { OnCallEvent } from "../on-call-event.ts";
import { occurrencesTouching } from "../recurrence/occurrences.ts";
import { seriesOf } from "../recurrence/recurrence.ts";
import {
  type ComparedTime,
  type Contribution,
  differingTimes,
  keyOf,
  type PlacedEvents,
} from "./contributions.ts";

/** An event to add, without what every single shift has. */
export type ServedPiece = {
  /** The event that it overrides; null: a plain shift. */
  readonly parentId: string | null;
  /** Its own start for a plain shift: what was served is nobody else's by an absence. */
  readonly overriddenStartAt: number | null;
  readonly startAt: number;
  readonly endAt: number;
  readonly layer: number;
  readonly priority: number;
  /** Account user ids. */
  readonly people: readonly string[];
  readonly scheduleIds: readonly string[];
  /** The event whose time zone it gets. */
  readonly likeId: string;
};

/** The longest override that the API accepts (ms), in days of 24 hours. */
const LONGEST_MS = 366 * 86_400_000;

/**
 * A layer above those that can be chosen. An empty override with precedence hides others on its own
 * layer: there are none on this one.
 */
const UNUSED_LAYER = 1000;

/**
 * Decides the pieces for [from, to) (epoch ms). An override must be newer than all of `base`.
 *
 * @param served the events by which was served
 * @param base the events beside which the pieces are stored
 * @param absences those that concern any of their schedules, in order
 */
export function servedPieces(
  served: PlacedEvents,
  base: PlacedEvents,
  from: number,
  to: number,
  absences: readonly Absence[],
): readonly ServedPiece[] {
  const byId = new Map(base.events.map((event) => [event.id, event]));
  const pieces: ServedPiece[] = [];
  // By what a piece does: the one that the next time may extend.
  const open = new Map<string, number>();
  for (const time of differingTimes(served, base, from, to, absences)) {
    for (const piece of piecesOf(time, byId, base.schedulesOf)) {
      const { parentId, layer, priority, scheduleIds, people } = piece;
      const key = JSON.stringify([parentId, layer, priority, scheduleIds, people]);
      const at = open.get(key);
      const last = at === undefined ? undefined : pieces[at];
      const isLonger = last && piece.endAt - last.startAt > LONGEST_MS;
      if (at !== undefined && last && last.endAt === piece.startAt && !isLonger) {
        pieces[at] = { ...last, endAt: piece.endAt };
      } else {
        open.set(key, pieces.length);
        pieces.push(piece);
      }
    }
  }
  return pieces.map((piece) => {
    const parent = byId.get(piece.parentId ?? "");
    if (!parent) return piece;
    const [first] = occurrencesTouching(seriesOf(parent), piece.startAt, piece.endAt);
    return { ...piece, overriddenStartAt: first?.startAt ?? piece.startAt };
  });
}

type ById = ReadonlyMap<string, OnCallEvent>;

/** The pieces of a time: what is not wanted any more is overridden, and what is missing added. */
function piecesOf(
  time: ComparedTime,
  byId: ById,
  schedulesOf: PlacedEvents["schedulesOf"],
): readonly ServedPiece[] {
  const { startAt, endAt } = time;
  const hours = { startAt, endAt, overriddenStartAt: null };
  let missing = [...time.served];
  const families = Map.groupBy(time.wanted, ({ eventId }) => rootOf(eventId, byId));
  const replaced: Contribution[] = [];
  for (const own of families.values()) {
    const matching = matchesOf(own, missing);
    if (matching) missing = missing.filter((it) => !matching.has(it));
    else replaced.push(overriddenOf(own, byId));
  }
  const overrides = replaced.map((wanted): ServedPiece => {
    const { eventId: parentId, priority } = wanted;
    // An override is in all schedules of its series.
    const scheduleIds = (schedulesOf.get(parentId) ?? []).toSorted();
    const place = scheduleIds.join();
    const found = missing.find((it) => it.priority === priority && it.scheduleIds.join() === place);
    missing = missing.filter((it) => it !== found);
    const layer = priority > 0 ? UNUSED_LAYER : wanted.layer;
    const own = found ?? { layer, people: [] };
    return {
      ...hours,
      parentId,
      priority,
      layer: own.layer,
      people: own.people,
      scheduleIds,
      likeId: parentId,
    };
  });
  const shifts = missing.map(
    ({ layer, priority, people, scheduleIds, eventId }): ServedPiece => ({
      ...hours,
      parentId: null,
      overriddenStartAt: startAt,
      layer,
      priority,
      people,
      scheduleIds,
      likeId: eventId,
    }),
  );
  return [...overrides, ...shifts];
}

/** For each of a family's contributions one that was served, all different; null: there are not. */
function matchesOf(
  own: readonly Contribution[],
  served: readonly Contribution[],
): ReadonlySet<Contribution> | null {
  const found = new Set<Contribution>();
  for (const wanted of own) {
    const match = served.find((it) => !found.has(it) && keyOf(it) === keyOf(wanted));
    if (!match) return null;
    found.add(match);
  }
  return found;
}

/**
 * Which of a family's contributions a new override is made for: that of the series, if there is one.
 * Being the newest of the family, the override replaces all others of it.
 */
function overriddenOf(own: readonly Contribution[], byId: ById): Contribution {
  const ofSeries = own.find(({ eventId }) => byId.get(eventId)?.parentId === null);
  const [first] = own;
  const found = ofSeries ?? first;
  if (!found) throw new Error("a family without contributions is not overridden");
  return found;
}

/** The event at the root of an event's chain, as far as it is known. */
function rootOf(id: string, byId: ById): string {
  const parentId = byId.get(id)?.parentId;
  return parentId ? rootOf(parentId, byId) : id;
}
