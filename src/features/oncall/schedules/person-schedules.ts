// Selects the schedules in which people may be on call.
import { type SQL, sql } from "drizzle-orm";
import { eventAttendees, eventRosters, eventSchedules } from "../../schema/oncall.ts";
import { selectCoveredBy } from "../absences/absence-rows.ts";
import { selectPastPeople } from "../events/past-rows.ts";

/**
 * Selects the ids of the schedules in whose rosters people are from an instant on.
 *
 * @param people a select of account user ids
 * @param from epoch ms, or a select of it
 */
export const schedulesOfPeople = (accountId: string, people: SQL, from: number | SQL): SQL =>
  sql`select schedule_id from (with person(id) as (${people})
    select ${eventSchedules.scheduleId} as schedule_id from ${eventAttendees}
      join ${eventSchedules} on ${eventSchedules.eventId} = ${eventAttendees.eventId}
      where ${eventAttendees.accountId} = ${accountId}
        and ${eventAttendees.accountUserId} in (select id from person)
    union select ${eventSchedules.scheduleId} from ${eventRosters}
      join ${eventSchedules} on ${eventSchedules.eventId} = ${eventRosters.eventId},
        json_each(${eventRosters.attendees}) as attendee
      where ${eventRosters.accountId} = ${accountId} and ${eventRosters.activeUntil} > ${from}
        and attendee.value ->> 'attendeeId' in (select id from person)
    union select schedule_id from (${selectPastPeople(accountId, from)})
      where account_user_id in (select id from person))`;

/**
 * Selects the ids of the schedules in which an account user may have shifts from an instant on: by
 * their rosters, or because an absence names them.
 *
 * @param person their id, or a select of it in parentheses
 * @param from epoch ms
 */
export const schedulesOfPerson = (accountId: string, person: string | SQL, from: number): SQL =>
  schedulesOfPeople(accountId, selectCoveredBy(accountId, sql`select ${person}`, from), from);
