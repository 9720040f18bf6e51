// Schedules: what a record shows (contract 2, Schedules).
import { type SQL, sql } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { commonAttributes, string } from "../../../kernel/db/attributes.ts";
import { oneRecord, type Records, recordsIn, selectId } from "../../../kernel/db/records.ts";
import { parsed, type Select, select } from "../../../kernel/db/select.ts";
import { changeSchedules, changes } from "../../schema/changes.ts";
import {
  escalationLayers,
  eventAttendees,
  eventRosters,
  eventSchedules,
  events,
  schedules,
  teamPeople,
  teams,
} from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";

export const scheduleRecords: Records<"Schedule"> = {
  kind: "schedule",
  shows: "Schedule",
  from: schedules,
  accountId: schedules.accountId,
  id: schedules.id,
  prefixId: schedules.prefixId,
  attributes: { ...commonAttributes(schedules), name: string(schedules.name) },
  search: [schedules.name],
  total: "schedules",
};

// Which schedule a schedule or a team has on call, the escalation layers of the teams that use a
// schedule, and whether it had shifts.

/** A record with a schedule: the schedule itself, or a team. */
export type ScheduleHolder = "schedule" | "team";

/** Selects the schedule of a record, null for a team without one; no row if there is no record. */
export function selectHeldSchedule(
  holder: ScheduleHolder,
  accountId: string,
  identifier: Identifier,
): Select<{ readonly scheduleId: string | null }> {
  return holder === "schedule"
    ? select(
        { scheduleId: schedules.id },
        sql`from ${schedules} where ${oneRecord(schedules, accountId, identifier)}`,
      )
    : select(
        { scheduleId: teams.scheduleId },
        sql`from ${teams} where ${oneRecord(teams, accountId, identifier)}`,
      );
}

/**
 * Selects the layers of the escalation policies of the teams that use this schedule.
 *
 * @param scheduleId a select of one id
 */
export const selectLayersOfTeams = (accountId: string, scheduleId: SQL) =>
  select(
    { layer: sql<number>`layer` },
    sql`from (select distinct ${escalationLayers.layer} as layer from ${teams}
      join ${escalationLayers} on ${escalationLayers.accountId} = ${teams.accountId}
        and ${escalationLayers.escalationPolicyId} = ${teams.escalationPolicyId}
      where ${teams.accountId} = ${accountId} and ${teams.scheduleId} = (${scheduleId}))`,
  );

/**
 * The condition that an account user has current or coming shifts in the schedule of a team.
 *
 * @param teamId a select of one id, or of none
 * @param now epoch ms
 */
export const isScheduledFor = (accountId: string, teamId: SQL, now: number): SQL =>
  sql`${accountUsers.id} in (select ${eventAttendees.accountUserId} from ${eventSchedules}
      join ${eventAttendees} on ${eventAttendees.eventId} = ${eventSchedules.eventId}
    where ${eventSchedules.accountId} = ${accountId} and ${eventSchedules.scheduleId} =
        (select ${teams.scheduleId} from ${teams} where ${teams.id} = (${teamId}))
      and ${eventSchedules.activeUntil} > ${now})`;

/** The layers of the policies of all teams that use the team's schedule. */
const layersOfSchedule = sql`(select json_group_array(distinct ${escalationLayers.layer})
  from ${teams} as other
    join ${escalationLayers} on ${escalationLayers.accountId} = other.account_id
      and ${escalationLayers.escalationPolicyId} = other.escalation_policy_id
  where other.account_id = ${teams.accountId} and other.schedule_id = ${teams.scheduleId})`;

const teamColumns = {
  id: teams.id,
  name: teams.name,
  scheduleId: teams.scheduleId,
  layers: parsed<readonly number[]>(layersOfSchedule),
  /** Its members and admins. */
  peopleIds: parsed<readonly string[]>(sql`(select json_group_array(distinct account_user_id)
    from ${teamPeople} where ${teamPeople.teamId} = ${teams.id})`),
};

/**
 * Selects every team of the account, or one, with its schedule, and the layers of the policies of all teams
 * that use the schedule.
 */
export const selectTeamsWithSchedules = (accountId: string, team: Identifier | null = null) =>
  select(
    teamColumns,
    sql`from ${teams} where ${teams.accountId} = ${accountId} ${only(accountId, team)}
      order by ${teams.id}`,
  );

/** Selects the ids of the schedules of all teams, or of one. */
export const schedulesOfTeams = (accountId: string, team: Identifier | null = null): SQL =>
  sql`select ${teams.scheduleId} from ${teams}
    where ${teams.accountId} = ${accountId} and ${teams.scheduleId} is not null
      ${only(accountId, team)}`;

/** Narrows teams to one; null: all. */
const only = (accountId: string, team: Identifier | null): SQL =>
  team === null
    ? sql``
    : sql`and ${teams.id} = (${selectId(recordsIn("team", teams), accountId, team)})`;

const rostersOfImage = sql`(event.value ->> 'earlierRosters')`;

/** When an event of an image begins: its turns may count from before its first people. */
const beginningOfImage = sql`iif(${rostersOfImage} ->> '$[0].attendees' = '[]',
  ${rostersOfImage} ->> '$[0].untilAt', event.value ->> 'startAt')`;

/** The first beginning of a schedule's events that were deleted after it, as far as the history goes. */
const deletedSince = sql`select min(${beginningOfImage}) from ${changeSchedules}
    join ${changes} on ${changes.accountId} = ${changeSchedules.accountId}
      and ${changes.id} = ${changeSchedules.changeId}
    join json_each(coalesce(${changes.before}, '{}')) as event
    join json_each(event.value ->> 'scheduleIds') as place on place.value = ${schedules.id}
  where ${changeSchedules.accountId} = ${schedules.accountId}
    and ${changeSchedules.scheduleId} = ${schedules.id}
    and ${beginningOfImage} < ${changes.createdAt}`;

/**
 * Selects since when (epoch ms) some schedules have had shifts that `selectOnCallEvents` from an
 * instant on does not show: they had ended, their people have left, or they were deleted. That
 * instant stands for all earlier ones; null: there are none.
 *
 * @param ids a select of one column of schedule ids
 * @param from epoch ms
 */
export function selectPastShifts(accountId: string, ids: SQL, from: number) {
  const placed = sql`${eventSchedules.accountId} = ${schedules.accountId}
    and ${eventSchedules.scheduleId} = ${schedules.id}`;
  const ended = sql`select 1 from ${eventSchedules}
    where ${placed} and ${eventSchedules.activeUntil} <= ${from}`;
  const left = sql`select 1 from ${eventSchedules}
      join ${eventRosters} on ${eventRosters.eventId} = ${eventSchedules.eventId}
    where ${placed} and ${eventRosters.activeUntil} <= ${from} and ${eventRosters.attendees} <> '[]'`;
  const started = sql`select 1 from ${eventSchedules}
      join ${events} on ${events.id} = ${eventSchedules.eventId}
    where ${placed} and ${events.startAt} < ${from}`;
  // The history is only read where no event says it.
  const since = sql<number | null>`case when exists (${ended}) or exists (${left}) then ${from}
    when exists (${started}) then null else (${deletedSince}) end`;
  return select(
    { id: schedules.id, since },
    sql`from ${schedules}
      where ${schedules.accountId} = ${accountId} and ${schedules.id} in (${ids})`,
  );
}
