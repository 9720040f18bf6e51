// Writes an entry of the history in the transaction of its change: the images before the writes go
// in with the entry, those after them complete it. Two rows and one for each schedule concerned.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Actor } from "../../domain/access/actor.ts";
import {
  type IrreversibleReason,
  irreversibleReason,
  NEVER_BLOCKING,
  type RecordedKind,
} from "../../domain/oncall/changes/history-entry.ts";
import type { Attributes } from "../../kernel/db/attributes.ts";
import { assertPrecondition } from "../../kernel/db/precondition.ts";
import { changeSchedules, changes } from "../schema/changes.ts";
import { eventRosters, events } from "../schema/oncall.ts";
import { imageOfEvents, jsonObject } from "./event-images.ts";

/** The kinds whose undo needs the record as it was. Texts about people are not stored. */
const STORED_RECORDS: readonly RecordedKind[] = ["absence", "schedule"];
const NOT_STORED = ["updated_at", "reason"];

/** Larger images, before and after each, are not stored: a value is limited to 2 MB. */
const MOST_CHARACTERS = 250_000;
const MOST_EVENTS = 500;

export type NewEntry = {
  /** The entry's dated ULID. */
  readonly id: string;
  /** Epoch ms. */
  readonly now: number;
  readonly actor: Actor;
  readonly verb: string;
  readonly kind: RecordedKind;
  /** A select of the record's id, of no row if there is none; an id that a create makes. */
  readonly recordId: SQL | string;
  /**
   * The record's attributes and where it is: the names of those that change are recorded, and the values of
   * those that an undo restores.
   */
  readonly record?: {
    readonly attributes: Attributes;
    readonly from: SQL;
    readonly restored?: readonly string[];
  };
  /** A select of the ids of all events that may change or go, or be made. */
  readonly touched?: SQL;
  /** A select of ids of schedules that it concerns apart from its events'. */
  readonly scheduleIds?: SQL;
  /** The entry that this change undoes. */
  readonly undoes?: string;
  /** Whether it is to change who was on call before it. */
  readonly correctsPast?: boolean;
  readonly irreversible?: IrreversibleReason | null;
  /** Of a take-over: the account users whom it relieves. */
  readonly relieved?: readonly string[];
};

/** The same writes, with the entry of the history around them. */
export function withEntry(
  accountId: string,
  entry: NewEntry,
  writes: readonly SQLWrapper[],
): readonly SQLWrapper[] {
  const { undoes } = entry;
  return [
    ...(undoes === undefined ? [] : [assertUndoable(accountId, undoes)]),
    insertEntry(accountId, entry),
    ...writes,
    completeEntry(accountId, entry),
    insertSchedules(accountId, entry),
    ...(typeof entry.recordId === "string" ? [dropUnmade(accountId, entry)] : []),
    ...(undoes === undefined ? [] : markUndone(accountId, undoes, entry.id)),
  ];
}

const NO_EVENTS = sql`select null as value where 0`;

/** A JSON object of what the record shows, of some attributes; null without a record. */
function recordImage(
  { record }: NewEntry,
  isIncluded = (name: string) => name !== "updated_at",
): SQL {
  if (!record) return sql`null`;
  const shown = Object.fromEntries(
    Object.entries(record.attributes)
      .filter(([name]) => isIncluded(name))
      .map(([name, attribute]) => [name, attribute.sql]),
  );
  return sql`(select ${jsonObject(shown)} ${record.from})`;
}

/** What an undo needs of the record. */
function storedImage(entry: NewEntry): SQL {
  if (entry.relieved) return sql`${JSON.stringify({ relieved: entry.relieved })}`;
  const restored = entry.record?.restored;
  if (restored) return recordImage(entry, (name) => restored.includes(name));
  if (!STORED_RECORDS.includes(entry.kind)) return sql`null`;
  return recordImage(entry, (name) => !NOT_STORED.includes(name));
}

const nameOf = ({ record }: NewEntry): SQL => {
  const name = record?.attributes.name;
  return name && record ? sql`(select ${name.sql} ${record.from})` : sql`null`;
};

function insertEntry(accountId: string, entry: NewEntry): SQL {
  const { id, now, actor, verb, kind, recordId, touched = NO_EVENTS, undoes } = entry;
  const reason = entry.irreversible ?? irreversibleReason(kind, verb);
  const author = "accountUserId" in actor ? actor.accountUserId : null;
  const isNamed = typeof recordId === "string";
  const columns = sql`account_id, id, created_at, actor_kind, account_user_id, actor_id, verb, kind,
    record_id, name, fields, undoes_id, irreversible, corrects_past, event_ids,
    before, record_before`;
  return sql`insert into ${changes} (${columns})
    select ${accountId}, ${id}, ${now}, ${actor.kind}, ${author}, ${actorIdOf(actor)}, ${verb}, ${kind},
      record.id, ${nameOf(entry)}, ${recordImage(entry)}, ${undoes ?? null}, ${reason},
      ${Number(entry.correctsPast ?? false)},
      (select json_group_array(id) from ${events}
        where ${events.accountId} = ${accountId} and id in (${touched})),
      ${boundedImage(accountId, touched)},
      ${storedImage(entry)}
    from (${isNamed ? sql`select ${recordId} as id` : recordId}) as record`;
}

/** The images of events; null if they are too large to be stored. */
const boundedImage = (accountId: string, ids: SQL): SQL =>
  sql`iif((select count(*) from (${ids})) > ${MOST_EVENTS}
      or (select coalesce(sum(length(${eventRosters.attendees})), 0) from ${eventRosters}
        where ${eventRosters.eventId} in (${ids})) > ${MOST_CHARACTERS},
    null, ${imageOfEvents(accountId, ids)})`;

function actorIdOf(actor: Actor): string | null {
  if (actor.kind === "key") return actor.credentialId;
  return actor.kind === "integration" ? actor.integrationId : null;
}

/** What one image has and the other has not, or otherwise. */
const differing = (one: SQL, other: SQL): SQL =>
  sql`(select json_group_object(key, json(value)) from (
    select key, value from json_each(${one}) except select key, value from json_each(${other})))`;

/** Completes the entry with the images after the writes, reduced to what differs. */
function completeEntry(accountId: string, entry: NewEntry): SQL {
  const { touched = NO_EVENTS, scheduleIds = NO_EVENTS, undoes = null } = entry;
  const own = sql`stored.account_id = ${accountId} and stored.id = ${entry.id}`;
  const ids = sql`select * from (${touched}) union select entry.value from (
    select one.value from ${changes} as stored, json_each(stored.event_ids) as one
    where ${own}) as entry`;
  const both = sql`(select key, value from json_each(was) union all select key, value from json_each(became))`;
  const fields = sql`(select json_group_array(key) from (
    select coalesce(one.key, other.key) as key from json_each(${changes.fields}) as one
      full join json_each(now.record) as other on other.key = one.key
    where one.value is not other.value order by 1))`;
  const restored = entry.record?.restored;
  const isPartly = restored
    ? sql`exists (select 1 from json_each(${fields})
        where value not in (select value from json_each(${JSON.stringify(restored)})))`
    : sql`0`;
  const reason = irreversibleReason(entry.kind, "") ?? "settings";
  return sql`with now(image, record, name) as materialized (
      select ${boundedImage(accountId, ids)}, ${recordImage(entry)}, ${nameOf(entry)}),
    difference(was, became) as materialized (
      select ${differing(sql`stored.before`, sql`now.image`)},
        ${differing(sql`now.image`, sql`stored.before`)}
      from ${changes} as stored, now where ${own}),
    found(event_ids, parent_ids, schedule_ids, too_large) as materialized (select
      iif(stored.before is null, stored.event_ids,
        (select json_group_array(distinct key) from ${both})),
      (select json_group_array(distinct value ->> 'parentId') from ${both}
        where value ->> 'parentId' is not null),
      (select json_group_array(value) from (
        select place.value from ${both} as event, json_each(event.value ->> 'scheduleIds') as place
        union select * from (${scheduleIds})
        union select place.value from ${changes} as undone,
          json_each(undone.schedule_ids) as place
          where undone.account_id = ${accountId} and undone.id = ${undoes}) where value is not null),
      coalesce(length(was) > ${MOST_CHARACTERS} or length(became) > ${MOST_CHARACTERS}, 1)
        or stored.before is null or now.image is null
      from difference, now, ${changes} as stored where ${own})
    update ${changes} set
      fields = iif(${changes.fields} is null or now.record is null, null, ${fields}),
      name = coalesce(now.name, ${changes.name}),
      event_ids = found.event_ids,
      depends_on = (select json_group_array(distinct value) from (
        select value from json_each(found.event_ids)
        union all select value from json_each(found.parent_ids))),
      schedule_ids = found.schedule_ids,
      irreversible = coalesce(irreversible, iif(found.too_large, 'too_large', null),
        iif(${changes.fields} is not null and now.record is not null and ${isPartly}, ${reason}, null)),
      record_after = ${entry.kind === "schedule" ? sql`null` : storedImage(entry)},
      before = iif(found.too_large, null, difference.was),
      after = iif(found.too_large, null, difference.became)
    from now, difference, found
    where ${changes.accountId} = ${accountId} and ${changes.id} = ${entry.id}`;
}

const insertSchedules = (accountId: string, { id }: NewEntry): SQL =>
  sql`insert into ${changeSchedules} (account_id, schedule_id, change_id)
    select ${changes.accountId}, place.value, ${changes.id}
    from ${changes}, json_each(${changes.scheduleIds}) as place
    where ${changes.accountId} = ${accountId} and ${changes.id} = ${id}`;

/** A conditional create may write nothing. */
const dropUnmade = (accountId: string, { id, record, verb }: NewEntry): SQL =>
  sql`delete from ${changes} where account_id = ${accountId} and id = ${id} and ${verb} = 'create'
    and ${record ? sql`not exists (select 1 ${record.from})` : sql`0`}`;

const neverBlocking = sql.raw(NEVER_BLOCKING.map((reason) => `'${reason}'`).join(", "));

/**
 * Selects the first later change that keeps an entry from being undone: one in force that touched
 * its events, or overrides of them, or the same record. A change and its undo, both later, cancel
 * each other out. A reading of an imported calendar follows the import.
 *
 * @param entry the alias of the entry's row in the outer statement
 */
export const selectLater = (entry: SQL): SQL =>
  sql`select later.id from json_each(${entry}.schedule_ids) as own
      cross join ${changeSchedules} as placed on placed.account_id = ${entry}.account_id
        and placed.schedule_id = own.value and placed.change_id > ${entry}.id
      join ${changes} as later on later.account_id = placed.account_id
        and later.id = placed.change_id
    where later.undone_by_id is null
      and (later.undoes_id is null or later.undoes_id < ${entry}.id)
      and (later.irreversible is null or later.irreversible not in (${neverBlocking}))
      and ((later.kind = ${entry}.kind and later.record_id = ${entry}.record_id
          and ${entry}.kind <> 'schedule' and later.verb <> 'read')
        or exists (select 1 from json_each(later.depends_on) as needed
          where needed.value in (select value from json_each(${entry}.event_ids))))
    order by later.id limit 1`;

/** The precondition that the entry can still be undone. */
const assertUndoable = (accountId: string, id: string): SQL =>
  assertPrecondition(sql`exists (select 1 from ${changes} as entry
    where entry.account_id = ${accountId} and entry.id = ${id} and entry.undone_by_id is null
      and entry.irreversible is null and not exists (${selectLater(sql`entry`)}))`);

/** Links an undo with the entry that it undid. The undo of an undo: the first change applies again. */
const markUndone = (accountId: string, undone: string, by: string): readonly SQL[] => [
  sql`update ${changes} set undone_by_id = null where account_id = ${accountId}
    and id = (select undoes_id from ${changes} where account_id = ${accountId} and id = ${undone})`,
  sql`update ${changes} set undone_by_id = ${by}
    where account_id = ${accountId} and id = ${undone}`,
];
