// Writes the rows of on-call events. Every write sets `active_until` from the event's rule and, for
// an override, those of its series: a wrong value would hide a person who is on call.
import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { isSkipping } from "../../../domain/oncall/absences/absence.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { activeUntil } from "../../../domain/oncall/oncall.ts";
import { isOverride, versionsOf } from "../../../domain/oncall/series-versions.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { nextUpdatedAt } from "../../../kernel/db/optimistic-retry.ts";
import { eventExceptions, eventSchedules, events, FOREVER } from "../../schema/oncall.ts";
import { assertFamilyUnchanged, type EventFamily, theseIds, withFamilies } from "./event-family.ts";
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

function insertRule(
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
  const placement = placementOf(event);
  return [
    ...insertRule(accountId, event, identity, meta),
    insertSchedules(accountId, [placement], scheduleIds),
  ];
}

/** Inserts an override made by `parent` into the parent's schedules at the time of the write. */
export function insertOverride(
  accountId: string,
  override: OnCallEvent,
  { event: parent, series }: Pick<EventFamily, "event" | "series">,
  identity: Identity,
  meta: Meta,
): SQLWrapper[] {
  const { until } = placementOf(override, series);
  return [
    ...insertRule(accountId, override, identity, meta),
    sql`insert into ${eventSchedules} (account_id, schedule_id, event_id, active_until)
      select account_id, schedule_id, ${override.id}, ${until} from ${eventSchedules}
      where ${eventSchedules.eventId} = ${parent.id}`,
    extendOverlapping(accountId, [override.id]),
  ];
}

/**
 * Extends `active_until` in the families of some events: of the version that counts when an override
 * begins to that of the override, which has its priority and line; and of each override to that of
 * every override that it overlaps: the newer of the two shapes the parts of the older one, even after
 * its own end.
 */
export function extendOverlapping(accountId: string, eventIds: readonly string[]): SQL {
  const begin = (name: string) => sql.raw(`coalesce(${name}.begins_at, ${name}.start_at)`);
  return sql`with family as materialized (
      select * from ${events} where ${events.id} in (${withFamilies(accountId, theseIds(eventIds))})),
    kept(id, until) as (
      select one.id, max(place.active_until) from family as one
        join family as other on other.series_id = one.series_id and other.parent_id is not null
          and iif(one.parent_id is null,
            not exists (select 1 from family as later
              where later.series_id = one.series_id and later.parent_id is null
                and ${begin("later")} <= other.start_at and ${begin("later")} > ${begin("one")}),
            other.start_at < one.end_at and other.end_at > one.start_at)
        join ${eventSchedules} as place on place.event_id = other.id
      group by one.id)
    update ${eventSchedules} set active_until = kept.until from kept
    where ${eventSchedules.eventId} = kept.id and ${eventSchedules.activeUntil} < kept.until`;
}

/** A change of an event and its family. */
export type FamilyPatch = {
  /** The new state of the family's own event; null: delete it. */
  readonly event: OnCallEvent | null;
  readonly meta?: Meta;
  /** Whether its attendees, or its exceptions, differ from the stored ones. */
  readonly attendeesChanged?: boolean;
  readonly exceptionsChanged?: boolean;
  /** Other versions of the series whose people change. */
  readonly versions?: readonly OnCallEvent[];
  /** The ids of overrides and of other versions that go with the change. */
  readonly removed?: readonly string[];
  readonly added?: readonly AddedEvent[];
  /** The new schedules of the event, and of the overrides in its time; absent: unchanged. */
  readonly scheduleIds?: readonly string[] | undefined;
};

type AddedEvent = {
  readonly event: OnCallEvent;
  /** Absent: that of the family's own event. */
  readonly meta?: Meta;
  /** Epoch ms; absent: now. */
  readonly createdAt?: number;
};

export type FamilyWrites = {
  readonly writes: readonly SQLWrapper[];
  /** The ids of all events that change or go. */
  readonly replacedIds: readonly string[];
  /** Those that change or are added, as they are then, and the schedules of each. */
  readonly events: readonly OnCallEvent[];
  readonly schedulesOf: ReadonlyMap<string, readonly string[]>;
};

/** The writes of a patch. `now` in epoch ms. */
export function patchFamily(
  accountId: string,
  family: EventFamily,
  patch: FamilyPatch,
  now: number,
): FamilyWrites {
  const { event, versions = [], removed = [], scheduleIds } = patch;
  const own = family.event;
  const added = (patch.added ?? []).map((it) => ({
    ...it,
    event: { ...it.event, createdAt: it.createdAt ?? now },
  }));
  const gone = new Set([own.id, ...removed, ...versions.map(({ id }) => id)]);
  const others = family.series.filter(({ id }) => !gone.has(id));
  const changed = [...(event ? [event] : []), ...versions];
  const made = added.map((it) => it.event);
  const series = [...others, ...changed, ...made];
  const overrides = others.filter(isOverride);
  const versionAt = versionsOf(series);
  // Overrides are in the schedules of the version in whose time they are.
  const isBeside = (it: OnCallEvent) =>
    it.id === own.id || versionAt(it, it.startAt)?.id === own.id;
  const moved = [...changed, ...overrides].filter((it) => scheduleIds && isBeside(it));
  const still = [...changed, ...overrides].filter((it) => !moved.includes(it));
  const place = (it: OnCallEvent) => placementOf(it, series);
  const writes = [
    assertFamilyUnchanged(accountId, family),
    ...(event ? eventWrites(accountId, family, event, patch, now) : []),
    ...versions.flatMap((it) =>
      eventWrites(accountId, family, it, { attendeesChanged: true }, now),
    ),
    ...(event && removed.length === 0 ? [] : [deleteByIds(event ? removed : [own.id, ...removed])]),
    ...added.flatMap((it) => insertAdded(accountId, own, it, now)),
    ...(made.length > 0
      ? [insertSchedules(accountId, made.map(place), scheduleIds ?? family.scheduleIds)]
      : []),
    ...(scheduleIds ? moveToSchedules(accountId, moved.map(place), scheduleIds) : []),
    setActiveUntil(still.map(place)),
    ...(series.some(isOverride)
      ? [
          extendOverlapping(
            accountId,
            series.map(({ id }) => id),
          ),
        ]
      : []),
  ];
  const here = scheduleIds ?? family.scheduleIds;
  const placesOf = (it: OnCallEvent) =>
    moved.includes(it) ? here : (family.schedulesOf.get(it.id) ?? here);
  const written = [...new Set([...changed, ...moved, ...made])];
  return {
    writes,
    replacedIds: [...new Set([...gone, ...moved.map(({ id }) => id)])],
    events: written,
    schedulesOf: new Map(written.map((it) => [it.id, placesOf(it)])),
  };
}

/** The writes of one changed event of the family. */
function eventWrites(
  accountId: string,
  { whole }: EventFamily,
  event: OnCallEvent,
  { meta, attendeesChanged, exceptionsChanged }: Omit<FamilyPatch, "event">,
  now: number,
): SQLWrapper[] {
  const stored = whole.members.filter(({ id }) => id === event.id);
  const updatedAt = nextUpdatedAt(stored[0]?.updatedAt ?? now, now);
  return [
    build
      .update(events)
      .set({ ...columnsOf(event, meta), updatedAt })
      .where(eq(events.id, event.id)),
    ...(attendeesChanged ? replaceAttendees(accountId, [event]) : []),
    ...replaceRosters(accountId, stored, [event]),
    ...(exceptionsChanged ? replaceExceptions(accountId, event) : []),
  ];
}

function insertAdded(
  accountId: string,
  like: OnCallEvent,
  { event, meta }: AddedEvent,
  now: number,
): SQLWrapper[] {
  const { createdAt } = event;
  const identity = { ...newIdentity("event", now, event.id), createdAt, updatedAt: now };
  return [
    ...insertRule(accountId, event, identity, meta),
    ...event.exceptions.map((exception) => insertException(accountId, event.id, exception)),
    ...(meta === undefined
      ? [
          sql`update ${events} set meta = held.meta from ${events} as held
            where held.id = ${like.id} and ${events.id} = ${event.id}`,
        ]
      : []),
  ];
}

/** Deletes the events whose only schedule is this one. */
export const deleteEventsOnlyIn = (accountId: string, scheduleId: SQLWrapper): SQL =>
  sql`delete from ${events} where ${events.id} in (select here.event_id from ${eventSchedules} as here
    where here.account_id = ${accountId} and here.schedule_id = ${scheduleId}
      and not exists (select 1 from ${eventSchedules} as other
        where other.event_id = here.event_id and other.schedule_id <> here.schedule_id))`;

/** Selects the ids of the events in a schedule. */
export const eventsIn = (accountId: string, scheduleId: SQLWrapper): SQL =>
  sql`select ${eventSchedules.eventId} from ${eventSchedules}
    where ${eventSchedules.accountId} = ${accountId} and ${eventSchedules.scheduleId} = ${scheduleId}`;

type Placement = { readonly id: string; readonly until: number };

export const placementOf = (
  event: OnCallEvent,
  series: readonly OnCallEvent[] = [],
): Placement => ({
  id: event.id,
  until: activeUntil(event, series) ?? FOREVER,
});

function insertException(
  accountId: string,
  eventId: string,
  { id, startAt }: OnCallEvent["exceptions"][number],
): SQLWrapper {
  return build.insert(eventExceptions).values({ id, accountId, eventId, startAt });
}

function replaceExceptions(accountId: string, event: OnCallEvent): SQLWrapper[] {
  return [
    build.delete(eventExceptions).where(eq(eventExceptions.eventId, event.id)),
    ...event.exceptions.map((exception) => insertException(accountId, event.id, exception)),
  ];
}

export const deleteByIds = (ids: readonly string[]): SQL =>
  sql`delete from ${events}
    where ${events.id} in (select value from json_each(${JSON.stringify(ids)}))`;

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

/** Moves the events to exactly these schedules. */
export const moveToSchedules = (
  accountId: string,
  placements: readonly Placement[],
  scheduleIds: readonly string[],
): readonly SQL[] => [
  sql`delete from ${eventSchedules} where ${eventSchedules.eventId} in
    (select placed.value ->> 'id' from json_each(${JSON.stringify(placements)}) as placed)`,
  insertSchedules(accountId, placements, scheduleIds),
];

/** Sets `active_until` of events where they are. */
export const setActiveUntil = (placements: readonly Placement[]): SQL =>
  sql`update ${eventSchedules} set active_until = placed.value ->> 'until'
    from json_each(${JSON.stringify(placements)}) as placed
    where ${eventSchedules.eventId} = placed.value ->> 'id'`;
