// Writes a change to several events of one family: a series continued as another one, or overrides
// that change their parent. Every write updates `active_until`.
import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { events } from "../../schema/oncall.ts";
import { build } from "../../shared/database.ts";
import { newIdentity } from "../../shared/identifiers.ts";
import { nextUpdatedAt } from "../../shared/optimistic-retry.ts";
import { assertFamilyUnchanged, type EventFamily } from "./event-family.ts";
import {
  columnsOf,
  deleteByIds,
  extendOverlapping,
  insertException,
  insertRule,
  insertSchedules,
  placeInSchedules,
  placementOf,
  replaceExceptions,
} from "./event-rows.ts";
import { replaceAttendees, replaceRosters } from "./roster-rows.ts";

export type FamilyPatch = {
  /** The new state of the family's own event; null: delete it. */
  readonly event: OnCallEvent | null;
  /** Whether its attendees, or its exceptions, differ from the stored ones. */
  readonly attendeesChanged?: boolean;
  readonly exceptionsChanged?: boolean;
  /** The new state of overrides with another parent or other hours. */
  readonly overrides: readonly OnCallEvent[];
  /** Ids of overrides to delete. */
  readonly removed?: readonly string[];
  /** New events; `like` names a stored event to copy `meta` and `created_at` from. */
  readonly added: readonly AddedEvent[];
  readonly meta?: Record<string, unknown> | undefined;
  /** The new schedules of the event and its overrides; absent: unchanged. */
  readonly scheduleIds?: readonly string[] | undefined;
};

type AddedEvent = {
  readonly event: OnCallEvent;
  readonly meta?: Record<string, unknown> | undefined;
  readonly like: { readonly id: string; readonly isAsOld: boolean };
};

type FamilyWrites = {
  readonly writes: readonly SQLWrapper[];
  /** The events of the family after the patch, and those that it adds. */
  readonly events: readonly OnCallEvent[];
};

/** The writes of a patch. `now` in epoch ms. */
export function patchFamily(
  accountId: string,
  family: EventFamily,
  patch: FamilyPatch,
  now: number,
): FamilyWrites {
  const updatedAt = nextUpdatedAt(family.updatedAt, now);
  const members = membersAfter(family, patch, now);
  const byId = new Map(members.map((it) => [it.id, it]));
  const parentOf = (it: OnCallEvent) =>
    (it.parentId === family.parent?.id ? family.parent : byId.get(it.parentId ?? "")) ?? null;
  const added = patch.added.map(({ event }) => event);
  const addedIds = new Set(added.map(({ id }) => id));
  const place = (it: OnCallEvent) => placementOf(it, parentOf(it));
  const scheduleIds = patch.scheduleIds ?? family.scheduleIds;
  const stored = members.filter(({ id }) => !addedIds.has(id)).map(place);
  const writes = [
    assertFamilyUnchanged(accountId, family),
    ...eventWrites(accountId, family, patch, updatedAt),
    ...(patch.overrides.length > 0 ? [rewriteOverrides(patch.overrides, updatedAt)] : []),
    ...(patch.removed?.length ? [deleteByIds(patch.removed)] : []),
    ...patch.added.flatMap((it) => insertAdded(accountId, it, now)),
    ...(added.length > 0 ? [insertSchedules(accountId, added.map(place), scheduleIds)] : []),
    ...placeInSchedules(accountId, stored, patch.scheduleIds),
    ...(members.some(({ parentId }) => parentId !== null)
      ? [
          extendOverlapping(
            accountId,
            members.map(({ id }) => id),
          ),
        ]
      : []),
  ];
  return { writes, events: members };
}

function membersAfter(
  family: EventFamily,
  patch: FamilyPatch,
  now: number,
): readonly OnCallEvent[] {
  const stored = new Map([family.event, ...family.overrides].map((it) => [it.id, it]));
  const changed = new Map(patch.overrides.map((it) => [it.id, it]));
  return [
    ...(patch.event ? [patch.event] : []),
    ...family.overrides
      .filter(({ id }) => !patch.removed?.includes(id))
      .map((it) => changed.get(it.id) ?? it),
    ...patch.added.map(({ event, like }) => {
      const createdAt = like.isAsOld ? stored.get(like.id)?.createdAt : undefined;
      return { ...event, createdAt: createdAt ?? now };
    }),
  ];
}

function eventWrites(
  accountId: string,
  { event: stored }: EventFamily,
  { event, meta, attendeesChanged, exceptionsChanged }: FamilyPatch,
  updatedAt: number,
): SQLWrapper[] {
  if (event === null) return [deleteByIds([stored.id])];
  const rule = { ...columnsOf(event, meta), updatedAt };
  return [
    build.update(events).set(rule).where(eq(events.id, event.id)),
    ...(attendeesChanged ? replaceAttendees(accountId, [event]) : []),
    ...replaceRosters(accountId, [stored], [event]),
    ...(exceptionsChanged ? replaceExceptions(accountId, event) : []),
  ];
}

const insertExceptions = (accountId: string, event: OnCallEvent): SQLWrapper[] =>
  event.exceptions.map((exception) => insertException(accountId, event.id, exception));

function insertAdded(accountId: string, added: AddedEvent, now: number): SQLWrapper[] {
  const { event, meta, like } = added;
  const identity = { ...newIdentity("event", now, event.id), updatedAt: now };
  const copied = sql`update ${events} set
      created_at = ${like.isAsOld ? sql`held.created_at` : sql`${events.createdAt}`},
      meta = ${meta === undefined ? sql`held.meta` : sql`${events.meta}`}
    from ${events} as held where held.id = ${like.id} and ${events.id} = ${event.id}`;
  return [
    ...insertRule(accountId, event, identity, meta),
    ...insertExceptions(accountId, event),
    copied,
  ];
}

/** Updates overrides with another parent or other hours, in one statement. */
function rewriteOverrides(overrides: readonly OnCallEvent[], updatedAt: number): SQL {
  const rows = overrides.map(({ id, parentId, overriddenStartAt, startAt, endAt }) => ({
    id,
    parentId,
    overriddenStartAt,
    startAt,
    endAt,
  }));
  return sql`update ${events} set parent_id = changed.value ->> 'parentId',
      overridden_start_at = changed.value ->> 'overriddenStartAt',
      start_at = changed.value ->> 'startAt', end_at = changed.value ->> 'endAt',
      updated_at = max(updated_at + 1, ${updatedAt})
    from json_each(${JSON.stringify(rows)}) as changed
    where ${events.id} = changed.value ->> 'id'`;
}
