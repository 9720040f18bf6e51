// Who is put on or taken off a shift by changes of a schedule, and when they are notified. A burst of
// changes is notified once, after it; nobody is notified of what only they changed. Pure.
import { DAY, MINUTE } from "../../shared/time.ts";
import { clipHours, type Hours, subtractHours } from "../intervals.ts";
import type { Interval } from "../override-precedence.ts";
import {
  clipPeople,
  extendKnown,
  type KnownHours,
  type LayerHours,
  layersOf,
} from "./person-hours.ts";

/** People are notified of changes of their hours in the next 28 days. */
export const NOTICE_WINDOW_MS = 28 * DAY;
/** More is known than is compared, so that the schedule is read once a week at most. */
export const KNOWN_WINDOW_MS = 35 * DAY;
/** A schedule of which fewer days are known is read again once a day. */
const LEAST_PAUSE_MS = DAY;
/** Changes are notified once there are no others for this long, */
const QUIET_MS = 2 * MINUTE;
/** and at the latest this long after the first. */
const LONGEST_WAIT_MS = 15 * MINUTE;

/** The author of changes that no member made, in lists of account user ids. */
export const NOBODY = "";

type PendingChange = {
  /** The person's hours before the first change. */
  readonly before: LayerHours;
  /** The account user ids of those who changed them, or `NOBODY`. */
  readonly actors: readonly string[];
};

/** What is known of a schedule's hours, and the changes that are still to be notified. */
export type ShiftMemory = KnownHours & {
  readonly pending: Readonly<Record<string, PendingChange>>;
  /** Null: no change is pending. */
  readonly burst: Burst | null;
  /** When the schedule must be read again, so that 28 days are always known (epoch ms). */
  readonly readAgainAt: number;
};

/** When the first and the last pending change was seen, and up to when hours are comparable. */
type Burst = { readonly firstAt: number; readonly lastAt: number; readonly until: number };

export type LayerInterval = Interval & { readonly layer: number };

/** A change of one person's hours, by start. */
export type HoursChange = {
  readonly accountUserId: string;
  readonly added: readonly LayerInterval[];
  readonly removed: readonly LayerInterval[];
};

/**
 * Compares the schedule with what is known of it.
 *
 * @param memory null: nothing is known, so the schedule was empty, or (no actors) is seen first now
 * @param current the schedule's hours, at least from `now` on
 * @param actors who changed it since the last call; empty: nobody, and nothing is compared
 */
export function observeShifts(
  memory: ShiftMemory | null,
  current: KnownHours,
  actors: readonly string[],
  now: number,
): ShiftMemory {
  const { until: seenUntil } = current;
  const seen = {
    until: seenUntil,
    people: clipPeople(current.people, now, seenUntil),
    readAgainAt: Math.max(seenUntil - NOTICE_WINDOW_MS, now + LEAST_PAUSE_MS),
  };
  const nothing: ShiftMemory = { ...seen, people: {}, pending: {}, burst: null };
  if (actors.length === 0) {
    if (memory === null) return { ...nothing, ...seen };
    return { ...memory, ...seen, ...extendKnown(memory, seen, now) };
  }
  const known = memory ?? nothing;
  const until = Math.min(known.until, seen.until);
  const to = Math.min(until, now + NOTICE_WINDOW_MS);
  const changed = [...new Set([...Object.keys(known.people), ...Object.keys(seen.people)])].filter(
    (id) => differ(known.people[id] ?? {}, seen.people[id] ?? {}, now, to),
  );
  // A change that makes no difference may have been seen, with its hours, by an earlier call.
  const touched = changed.length > 0 ? changed : Object.keys(known.pending);
  const pending = { ...known.pending };
  for (const id of touched) {
    const { before = known.people[id] ?? {}, actors: others = [] } = pending[id] ?? {};
    pending[id] = { before, actors: [...new Set([...others, ...actors])] };
  }
  const burst = touched.length === 0 ? known.burst : continued(known.burst, now, until);
  return { ...seen, pending, burst };
}

const continued = (burst: Burst | null, now: number, until: number): Burst => ({
  firstAt: burst?.firstAt ?? now,
  lastAt: now,
  until: Math.min(burst?.until ?? until, until),
});

/** When pending changes are to be notified (epoch ms); null: there are none. */
export const changesDueAt = ({ burst }: ShiftMemory): number | null =>
  burst && Math.min(burst.lastAt + QUIET_MS, burst.firstAt + LONGEST_WAIT_MS);

/** Takes the pending changes: those that people are notified of, and the memory without them. */
export function takeChanges(
  memory: ShiftMemory,
  now: number,
): { readonly memory: ShiftMemory; readonly changes: readonly HoursChange[] } {
  const to = Math.min(memory.burst?.until ?? now, now + NOTICE_WINDOW_MS);
  const changes = Object.entries(memory.pending).flatMap(([id, { before, actors }]) => {
    if (actors.every((actor) => actor === id)) return [];
    const after = memory.people[id] ?? {};
    const added = difference(after, before, now, to);
    const removed = difference(before, after, now, to);
    return added.length + removed.length === 0 ? [] : [{ accountUserId: id, added, removed }];
  });
  return { memory: { ...memory, pending: {}, burst: null }, changes };
}

const differ = (one: LayerHours, other: LayerHours, from: number, to: number): boolean =>
  difference(one, other, from, to).length + difference(other, one, from, to).length > 0;

/** The hours in [from, to) that are in `one` and not, on the same layer, in `other`; by start. */
function difference(one: LayerHours, other: LayerHours, from: number, to: number): LayerInterval[] {
  const inWindow = (hours: Hours = []) => clipHours(hours, from, to);
  return layersOf(one, other)
    .flatMap((layer) =>
      subtractHours(inWindow(one[layer]), inWindow(other[layer])).map((it) => ({ layer, ...it })),
    )
    .sort((a, b) => a.startAt - b.startAt || a.layer - b.layer);
}
