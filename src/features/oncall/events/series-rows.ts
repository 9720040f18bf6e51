// Writes a whole series at once: events that change, go and are new, each with its own schedules.
import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { isOverride } from "../../../domain/oncall/series-versions.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { nextUpdatedAt } from "../../../kernel/db/optimistic-retry.ts";
import { eventExceptions, events } from "../../schema/oncall.ts";
import type { SeriesEvent } from "./described-series.ts";
import type { FamilyMember } from "./event-family.ts";
import {
  columnsOf,
  deleteByIds,
  extendOverlapping,
  insertSchedules,
  moveToSchedules,
  placementOf,
  setActiveUntil,
} from "./event-rows.ts";
import { insertAttendees, insertRosters, replaceAttendees, replaceRosters } from "./roster-rows.ts";

export type SeriesWrites = {
  /** The events of the series as they are stored. */
  readonly stored: readonly FamilyMember[];
  readonly changed: readonly SeriesEvent[];
  readonly added: readonly SeriesEvent[];
  readonly removedIds: readonly string[];
};

/** The writes of a series. `now` in epoch ms. */
export function writesOfSeries(
  accountId: string,
  { stored, changed, added, removedIds }: SeriesWrites,
  now: number,
): readonly SQLWrapper[] {
  const written = [...changed, ...added];
  const gone = new Set([...removedIds, ...written.map(({ id }) => id)]);
  const others = stored.filter(({ id }) => !gone.has(id));
  const series = [...others, ...written];
  const placements = (list: readonly { readonly id: string }[]) =>
    series.filter(({ id }) => list.some((it) => it.id === id)).map((it) => placementOf(it, series));
  const replaced = stored.filter(({ id }) => changed.some((it) => it.id === id));
  const bySchedules = Map.groupBy(written, ({ scheduleIds }) => JSON.stringify(scheduleIds));
  return [
    ...(removedIds.length > 0 ? [deleteByIds(removedIds)] : []),
    ...changed.map((it) => updateEvent(it, replaced, now)),
    ...added.map((it) => insertEvent(accountId, it, now)),
    ...(changed.length > 0 ? replaceAttendees(accountId, changed) : []),
    ...replaceRosters(accountId, replaced, changed),
    ...(added.length > 0 ? [insertAttendees(accountId, added)] : []),
    ...insertRosters(accountId, added),
    ...writeExceptions(accountId, replaced, written),
    ...[...bySchedules.values()].flatMap((own) => {
      const kept = own.filter((it) => changed.includes(it));
      const made = own.filter((it) => added.includes(it));
      const [{ scheduleIds } = { scheduleIds: [] }] = own;
      return [
        ...(kept.length > 0 ? moveToSchedules(accountId, placements(kept), scheduleIds) : []),
        ...(made.length > 0 ? [insertSchedules(accountId, placements(made), scheduleIds)] : []),
      ];
    }),
    ...(others.length > 0 ? [setActiveUntil(placements(others))] : []),
    ...(series.some(isOverride)
      ? [
          extendOverlapping(
            accountId,
            series.map(({ id }) => id),
          ),
        ]
      : []),
  ];
}

const ruleOf = ({ scheduleIds: _, meta, ...event }: SeriesEvent) => columnsOf(event, { ...meta });

function updateEvent(event: SeriesEvent, stored: readonly FamilyMember[], now: number): SQLWrapper {
  const updatedAt = stored.find(({ id }) => id === event.id)?.updatedAt ?? now;
  return build
    .update(events)
    .set({ ...ruleOf(event), updatedAt: nextUpdatedAt(updatedAt, now) })
    .where(eq(events.id, event.id));
}

function insertEvent(accountId: string, event: SeriesEvent, now: number): SQLWrapper {
  const { id, createdAt } = event;
  const identity = { ...newIdentity("event", now, id), createdAt };
  return build.insert(events).values({ ...ruleOf(event), ...identity, accountId });
}

function writeExceptions(
  accountId: string,
  stored: readonly FamilyMember[],
  written: readonly SeriesEvent[],
): readonly SQL[] {
  const replaced = stored.filter(({ exceptions }) => exceptions.length > 0).map(({ id }) => id);
  const rows = written.flatMap(({ id: eventId, exceptions }) =>
    exceptions.map(({ id, startAt }) => ({ id, eventId, startAt })),
  );
  return [
    ...(replaced.length > 0
      ? [
          sql`delete from ${eventExceptions} where ${eventExceptions.eventId} in
            (select value from json_each(${JSON.stringify(replaced)}))`,
        ]
      : []),
    ...(rows.length > 0
      ? [
          sql`insert into ${eventExceptions} (id, account_id, event_id, start_at)
            select value ->> 'id', ${accountId}, value ->> 'eventId', value ->> 'startAt'
            from json_each(${JSON.stringify(rows)})`,
        ]
      : []),
  ];
}
