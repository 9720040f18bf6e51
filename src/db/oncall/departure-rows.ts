// Takes a person who leaves the account out of the rosters of its events. Who was on call before
// stays: reports and calendars still show what the person served.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { OnCallEvent } from "../../domain/oncall/on-call-event.ts";
import { removeFromRosters } from "../../domain/oncall/rosters/roster-departure.ts";
import { eventAttendees, eventRosters, eventSchedules, events } from "../schema/oncall.ts";
import type { Connection } from "../shared/database.ts";
import { assertPrecondition } from "../shared/precondition.ts";
import { all, select } from "../shared/select.ts";
import { coverDepartureWrites } from "./covers/cover-departure.ts";
import { replaceAttendees, replaceRosters } from "./events/roster-rows.ts";
import { attendeesOfEvent, onCallColumns } from "./oncall-rows.ts";

/** The condition that an event may still put people on call at `now` (epoch ms). */
const isLive = (now: number) => sql`exists (select 1 from ${eventSchedules}
  where ${eventSchedules.eventId} = ${events.id} and ${eventSchedules.activeUntil} > ${now})`;

const isInNewest = (accountId: string, person: string) => sql`${events.id} in (
  select ${eventAttendees.eventId} from ${eventAttendees}
  where ${eventAttendees.accountId} = ${accountId} and ${eventAttendees.accountUserId} = ${person})`;

/** The condition that the person is in the present roster of a live event, or in a planned one. */
const isAffected = (accountId: string, person: string, now: number) => sql`
  ${events.accountId} = ${accountId} and ${isLive(now)}
  and (${isInNewest(accountId, person)} or ${events.id} in (
    select ${eventRosters.eventId} from ${eventRosters}
    where ${eventRosters.accountId} = ${accountId} and ${eventRosters.activeUntil} > ${now}
      and instr(${eventRosters.attendees}, ${person}) > 0))`;

/**
 * Reads the events of a person and returns the writes that take the person out of their rosters from
 * `now` (epoch ms) on. The first is the precondition that the events are unchanged since they were
 * read. They go before the deletion of the membership, which deletes its attendees.
 */
export async function departureWrites(
  db: Connection,
  accountId: string,
  person: string,
  now: number,
): Promise<readonly SQLWrapper[]> {
  const affected = isAffected(accountId, person, now);
  const columns = { ...onCallColumns(0), updatedAt: events.updatedAt };
  const rows = await all(db, select(columns, sql`from ${events} where ${affected}`));
  const asRead = rows.map(({ id, updatedAt }) => `${id} ${updatedAt}`).sort();
  const unchanged = sql`(select coalesce(group_concat(line, ','), '') from (
    select ${events.id} || ' ' || ${events.updatedAt} as line from ${events}
    where ${affected} order by ${events.id})) = ${asRead.join()}`;
  const stored = rows.map(({ updatedAt: _, ...event }) => event);
  const changed = stored.map((event) => removeFromRosters(event, new Set([person]), now));
  const covers = await coverDepartureWrites(db, accountId, person, now);
  return [
    ...covers.preconditions,
    assertPrecondition(unchanged),
    storeServed(accountId, person, now),
    updateRotations(changed, now),
    ...replaceAttendees(accountId, changed),
    ...replaceRosters(accountId, stored, changed),
    ...covers.writes,
  ];
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
