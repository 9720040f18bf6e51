// Writes the changes of imported shifts. They are single events: `active_until` is their end. Shifts
// with overrides are changed one by one, with their families.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { overridesThatGo } from "../../../domain/oncall/changes/occurrence-changes.ts";
import type {
  FeedShift,
  ImportChanges,
  ImportedShiftChange,
} from "../../../domain/oncall/imports/import-decision.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { listedZoneOf } from "../../../domain/shared/time-zones.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { newId, newIdentity } from "../../../kernel/db/identifiers.ts";
import { assertPrecondition } from "../../../kernel/db/precondition.ts";
import { all, batch, select } from "../../../kernel/db/select.ts";
import { onCallColumns } from "../../change/event-columns.ts";
import { eventAttendees, eventSchedules, events } from "../../schema/oncall.ts";
import { type EventFamily, selectFamily, toFamily } from "../events/event-family.ts";
import { deleteByIds, patchFamily } from "../events/event-rows.ts";

type Import = { readonly id: string; readonly accountId: string; readonly scheduleId: string };

/** Rows of one statement: a parameter has at most 2 MB. */
const ROWS_AT_ONCE = 500;

const json = (value: unknown) => sql`json_each(${JSON.stringify(value)})`;
const idsIn = (ids: readonly string[]): SQL => sql`(select value from ${json(ids)})`;

/** Which of these shifts belong to a series with overrides. */
const overriddenAmong = (accountId: string, ids: readonly string[]): SQL =>
  sql`from ${events} where ${events.accountId} = ${accountId} and ${events.id} in ${idsIn(ids)}
    and exists (select 1 from ${events} as other where other.account_id = ${accountId}
      and other.series_id = ${events.seriesId} and other.parent_id is not null)`;

/** The ids of the shifts that a reading changes, ends or removes. */
const affectedIds = ({ changed, ended, removed }: ImportChanges): readonly string[] => [
  ...[...changed, ...ended].map(({ eventId }) => eventId),
  ...removed,
];

/** Reads the families of the shifts of a reading's changes that have overrides. */
export async function readOverriddenFamilies(
  db: Connection,
  accountId: string,
  changes: ImportChanges,
  now: number,
): Promise<readonly EventFamily[]> {
  const ids = affectedIds(changes);
  if (ids.length === 0) return [];
  const overridden = await all(db, select({ id: events.id }, overriddenAmong(accountId, ids)));
  if (overridden.length === 0) return [];
  const identifiers = overridden.map(({ id: value }) => ({ form: "id", value }) as const);
  const found = await batch(
    db,
    identifiers.map((it) => selectFamily(accountId, it, now)[0]),
  );
  // Changes of an import look at no part of an occurrence, and keep the past by themselves.
  return identifiers.flatMap(
    (it, i) => toFamily({ members: found[i] ?? [], absences: [], past: [] }, it) ?? [],
  );
}

/** Makes the shifts of an import, which is deleted, ordinary ones. */
export const releaseShifts = (accountId: string, importId: string): SQL =>
  sql`update ${events} set import_id = null, import_key = null
    where ${events.importId} = ${importId} and ${events.importId} is not null
      and ${events.accountId} = ${accountId}`;

/** Selects the shifts of an import and their overrides that end after `from` (epoch ms). */
export const selectImportedEvents = (accountId: string, importId: string, from: number) => {
  const shifts = sql`${events.importId} = ${importId} and ${events.importId} is not null
    and ${events.endAt} > ${from}`;
  const series = sql`select ${events.seriesId} from ${events} where ${shifts}`;
  return select(
    onCallColumns(0),
    sql`from ${events} where ${events.accountId} = ${accountId} and ${events.endAt} > ${from}
      and ${events.seriesId} in (${series}) order by ${events.id}`,
  );
};

/** What the history records of an import: its shifts that have not ended, and its schedule. */
export const recordedImport = (id: string, scheduleId: string, now: number) => ({
  touches: sql`select ${events.id} from ${events} where ${events.importId} = ${id}
    and ${events.importId} is not null and ${events.endAt} > ${now}`,
  concerns: sql`select ${scheduleId}`,
});

/**
 * The writes of a reading's changes.
 *
 * @param families those of the affected shifts that have overrides
 * @param now epoch ms: the time of the decision
 */
export function writeImportChanges(
  owner: Import,
  changes: ImportChanges,
  families: readonly EventFamily[],
  now: number,
): readonly SQLWrapper[] {
  const { accountId } = owner;
  const overridden = new Map(families.map((it) => [it.event.id, it]));
  const isPlain = ({ eventId }: { readonly eventId: string }) => !overridden.has(eventId);
  const plainChanges = changes.changed.filter(isPlain);
  const plainEnded = changes.ended.filter(isPlain).map(({ eventId }) => eventId);
  const continued = changes.ended.filter((it) => !isPlain(it));
  const withFamily = new Set(continued.map((it) => it.continuedBy));
  const plainRemoved = changes.removed.filter((eventId) => !overridden.has(eventId));
  const added = changes.added.filter((it) => !withFamily.has(it));
  return [
    assertNoOverrides(accountId, [
      ...plainChanges.map((it) => it.eventId),
      ...plainEnded,
      ...plainRemoved,
    ]),
    ...(plainRemoved.length > 0 ? [deleteByIds(plainRemoved)] : []),
    ...changes.removed.flatMap((eventId) => {
      const family = overridden.get(eventId);
      return family ? removeFromFamily(accountId, family, now) : [];
    }),
    ...endEvents(plainEnded, now),
    ...changeEvents(accountId, plainChanges, now),
    ...changes.changed.flatMap((it) => {
      const family = overridden.get(it.eventId);
      return family ? changeFamily(accountId, family, it, now) : [];
    }),
    ...continued.flatMap(({ eventId, continuedBy }) => {
      const family = overridden.get(eventId);
      return family ? endFamily(owner, family, continuedBy, now) : [];
    }),
    ...chunks(added).flatMap((shifts) => insertShifts(owner, shifts, now)),
  ];
}

/** The precondition that no override was added since the read: it would have to be decided, too. */
const assertNoOverrides = (accountId: string, ids: readonly string[]): SQL =>
  assertPrecondition(sql`not exists (select 1 ${overriddenAmong(accountId, ids)})`);

function chunks<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / ROWS_AT_ONCE);
  return Array.from({ length: count }, (_, i) =>
    items.slice(i * ROWS_AT_ONCE, (i + 1) * ROWS_AT_ONCE),
  );
}

function insertShifts(owner: Import, shifts: readonly FeedShift[], now: number): SQL[] {
  const rows = shifts.map((shift) => ({
    ...newIdentity("event", now),
    ...shift,
    timeZone: listedZoneOf(shift.timeZone),
  }));
  const attendees = rows.flatMap((row) =>
    row.attendeeIds.map((personId, position) => ({
      id: newId(now),
      eventId: row.id,
      personId,
      position,
    })),
  );
  const { accountId, id: importId, scheduleId } = owner;
  return [
    sql`insert into ${events} (id, series_id, prefix_id, created_at, updated_at, account_id, start_at,
        end_at, layer, time_zone, import_id, import_key)
      select value ->> 'id', value ->> 'id', value ->> 'prefixId', ${now}, ${now}, ${accountId},
        value ->> 'startAt', value ->> 'endAt', value ->> 'layer', value ->> 'timeZone',
        ${importId}, value ->> 'key'
      from ${json(rows)}`,
    insertAttendees(accountId, attendees),
    sql`insert into ${eventSchedules} (account_id, schedule_id, event_id, active_until)
      select ${accountId}, ${scheduleId}, value ->> 'id', value ->> 'endAt' from ${json(rows)}`,
  ];
}

type AttendeeRow = {
  readonly id: string;
  readonly eventId: string;
  readonly personId: string;
  readonly position: number;
};

/** People who have left the account meanwhile are left out. */
const insertAttendees = (accountId: string, rows: readonly AttendeeRow[]): SQL =>
  sql`insert into ${eventAttendees} (id, account_id, event_id, account_user_id, position)
    select value ->> 'id', ${accountId}, value ->> 'eventId', value ->> 'personId',
      value ->> 'position'
    from ${json(rows)}
    where exists (select 1 from account_users where account_users.id = value ->> 'personId')`;

const endEvents = (ids: readonly string[], now: number): SQL[] =>
  ids.length === 0
    ? []
    : [
        sql`update ${events} set end_at = ${now}, updated_at = max(updated_at + 1, ${now})
          where ${events.id} in ${idsIn(ids)}`,
        sql`update ${eventSchedules} set active_until = ${now}
          where ${eventSchedules.eventId} in ${idsIn(ids)}`,
      ];

function changeEvents(
  accountId: string,
  changes: readonly ImportedShiftChange[],
  now: number,
): SQL[] {
  if (changes.length === 0) return [];
  const rows = changes.map(({ eventId, shift }) => ({ eventId, ...shift, attendeeIds: undefined }));
  const moved = changes.filter(({ peopleChanged }) => peopleChanged);
  const attendees = moved.flatMap(({ eventId, shift }) =>
    shift.attendeeIds.map((personId, position) => ({
      id: newId(now),
      eventId,
      personId,
      position,
    })),
  );
  return [
    sql`update ${events} set start_at = shift.value ->> 'startAt', end_at = shift.value ->> 'endAt',
        layer = shift.value ->> 'layer', import_key = shift.value ->> 'key',
        updated_at = max(updated_at + 1, ${now})
      from ${json(rows)} as shift where ${events.id} = shift.value ->> 'eventId'`,
    sql`update ${eventSchedules} set active_until = shift.value ->> 'endAt'
      from ${json(rows)} as shift where ${eventSchedules.eventId} = shift.value ->> 'eventId'`,
    ...(moved.length > 0
      ? [
          sql`delete from ${eventAttendees}
            where ${eventAttendees.eventId} in ${idsIn(moved.map(({ eventId }) => eventId))}`,
          insertAttendees(accountId, attendees),
        ]
      : []),
  ];
}

// ── Shifts with overrides ──

const attendeesOf = (ids: readonly string[], now: number): OnCallEvent["attendees"] =>
  ids.map((attendeeId, position) => ({
    id: newId(now),
    attendeeId,
    attendeeType: "AccountUser",
    position,
  }));

const setImport = (eventId: string, importId: string, key: string): SQL =>
  sql`update ${events} set import_id = ${importId}, import_key = ${key}
    where ${events.id} = ${eventId}`;

/** The ids of the overrides that go when versions of a family's series become others. */
const idsThatGo = (family: EventFamily, versions: readonly OnCallEvent[]): readonly string[] => {
  const others = family.series.filter(({ id }) => id !== family.event.id);
  return overridesThatGo(family.series, [...others, ...versions], true).map(({ id }) => id);
};

const removeFromFamily = (accountId: string, family: EventFamily, now: number) =>
  patchFamily(accountId, family, { event: null, removed: idsThatGo(family, []) }, now).writes;

function changeFamily(
  accountId: string,
  family: EventFamily,
  { shift, peopleChanged }: ImportedShiftChange,
  now: number,
): readonly SQLWrapper[] {
  const { startAt, endAt, layer, key, attendeeIds } = shift;
  const event = {
    ...family.event,
    ...{ startAt, endAt, layer },
    ...(peopleChanged && { attendees: attendeesOf(attendeeIds, now) }),
  };
  const removed = idsThatGo(family, [event]);
  return [
    ...patchFamily(accountId, family, { event, attendeesChanged: peopleChanged, removed }, now)
      .writes,
    sql`update ${events} set import_key = ${key} where ${events.id} = ${event.id}`,
  ];
}

function endFamily(
  { accountId, id: importId }: Import,
  family: EventFamily,
  continuedBy: FeedShift | null,
  now: number,
): readonly SQLWrapper[] {
  const ended = { ...family.event, endAt: now };
  const continuing = continuedBy && {
    ...family.event,
    earlierRosters: [],
    id: newId(now),
    startAt: continuedBy.startAt,
    endAt: continuedBy.endAt,
    layer: continuedBy.layer,
    attendees: attendeesOf(continuedBy.attendeeIds, now),
  };
  const added = continuing ? [continuing] : [];
  const removed = idsThatGo(family, [ended, ...added]);
  const patch = { event: ended, removed, added: added.map((event) => ({ event })) };
  return [
    ...patchFamily(accountId, family, patch, now).writes,
    ...(continuing && continuedBy ? [setImport(continuing.id, importId, continuedBy.key)] : []),
  ];
}
