/**
 * What a change of a roster adds, removes and moves, applied to the rosters that are planned for
 * later, so that the change does not undo them. Pure.
 */

import type { OnCallAttendee, Roster } from "../on-call-event.ts";
import { distinctAttendees, type RotationPosition, rotationOf } from "../recurrence/rotation.ts";
import { isSameRoster, type NewRoster, rosterOfPositions } from "./roster-change.ts";

/**
 * A function that changes another roster as `from` was changed to `to`. People whom `to` adds come
 * after those whom they follow there; who was moved, likewise. People whom the other roster has taken
 * out stay out, and those whom it has already are not added again.
 *
 * @param newId makes an id of an attendee
 */
export function differenceOf(
  from: NewRoster,
  to: NewRoster,
  newId: () => string,
): (roster: Roster) => NewRoster {
  if (isSameRoster(from, to)) return (roster) => roster;
  const change = positionChange(rotationOf(from), rotationOf(to), newId);
  const isKept = from.rotation === to.rotation;
  return (roster) => {
    const rotation = isKept ? roster.rotation : to.rotation;
    const changed = rosterOfPositions(rotation, change(rotationOf(roster)));
    if (rotation) return changed;
    // Without rotation everybody has a position of their own.
    const everybody = distinctAttendees(changed).map((it) => [it]);
    return rosterOfPositions(rotation, everybody);
  };
}

/** A position of the changed roster, and which of those of `to` it is; null: none of them. */
type Place = { readonly target: number | null; readonly people: RotationPosition };

type Positions = readonly RotationPosition[];

/** How positions were changed: each of the old ones, and the new ones. */
type PositionChange = {
  readonly from: Positions;
  readonly to: Positions;
  /** The position in `to` of each in `from`; null: it was removed. */
  readonly targets: readonly (number | null)[];
  /** The positions of `from` that stay in their order. */
  readonly inOrder: ReadonlySet<number>;
};

function positionChange(from: Positions, to: Positions, newId: () => string) {
  const targets = matchPositions(from, to);
  const change = { from, to, targets, inOrder: longestInOrder(targets) };
  return (planned: Positions): Positions => {
    const { line, moved } = changeInPlace(change, planned, newId);
    const added = to.flatMap((_, target): Place[] => {
      const isThere = line.some((it) => it.target === target);
      const people = moved.get(target) ?? addedPeople(change, planned, target);
      if (isThere || people === null) return [];
      return [{ target, people: moved.has(target) ? people : withNewIds(people, newId) }];
    });
    return added.reduce(insertPlace, line).map(({ people }) => people);
  };
}

/** The planned positions without what was removed; those that moved are apart, by their target. */
function changeInPlace(
  { from, to, targets, inOrder }: PositionChange,
  planned: Positions,
  newId: () => string,
): { readonly line: readonly Place[]; readonly moved: ReadonlyMap<number, RotationPosition> } {
  const places = matchPositions(from, planned);
  const moved = new Map<number, RotationPosition>();
  const own = ownTargets(from, to, targets, planned, places);
  const isOpen = openTo(from, planned);
  const leaving = without(from.flat(), to.flat());
  const line = planned.flatMap((those, place): Place[] => {
    const index = places.indexOf(place);
    const people = without(those, leaving);
    if (people.length === 0 && those.length > 0 && index === -1) return [];
    if (index === -1) return [{ target: own.get(place) ?? null, people }];
    const target = targets[index] ?? null;
    const [before, after] = [from[index] ?? [], target === null ? [] : (to[target] ?? [])];
    const joining = withNewIds(without(after, before, people).filter(isOpen), newId);
    const left = [...without(people, without(before, after)), ...joining];
    if (left.length === 0 && (target === null || after.length > 0)) return [];
    if (target === null || inOrder.has(index)) return [{ target, people: left }];
    moved.set(target, left);
    return [];
  });
  return { line, moved };
}

/** Positions that the plan adds and the change adds too: they are there already. */
function ownTargets(
  from: Positions,
  to: Positions,
  targets: readonly (number | null)[],
  planned: Positions,
  places: readonly (number | null)[],
): ReadonlyMap<number, number> {
  const added = to.flatMap((people, target) =>
    targets.includes(target) || people.length === 0 ? [] : [{ target, key: keyOf(people) }],
  );
  const own = new Map<number, number>();
  for (const [place, people] of planned.entries()) {
    if (places.includes(place) || from.some((it) => keyOf(it) === keyOf(people))) continue;
    const at = added.findIndex(({ key }) => key === keyOf(people));
    const [found] = at === -1 ? [] : added.splice(at, 1);
    if (found) own.set(place, found.target);
  }
  return own;
}

/** The people of a position that the planned line does not have; null: it has no use for it. */
function addedPeople(
  { from, to, targets }: PositionChange,
  planned: Positions,
  target: number,
): RotationPosition | null {
  const people = to[target] ?? [];
  const index = targets.indexOf(target);
  if (index === -1 && people.length === 0) return people;
  const joining = index === -1 ? people : without(people, from[index] ?? []);
  const open = joining.filter(openTo(from, planned));
  return open.length === 0 ? null : open;
}

/** Whom a change may add: who is planned to join has joined, and who is planned to leave has left. */
function openTo(from: Positions, planned: Positions): (attendee: OnCallAttendee) => boolean {
  const [had, has] = [idsIn(from), idsIn(planned)];
  return ({ attendeeId: id }) => had.has(id) === has.has(id);
}

/** Inserts a position after the one that it follows in the new roster. */
function insertPlace(line: readonly Place[], place: Place): readonly Place[] {
  const target = place.target ?? 0;
  const targets = line.flatMap((it) => it.target ?? []);
  const before = Math.max(-1, ...targets.filter((it) => it < target));
  const after = Math.min(...targets.filter((it) => it > target));
  const previous = line.findIndex((it) => it.target === before);
  const next = line.findIndex((it) => it.target === after);
  const index = previous >= 0 ? previous + 1 : next >= 0 ? next : line.length;
  return line.toSpliced(index, 0, place);
}

/**
 * The position in `to` of each in `from`: that of the same people, or else the first with most of
 * them; null: none is left for it.
 */
function matchPositions(from: Positions, to: Positions): readonly (number | null)[] {
  const keys = to.map(keyOf);
  const open = new Set(to.keys());
  const take = (index: number) => (open.delete(index) ? index : null);
  const exact = from.map((people) => {
    const key = keyOf(people);
    return take(keys.findIndex((it, index) => it === key && open.has(index)));
  });
  return exact.map((found, at) => {
    if (found !== null) return found;
    const shared = [...open].map((index) => ({
      index,
      count: (from[at] ?? []).length - without(from[at] ?? [], to[index] ?? []).length,
    }));
    const most = Math.max(0, ...shared.map(({ count }) => count));
    const best = shared.find(({ count }) => count === most && most > 0);
    return take(best?.index ?? -1);
  });
}

/** The indexes of a longest rising sequence of targets: the others have moved. */
function longestInOrder(targets: readonly (number | null)[]): ReadonlySet<number> {
  const best: (readonly number[])[] = [];
  for (const [at, target] of targets.entries()) {
    if (target === null) {
      best.push([]);
      continue;
    }
    const longest = best.reduce<readonly number[]>((found, own, index) => {
      const fits = own.length > found.length && (targets[index] ?? target) < target;
      return fits ? own : found;
    }, []);
    best.push([...longest, at]);
  }
  return new Set(best.reduce<readonly number[]>((a, b) => (b.length > a.length ? b : a), []));
}

const withNewIds = (people: RotationPosition, newId: () => string): RotationPosition =>
  people.map((it) => ({ ...it, id: newId() }));

const keyOf = (people: RotationPosition): string =>
  people
    .map(({ attendeeId }) => attendeeId)
    .sort()
    .join();

const idsIn = (positions: Positions): ReadonlySet<string> =>
  new Set(positions.flat().map(({ attendeeId }) => attendeeId));

/** The people who are in none of the others. */
function without(
  people: RotationPosition,
  ...others: readonly RotationPosition[]
): RotationPosition {
  const ids = idsIn(others);
  return people.filter(({ attendeeId }) => !ids.has(attendeeId));
}
