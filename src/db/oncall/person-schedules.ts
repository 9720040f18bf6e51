// Selects the schedules in which people may be on call.
import { type SQL, sql } from "drizzle-orm";
import { eventAttendees, eventRosters, eventSchedules } from "../schema/oncall.ts";
import { selectCoveredBy } from "./absences/absence-rows.ts";

/**
 * Selects the ids of the schedules in whose rosters people are from an instant on.
 *
 * @param people a select of account user ids
 * @param from epoch ms, or a select of it
 */
export const schedulesOfPeople = (accountId: string, people: SQL, from: number | SQL): SQL =>
  sql`select ${eventSchedules.scheduleId} from ${eventAttendees}
      join ${eventSchedules} on ${eventSchedules.eventId} = ${eventAttendees.eventId}
      where ${eventAttendees.accountId} = ${accountId}
        and ${eventAttendees.accountUserId} in (${people})
    union select ${eventSchedules.scheduleId} from ${eventRosters}
      join ${eventSchedules} on ${eventSchedules.eventId} = ${eventRosters.eventId},
        json_each(${eventRosters.attendees}) as attendee
      where ${eventRosters.accountId} = ${accountId} and ${eventRosters.activeUntil} > ${from}
        and attendee.value ->> 'attendeeId' in (${people})`;

/**
 * Selects the ids of the schedules in which an account user may have shifts from an instant on: by
 * their rosters, or because an absence names them.
 *
 * @param person their id, or a select of it in parentheses
 * @param from epoch ms
 */
export const schedulesOfPerson = (accountId: string, person: string | SQL, from: number): SQL =>
  schedulesOfPeople(accountId, selectCoveredBy(accountId, sql`select ${person}`, from), from);
