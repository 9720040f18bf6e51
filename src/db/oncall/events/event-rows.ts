// Writes the rows of on-call events. Every write sets `active_until` from the event's rule and, for
// an override, its parent's rule: a wrong value would hide a person who is on call.
import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { isSkipping } from "../../../domain/oncall/absences/absence.ts";
import { overridesAfterEdit } from "../../../domain/oncall/changes/occurrence-changes.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { activeUntil } from "../../../domain/oncall/oncall.ts";
import { eventExceptions, eventSchedules, events, FOREVER } from "../../schema/oncall.ts";
import { build } from "../../shared/database.ts";
import { nextUpdatedAt } from "../../shared/optimistic-retry.ts";
import { assertFamilyUnchanged, type EventFamily, withOverridesOf } from "./event-family.ts";
import { insertAttendees, insertRosters, replaceAttendees, replaceRosters } from "./roster-rows.ts";

type Identity = Pick<typeof events.$inferInsert, "id" | "prefixId" | "createdAt" | "updatedAt">;
type Meta = Record<string, unknown> | undefined;

/** The columns of an event's rule. All derived values depend only on these. */
export function columnsOf(event: OnCallEvent, meta: Meta) {
  const {
    id: _,
    createdAt: __,
    attendees: ___,
    exceptions: ____,
    earlierRosters: _____,
    ...rule
  } = event;
  const skipUnavailable = isSkipping(event);
  return { ...rule, skipUnavailable, ...(meta !== undefined && { meta }) };
}

export function insertRule(
  accountId: string,
  event: OnCallEvent,
  identity: Identity,
  meta: Meta,
): SQLWrapper[] {
  return [
    build.insert(events).values({ ...columnsOf(event, meta), ...identity, accountId }),
    insertAttendees(accountId, [event]),
    ...insertRosters(accountId, [event]),
  ];
}

/** Inserts an event without a parent into schedules. */
export function insertEvent(
  accountId: string,
  event: OnCallEvent,
  identity: Identity,
  scheduleIds: readonly string[],
  meta: Meta,
): SQLWrapper[] {
  const placement = placementOf(event, null);
  return [
    ...insertRule(accountId, event, identity, meta),
    insertSchedules(accountId, [placement], scheduleIds),
  ];
}

/** Inserts an override of `parent` into the parent's schedules at the time of the write. */
export function insertOverride(
  accountId: string,
  override: OnCallEvent,
  parent: OnCallEvent,
  identity: Identity,
  meta: Meta,
): SQLWrapper[] {
  const { until } = placementOf(override, parent);
  return [
    ...insertRule(accountId, override, identity, meta),
    sql`insert into ${eventSchedules} (account_id, schedule_id, event_id, active_until)
      select account_id, schedule_id, ${override.id}, ${until} from ${eventSchedules}
      where ${eventSchedules.eventId} = ${parent.id}`,
    extendOverlapping(accountId, [override.id]),
  ];
}

/**
 * Extends `active_until` of the members of some events' families: of a series to that of its
 * overrides, which have its priority and line, and of each override to that of every override that it
 * overlaps: the newer of the two shapes the parts of the older one, even after its own end.
 */
export function extendOverlapping(accountId: string, eventIds: readonly string[]): SQL {
  return sql`with recursive above(id, parent_id) as (
      select id, parent_id from ${events} where account_id = ${accountId}
        and id in (select value from json_each(${JSON.stringify(eventIds)}))
      union select ${events.id}, ${events.parentId} from above
        join ${events} on ${events.id} = above.parent_id),
    family(root, id, start_at, end_at) as (
      select id, id, null, null from above where parent_id is null
      union select family.root, child.id, child.start_at, child.end_at from family
        join ${events} as child
          on child.account_id = ${accountId} and child.parent_id = family.id),
    kept(id, until) as (
      select one.id, max(place.active_until) from family as one
        join family as other on other.root = one.root
          and (one.id = one.root or other.start_at < one.end_at and other.end_at > one.start_at)
        join ${eventSchedules} as place on place.event_id = other.id
      group by one.id)
    update ${eventSchedules} set active_until = kept.until from kept
    where ${eventSchedules.eventId} = kept.id and ${eventSchedules.activeUntil} < kept.until`;
}

/** A change of an event; absent fields stay unchanged. */
export type EventEdit = {
  readonly meta?: Meta;
  readonly attendeesChanged?: boolean;
  readonly exceptionsChanged?: boolean;
  /** The added exception. */
  readonly added?: OnCallEvent["exceptions"][number];
  readonly scheduleIds?: readonly string[] | undefined;
};

type FamilyUpdate = {
  readonly writes: readonly SQLWrapper[];
  /** The ids of deleted overrides, which have nothing left to override. */
  readonly removed: readonly string[];
  /** The events of the family after the update. */
  readonly events: readonly OnCallEvent[];
};

/**
 * Updates an event, and its overrides accordingly.
 *
 * @param now epoch ms
 */
export function updateFamily(
  accountId: string,
  family: EventFamily,
  event: OnCallEvent,
  edit: EventEdit,
  now: number,
): FamilyUpdate {
  const { applying, fallenAway } = overridesAfterEdit(event, family.overrides);
  const removed = fallenAway.map(({ id }) => id);
  const rest = applying.map(({ override }) => override);
  const parents = new Map([event, ...rest].map((it) => [it.id, it]));
  const placements = [
    placementOf(event, family.parent),
    ...rest.map((it) => placementOf(it, parents.get(it.parentId ?? "") ?? null)),
  ];
  const updatedAt = nextUpdatedAt(family.updatedAt, now);
  const moved = applying.filter(
    ({ override, overriddenStartAt }) =>
      edit.scheduleIds !== undefined || override.overriddenStartAt !== overriddenStartAt,
  );
  const writes = [
    assertFamilyUnchanged(accountId, family),
    build
      .update(events)
      .set({ ...columnsOf(event, edit.meta), updatedAt })
      .where(eq(events.id, event.id)),
    ...(edit.attendeesChanged ? replaceAttendees(accountId, [event]) : []),
    ...replaceRosters(accountId, [family.event], [event]),
    ...(edit.exceptionsChanged ? replaceExceptions(accountId, event) : []),
    ...(edit.added ? [insertException(accountId, event.id, edit.added)] : []),
    ...(removed.length > 0 ? [deleteByIds(removed)] : []),
    ...(moved.length > 0 ? [moveOverrides(moved, updatedAt)] : []),
    ...placeInSchedules(accountId, placements, edit.scheduleIds),
    ...(event.parentId !== null || rest.length > 0
      ? [extendOverlapping(accountId, [event.id])]
      : []),
  ];
  return { writes, removed, events: [event, ...applying.map(toApplying)] };
}

const toApplying = ({
  override,
  overriddenStartAt,
}: {
  override: OnCallEvent;
  overriddenStartAt: number;
}): OnCallEvent => ({ ...override, overriddenStartAt });

/** Deletes the events that `roots` selects with the overrides below them. */
export function deleteWithOverrides(accountId: string, roots: SQL): SQL {
  return sql`${withOverridesOf(accountId, roots)} delete from ${events}
    where ${events.id} in (select id from family)`;
}

/** Deletes the events whose only schedule is this one, with the overrides below them. */
export function deleteEventsOnlyIn(accountId: string, scheduleId: SQLWrapper): SQL {
  const roots = sql`select here.event_id from ${eventSchedules} as here
    where here.account_id = ${accountId} and here.schedule_id = ${scheduleId}
      and not exists (select 1 from ${eventSchedules} as other
        where other.event_id = here.event_id and other.schedule_id <> here.schedule_id)`;
  return deleteWithOverrides(accountId, roots);
}

/** Selects the ids of the events in a schedule. */
export const eventsIn = (accountId: string, scheduleId: SQLWrapper): SQL =>
  sql`select ${eventSchedules.eventId} from ${eventSchedules}
    where ${eventSchedules.accountId} = ${accountId} and ${eventSchedules.scheduleId} = ${scheduleId}`;

type Placement = { readonly id: string; readonly until: number };

export function placementOf(event: OnCallEvent, parent: OnCallEvent | null): Placement {
  return { id: event.id, until: activeUntil(event, parent ?? undefined) ?? FOREVER };
}

export function insertException(
  accountId: string,
  eventId: string,
  { id, startAt }: OnCallEvent["exceptions"][number],
): SQLWrapper {
  return build.insert(eventExceptions).values({ id, accountId, eventId, startAt });
}

export function replaceExceptions(accountId: string, event: OnCallEvent): SQLWrapper[] {
  return [
    build.delete(eventExceptions).where(eq(eventExceptions.eventId, event.id)),
    ...event.exceptions.map((exception) => insertException(accountId, event.id, exception)),
  ];
}

export const deleteByIds = (ids: readonly string[]): SQL =>
  sql`delete from ${events}
    where ${events.id} in (select value from json_each(${JSON.stringify(ids)}))`;

/** Updates overrides that now belong to another occurrence, or to other schedules. */
function moveOverrides(
  moved: readonly { readonly override: OnCallEvent; readonly overriddenStartAt: number }[],
  updatedAt: number,
): SQL {
  const rows = moved.map(({ override, overriddenStartAt: at }) => ({ id: override.id, at }));
  return sql`update ${events} set overridden_start_at = moved.value ->> 'at',
      updated_at = max(updated_at + 1, ${updatedAt})
    from json_each(${JSON.stringify(rows)}) as moved where ${events.id} = moved.value ->> 'id'`;
}

export function insertSchedules(
  accountId: string,
  placements: readonly Placement[],
  scheduleIds: readonly string[],
): SQL {
  return sql`insert into ${eventSchedules} (account_id, schedule_id, event_id, active_until)
    select ${accountId}, place.value, placed.value ->> 'id', placed.value ->> 'until'
    from json_each(${JSON.stringify(placements)}) as placed
      cross join json_each(${JSON.stringify(scheduleIds)}) as place`;
}

/** Moves the events to exactly these schedules; if undefined, each stays where it is. */
export function placeInSchedules(
  accountId: string,
  placements: readonly Placement[],
  scheduleIds: readonly string[] | undefined,
): SQL[] {
  const placed = sql`json_each(${JSON.stringify(placements)}) as placed`;
  if (scheduleIds === undefined) {
    return [
      sql`update ${eventSchedules} set active_until = placed.value ->> 'until'
        from ${placed} where ${eventSchedules.eventId} = placed.value ->> 'id'`,
    ];
  }
  return [
    sql`delete from ${eventSchedules}
      where ${eventSchedules.eventId} in (select placed.value ->> 'id' from ${placed})`,
    insertSchedules(accountId, placements, scheduleIds),
  ];
}
