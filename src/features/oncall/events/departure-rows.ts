// Takes a person who leaves the account, or a team, out of the rosters of its events. Who was on call before
// stays: reports and calendars still show what the person served.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { effectiveInstant } from "../../../domain/oncall/rosters/effective-at.ts";
import { removeFromRosters } from "../../../domain/oncall/rosters/roster-departure.ts";
import { earlierRostersOf } from "../../../domain/oncall/rosters/serving.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { assertPrecondition } from "../../../kernel/db/precondition.ts";
import { all, parsed, type RowOf, select } from "../../../kernel/db/select.ts";
import { attendeesOfEvent, onCallColumns, schedulesOfEvent } from "../../change/event-columns.ts";
import { eventAttendees, eventRosters, eventSchedules, events } from "../../schema/oncall.ts";
import { absenceDepartureWrites } from "../absences/asking-writes.ts";
import { replaceAttendees, replaceRosters } from "./roster-rows.ts";

const departureColumns = {
  ...onCallColumns(0),
  updatedAt: events.updatedAt,
  scheduleIds: parsed<readonly string[]>(schedulesOfEvent),
};

const withoutPlace = ({
  updatedAt: _,
  scheduleIds: __,
  ...event
}: RowOf<typeof departureColumns>): OnCallEvent => event;

/** The condition that an event may still put people on call at `now` (epoch ms). */
const isLive = (now: number) => sql`exists (select 1 from ${eventSchedules}
  where ${eventSchedules.eventId} = ${events.id} and ${eventSchedules.activeUntil} > ${now})`;

const isInNewest = (accountId: string, person: string) => sql`${events.id} in (
  select ${eventAttendees.eventId} from ${eventAttendees}
  where ${eventAttendees.accountId} = ${accountId} and ${eventAttendees.accountUserId} = ${person})`;

/** Selects the ids of the events whose newest roster has the person. */
export const eventsOf = (accountId: string, person: string): SQL =>
  sql`select ${events.id} as id from ${events} where ${events.accountId} = ${accountId}
    and ${isInNewest(accountId, person)}`;

/** The condition that the person is in the present roster of a live event, or in a planned one. */
const isAffected = (accountId: string, person: string, now: number) => sql`
  ${events.accountId} = ${accountId} and ${isLive(now)}
  and (${isInNewest(accountId, person)} or ${events.id} in (
    select ${eventRosters.eventId} from ${eventRosters}
    where ${eventRosters.accountId} = ${accountId} and ${eventRosters.activeUntil} > ${now}
      and instr(${eventRosters.attendees}, ${person}) > 0))`;

/** What a departure changes, and the writes of it. */
type Departure = {
  /** The events as the departure leaves them. */
  readonly changed: readonly OnCallEvent[];
  /** All schedules of each of them, by its id: a rotation may be in several. */
  readonly schedulesOf: ReadonlyMap<string, readonly string[]>;
  /** The preconditions that all is as it was read, and the writes. */
  readonly writes: readonly SQLWrapper[];
};

/**
 * Reads the events of a person who leaves the account, and decides how the person leaves their
 * rosters from `now` (epoch ms) on. The writes begin with the precondition that the events are
 * unchanged since they were read, and go before the deletion of the membership, which deletes its
 * attendees.
 */
export async function accountDeparture(
  db: Connection,
  accountId: string,
  person: string,
  now: number,
): Promise<Departure> {
  const affected = isAffected(accountId, person, now);
  const rows = await all(db, select(departureColumns, sql`from ${events} where ${affected}`));
  const stored = rows.map(withoutPlace);
  const changed = stored.map((event) => removeFromRosters(event, new Set([person]), now));
  const writes = [
    assertPrecondition(asRead(affected, rows)),
    storeServed(accountId, person, now),
    updateRotations(changed, now),
    ...replaceAttendees(accountId, changed),
    ...replaceRosters(accountId, stored, changed),
    ...absenceDepartureWrites(accountId, person, now),
  ];
  return { changed, schedulesOf: schedulesById(rows), writes };
}

const schedulesById = (rows: readonly RowOf<typeof departureColumns>[]) =>
  new Map(rows.map(({ id, scheduleIds }) => [id, scheduleIds]));

/**
 * Reads the rotations of a schedule in which people are, and decides how they leave them: each
 * rotation goes on without them from its next handoff on.
 *
 * @param now epoch ms
 */
export async function scheduleDeparture(
  db: Connection,
  accountId: string,
  scheduleId: string,
  people: readonly string[],
  now: number,
): Promise<Departure> {
  const affected = sql`${events.accountId} = ${accountId} and ${events.repeat} and ${events.rotation}
    and ${events.parentId} is null and ${isLive(now)}
    and ${events.id} in (select ${eventSchedules.eventId} from ${eventSchedules}
      where ${eventSchedules.accountId} = ${accountId}
        and ${eventSchedules.scheduleId} = ${scheduleId})`;
  const rows = await all(db, select(departureColumns, sql`from ${events} where ${affected}`));
  const leavers = new Set(people);
  const stored = rows
    .map(withoutPlace)
    .filter((event) =>
      [event, ...earlierRostersOf(event).filter(({ untilAt }) => untilAt > now)].some(
        ({ attendees }) => attendees.some(({ attendeeId }) => leavers.has(attendeeId)),
      ),
    );
  const changed = stored.map((event) =>
    removeFromRosters(event, leavers, effectiveInstant(event, "next_handoff", now)),
  );
  return {
    changed,
    schedulesOf: schedulesById(rows),
    writes: [
      assertPrecondition(asRead(affected, rows)),
      updateRotations(changed, now),
      ...replaceAttendees(accountId, changed),
      ...replaceRosters(accountId, stored, changed),
    ],
  };
}

/** The condition that the events are those that were read. */
function asRead(
  affected: SQL,
  rows: readonly { readonly id: string; readonly updatedAt: number }[],
): SQL {
  const lines = rows.map(({ id, updatedAt }) => `${id} ${updatedAt}`).sort();
  return sql`(select coalesce(group_concat(line, ','), '') from (
    select ${events.id} || ' ' || ${events.updatedAt} as line from ${events}
    where ${affected} order by ${events.id})) = ${lines.join()}`;
}

function updateRotations(changed: readonly OnCallEvent[], now: number): SQL {
  const rows = changed.map(({ id, turnOffset = 0, emptyPositions = [] }) => ({
    id,
    turnOffset,
    emptyPositions,
  }));
  return sql`update ${events} set turn_offset = changed.value ->> 'turnOffset',
      empty_positions = changed.value -> 'emptyPositions',
      updated_at = max(updated_at + 1, ${now})
    from json_each(${JSON.stringify(rows)}) as changed
    where ${events.id} = changed.value ->> 'id'`;
}

/** Stores the people of the person's ended events as their former rosters. */
const storeServed = (accountId: string, person: string, now: number): SQL =>
  sql`insert or ignore into ${eventRosters} (account_id, event_id, until_at, active_until, rotation,
      turn_offset, attendees, empty_positions, cuts)
    select ${accountId}, ${events.id}, ${now}, ${now}, ${events.rotation}, ${events.turnOffset},
      ${attendeesOfEvent}, ${events.emptyPositions}, null
    from ${events} where ${events.accountId} = ${accountId} and not ${isLive(now)}
      and ${isInNewest(accountId, person)}`;
