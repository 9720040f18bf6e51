// What a change of events keeps of the past, or corrects: decided at its commit and for its preview by
// the same events, so that every write keeps who was on call (contract 4, The past).
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import {
  correctPast,
  keepPast,
  type PastChange,
  type PlacedEvents,
  type PlacedPast,
} from "../../../domain/oncall/changes/keep-past.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { OfPast } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import {
  assertFamiliesUnchanged,
  type FamilyMember,
  selectWholeFamilies,
  theseIds,
  toPlaced,
  toWholeFamilies,
  type WholeFamilies,
} from "./event-family.ts";
import { eventsIn } from "./event-rows.ts";
import { restoreCorrected, writePast } from "./past-rows.ts";

/** The events of a change as they would be stored. */
export type ChangedEvents = {
  /** The ids of all events that change or go. */
  readonly replacedIds: readonly string[];
  /** The events after the change: those that are left, changed or new. */
  readonly events: readonly OnCallEvent[];
  /** Their schedules. */
  readonly schedulesAfter: readonly string[];
  /** The schedules of each of them; absent: all of `schedulesAfter`. */
  readonly schedulesOf?: ReadonlyMap<string, readonly string[]>;
  /** A schedule that loses all its events. */
  readonly emptied?: string;
  /** The families of all of them, where they have been read. */
  readonly known?: WholeFamilies;
  /** Hours before it (epoch ms) are not kept: an undo takes back what the change did to them. */
  readonly keptFrom?: number;
};

/** What a change does to what is kept of the past. */
export type PastOfChange = PastChange & {
  /** What is kept of the changed families before it. */
  readonly past: readonly PlacedPast[];
  /** The precondition that the families are as they were read. */
  readonly unchanged: readonly SQL[];
};

const NOTHING: PastOfChange = { added: [], corrected: [], past: [], unchanged: [] };

/** Reads the families of a change as they are, and decides what it does to the past. */
export async function pastOfChange(
  { db, actor, now }: Context,
  change: ChangedEvents,
  { undoes, correctsPast }: OfPast,
): Promise<PastOfChange> {
  const ids = changedIds(change, actor.accountId);
  if (ids === null) return NOTHING;
  const { accountId } = actor;
  const { members, past, absences } =
    change.known ??
    toWholeFamilies(await batch(db, selectWholeFamilies(accountId, ids, now, undoes ?? null)));
  const { keptFrom } = change;
  const families = {
    before: toPlaced(members),
    after: eventsAfter(members, change),
    past,
    absences,
    ...(keptFrom !== undefined && { keptFrom }),
  };
  const decided = correctsPast
    ? correctPast(families, now)
    : { added: keepPast(families, now), corrected: [] };
  const isNothing = decided.added.length === 0 && decided.corrected.length === 0;
  const unchanged = isNothing ? [] : [assertFamiliesUnchanged(accountId, ids, members)];
  return { ...decided, past, unchanged };
}

/** The writes of what a change does to the past, with its own. */
export function pastWrites(
  { actor, now }: Context,
  past: PastOfChange,
  { undoes, writes }: OfPast & { readonly writes: readonly SQLWrapper[] },
  changeId: string,
): readonly SQLWrapper[] {
  const { accountId } = actor;
  return [
    ...past.unchanged,
    ...(undoes === undefined ? [] : restoreCorrected(accountId, undoes)),
    ...writePast(accountId, past, changeId, now),
    ...writes,
  ];
}

/** A select of the ids of the events that a change replaces, and of the series of new ones; null: none. */
function changedIds(change: ChangedEvents, accountId: string): SQL | null {
  const { replacedIds, events: after, emptied } = change;
  if (emptied !== undefined) return eventsIn(accountId, sql`${emptied}`);
  const ids = [...new Set([...replacedIds, ...after.map(({ seriesId }) => seriesId)])];
  return ids.length === 0 ? null : theseIds(ids);
}

/** All events of the families after the change. */
function eventsAfter(members: readonly FamilyMember[], change: ChangedEvents): PlacedEvents {
  const { replacedIds, events: after, schedulesAfter, schedulesOf, emptied } = change;
  const replaced = new Set(replacedIds);
  const others = members.filter(({ id }) => !replaced.has(id));
  return {
    events: [...others, ...after],
    schedulesOf: new Map([
      ...others.map(
        ({ id, scheduleIds }) => [id, scheduleIds.filter((it) => it !== emptied)] as const,
      ),
      ...after.map(({ id }) => [id, schedulesOf?.get(id) ?? schedulesAfter] as const),
    ]),
  };
}
