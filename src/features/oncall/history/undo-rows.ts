// What an undo reads, and how it restores the events of an image.
import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Undo } from "../../../domain/oncall/changes/undo-change.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { build } from "../../../kernel/db/database.ts";
import { type RowOf, select } from "../../../kernel/db/select.ts";
import { changes } from "../../schema/changes.ts";
import { eventExceptions, eventSchedules, events, schedules } from "../../schema/oncall.ts";
import type { FamilyMember } from "../events/event-family.ts";
import { columnsOf, deleteByIds, extendOverlapping, placementOf } from "../events/event-rows.ts";
import { insertAttendees, insertRosters } from "../events/roster-rows.ts";
import { type EventImage, storedColumns } from "./event-images.ts";

const entryColumns = {
  id: changes.id,
  createdAt: changes.createdAt,
  verb: changes.verb,
  kind: changes.kind,
  recordId: changes.recordId,
  eventIds: changes.eventIds,
  scheduleIds: changes.scheduleIds,
  fields: changes.fields,
  recordBefore: changes.recordBefore,
  recordAfter: changes.recordAfter,
  irreversible: changes.irreversible,
  correctsPast: changes.correctsPast,
  before: changes.before,
  after: changes.after,
};

export type StoredEntry = RowOf<typeof entryColumns>;

/**
 * Selects an entry of the account, as an undo and its effect read it.
 *
 * @param id a select of its id
 */
export const selectEntry = (accountId: string, id: SQL) =>
  select(
    entryColumns,
    sql`from ${changes} where ${changes.accountId} = ${accountId} and ${changes.id} = (${id})`,
  );

/** Selects several entries. `ids`: a select of theirs. */
export const selectEntriesOf = (accountId: string, ids: SQL) =>
  select(
    entryColumns,
    sql`from ${changes} where ${changes.accountId} = ${accountId} and ${changes.id} in (${ids})`,
  );

/** Selects the ids of the account's schedules. */
export const selectScheduleIds = (accountId: string) =>
  select({ id: schedules.id }, sql`from ${schedules} where ${schedules.accountId} = ${accountId}`);

type Restoration = {
  readonly images: readonly EventImage[];
  readonly members: readonly FamilyMember[];
  readonly undo: Undo;
};

/**
 * Restores events by their images, with what the undo decided.
 *
 * @param now epoch ms
 */
export function restoreEvents(
  accountId: string,
  { images, members, undo }: Restoration,
  now: number,
): readonly SQLWrapper[] {
  const { restored, kept, removedIds } = undo;
  const updatedAt = Math.max(now, ...members.map((it) => it.updatedAt + 1));
  const series = Map.groupBy([...kept, ...restored], ({ seriesId }) => seriesId);
  const place = (it: OnCallEvent) => placementOf(it, series.get(it.seriesId));
  const imageOf = new Map(images.map((it) => [it.id, it]));
  const places = restored.flatMap((event) =>
    (imageOf.get(event.id)?.scheduleIds ?? []).map((scheduleId) => ({
      scheduleId,
      ...place(event),
    })),
  );
  const ids = restored.map(({ id }) => id);
  const changed = restored.filter((event) => isChanged(event, imageOf.get(event.id)));
  const exceptions = restored.flatMap((event) =>
    event.exceptions.map((it) => ({ ...it, eventId: event.id })),
  );
  return [
    deleteByIds([...removedIds, ...ids]),
    ...(ids.length > 0
      ? [
          insertImages(
            accountId,
            images.filter(({ id }) => ids.includes(id)),
            updatedAt,
          ),
          ...changed.map((event) =>
            build.update(events).set(columnsOf(event, undefined)).where(eq(events.id, event.id)),
          ),
          insertAttendees(accountId, restored),
          ...insertRosters(accountId, restored),
          insertExceptions(accountId, exceptions),
          insertPlaces(accountId, places),
        ]
      : []),
    extendOverlapping(accountId, ids),
  ];
}

/** Whether the event is not stored as its image has it. */
const isChanged = (event: OnCallEvent, image: EventImage | undefined): boolean =>
  event !== image && JSON.stringify(event) !== JSON.stringify(image);

function insertImages(accountId: string, images: readonly EventImage[], updatedAt: number): SQL {
  const columns = Object.entries(storedColumns);
  const rows = images.map((image) => toStored(image));
  const names = sql.join(
    columns.map(([, column]) => sql.identifier(column.name)),
    sql`, `,
  );
  const values = sql.join(
    columns.map(([name]) => sql.raw(`value ->> '${name}'`)),
    sql`, `,
  );
  return sql`insert into ${events} (account_id, updated_at, ${names})
    select ${accountId}, ${updatedAt}, ${values} from json_each(${JSON.stringify(rows)})`;
}

/** The values of an event's row as the database stores them. */
const toStored = (image: EventImage): Record<string, unknown> => {
  const values = new Map<string, unknown>(Object.entries(image));
  return Object.fromEntries(
    Object.entries(storedColumns).map(([name, column]) => {
      const value = values.get(name) ?? null;
      return [name, value === null ? null : column.mapToDriverValue(value)];
    }),
  );
};

type ExceptionRow = { readonly id: string; readonly eventId: string; readonly startAt: number };

const insertExceptions = (accountId: string, rows: readonly ExceptionRow[]): SQL =>
  sql`insert into ${eventExceptions} (id, account_id, event_id, start_at)
    select value ->> 'id', ${accountId}, value ->> 'eventId', value ->> 'startAt'
    from json_each(${JSON.stringify(rows)})`;

type Place = { readonly scheduleId: string; readonly id: string; readonly until: number };

/** Schedules that were deleted since are left out. */
const insertPlaces = (accountId: string, places: readonly Place[]): SQL =>
  sql`insert into ${eventSchedules} (account_id, schedule_id, event_id, active_until)
    select ${accountId}, ${schedules.id}, value ->> 'id', value ->> 'until'
    from json_each(${JSON.stringify(places)}) join ${schedules}
      on ${schedules.id} = value ->> 'scheduleId' and ${schedules.accountId} = ${accountId}`;
