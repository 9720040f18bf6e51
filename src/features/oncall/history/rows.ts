// What an entry of the history shows (contract 4, History).
import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import {
  FORMER_KINDS,
  FORMER_REASON,
  IRREVERSIBLE,
  IRREVERSIBLE_REASONS,
} from "../../../domain/oncall/changes/history-entry.ts";
import type { Undo } from "../../../domain/oncall/changes/undo-change.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import {
  boolean,
  instant,
  list,
  reference,
  references,
  string,
} from "../../../kernel/db/attributes.ts";
import { build } from "../../../kernel/db/database.ts";
import { prefixIdFrom } from "../../../kernel/db/prefix-id.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { type RowOf, select } from "../../../kernel/db/select.ts";
import { selectLater } from "../../change/change-entries.ts";
import { type EventImage, storedColumns } from "../../change/event-images.ts";
import { changeSchedules, changes } from "../../schema/changes.ts";
import { eventExceptions, eventSchedules, events, schedules } from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";
import type { FamilyMember } from "../events/event-family.ts";
import { columnsOf, deleteByIds, extendOverlapping, placementOf } from "../events/event-rows.ts";
import { insertAttendees, insertRosters } from "../events/roster-rows.ts";

const later = sql`(${selectLater(sql`changes`)})`;

const words = sql.join(
  IRREVERSIBLE_REASONS.map((reason) => {
    const [name, text] = [reason, IRREVERSIBLE[reason]].map((it) => it.replaceAll("'", "''"));
    return sql.raw(`when '${name}' then '${text}'`);
  }),
  sql` `,
);

const formerKinds = sql.join(
  FORMER_KINDS.map((kind) => sql`${kind}`),
  sql`, `,
);

const notUndoable = sql<string | null>`(case
  when ${changes.undoneById} is not null then 'it was undone'
  when ${changes.kind} in (${formerKinds}) then ${FORMER_REASON}
  when ${changes.irreversible} is not null then case ${changes.irreversible} ${words} end
  else (select 'a later change depends on it: ' || ${prefixIdFrom("change", sql`found.id`)}
    from ${later} as found) end)`;

/** Of a take-over: a JSON list of the account users whom it relieved. */
const relieved = sql<
  readonly string[]
>`(select json_group_array(value) from json_each(${changes.recordBefore}, '$.relieved'))`;

/** The entries of schedules: `change_schedules` is the order in which a schedule's are read. */
export const changeRecords: Records<"ScheduleChange"> = {
  kind: "change",
  shows: "ScheduleChange",
  from: sql`${changeSchedules} join ${changes} on ${changes.accountId} = ${changeSchedules.accountId}
    and ${changes.id} = ${changeSchedules.changeId}`,
  accountId: changeSchedules.accountId,
  id: changeSchedules.changeId,
  prefixId: changes.prefixId,
  attributes: {
    id: string(sql<string>`${changeSchedules.changeId}`),
    prefix_id: string(changes.prefixId),
    account_id: string(changes.accountId),
    created_at: instant(changes.createdAt),
    actor_kind: string(changes.actorKind),
    account_user_id: reference(changes.accountUserId, changes.accountId, accountUsers),
    api_key_id: string(
      sql<string | null>`iif(${changes.actorKind} = 'key', ${changes.actorId}, null)`,
    ),
    verb: string(changes.verb),
    record_kind: string(changes.kind),
    record_id: string(changes.recordId),
    record_name: string(changes.name),
    fields: list(changes.fields),
    event_ids: references(changes.eventIds, changes.accountId, events),
    relieved_account_user_ids: references(relieved, changes.accountId, accountUsers),
    schedule_ids: references(changes.scheduleIds, changes.accountId, schedules),
    corrects_past: boolean(changes.correctsPast),
    undoes_id: string(changes.undoesId),
    undone_by_id: string(changes.undoneById),
    undoable: { ...boolean(sql<boolean>`(${notUndoable} is null)`), unfiltered: true },
    not_undoable_reason: { ...string(notUndoable), unfiltered: true },
  },
  search: [],
  datedById: true,
};

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

export type StoredChange = RowOf<typeof entryColumns>;

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
