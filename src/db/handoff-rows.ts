// What a schedule's object reads at a boundary: the teams that want to be told of handoffs, the events, the names.
// One round trip.
import { sql } from "drizzle-orm";
import type { OnCallEvent } from "../domain/oncall.ts";
import type { RawRow } from "./attributes.ts";
import { type Connection, statement } from "./database.ts";
import { audienceOf, type TeamPerson } from "./destination-facts.ts";
import { selectOnCallEvents, toOnCallEvents } from "./oncall-rows.ts";
import { memberName } from "./reachable-rows.ts";
import { eventAttendees, eventSchedules, teamPeople, teams } from "./schema/oncall.ts";
import { accountUsers, users } from "./schema/people.ts";

export type HandoffTeam = {
  readonly id: string;
  readonly name: string;
  /** Whom to tell, given who is on call. */
  readonly recipients: (onCallIds: readonly string[]) => readonly string[];
};

export type HandoffFacts = {
  readonly teams: readonly HandoffTeam[];
  readonly events: readonly OnCallEvent[];
  /** Names of those who are or were on call, by account user id. */
  readonly names: ReadonlyMap<string, string>;
};

/** The facts of a schedule's handoffs from `from` (epoch ms) on. Throws when D1 does. */
export async function readHandoffFacts(
  db: Connection,
  accountId: string,
  scheduleId: string,
  from: number,
): Promise<HandoffFacts> {
  const people = sql`select json_group_array(json_object('relation', relation, 'id', account_user_id)
      order by ${teamPeople.position}) from ${teamPeople}
    join ${accountUsers} on ${accountUsers.id} = ${teamPeople.accountUserId}
      and ${accountUsers.state} = 'active'
    where ${teamPeople.teamId} = ${teams.id}`;
  const [teamRows, eventRows, nameRows] = await db.batch<RawRow>([
    statement(
      db,
      sql`select ${teams.id} as id, ${teams.name} as name, (${people}) as people,
        ${teams.handoffNotifications} as setting from ${teams}
        where ${teams.accountId} = ${accountId} and ${teams.scheduleId} = ${scheduleId}
          and ${teams.handoffNotifications} <> 'none'`,
    ),
    statement(db, selectOnCallEvents(accountId, sql`select ${scheduleId}`, from)),
    statement(
      db,
      sql`select distinct ${accountUsers.id} as id, ${memberName} as name from ${eventSchedules}
        join ${eventAttendees} on ${eventAttendees.eventId} = ${eventSchedules.eventId}
        join ${accountUsers} on ${accountUsers.id} = ${eventAttendees.accountUserId}
        join ${users} on ${users.id} = ${accountUsers.userId}
        where ${eventSchedules.accountId} = ${accountId}
          and ${eventSchedules.scheduleId} = ${scheduleId} and ${eventSchedules.activeUntil} > ${from}`,
    ),
  ]);
  return {
    teams: (teamRows?.results ?? []).map(toTeam),
    events: toOnCallEvents(eventRows?.results ?? []).get(scheduleId) ?? [],
    names: new Map((nameRows?.results ?? []).map((row) => [String(row.id), String(row.name)])),
  };
}

function toTeam(row: RawRow): HandoffTeam {
  const people = JSON.parse(String(row.people)) as TeamPerson[];
  const setting = String(row.setting);
  return {
    id: String(row.id),
    name: String(row.name),
    recipients: (onCallIds) =>
      setting === "oncall_rotation"
        ? [...new Set(onCallIds)]
        : audienceOf(setting, "handoff", people, {}),
  };
}

export type ShiftTeam = { readonly id: string; readonly name: string };

/** The teams whose people a schedule puts on call. */
export async function readShiftTeams(
  db: Connection,
  accountId: string,
  scheduleId: string,
): Promise<readonly ShiftTeam[]> {
  const query = sql`select ${teams.id} as id, ${teams.name} as name from ${teams}
    where ${teams.accountId} = ${accountId} and ${teams.scheduleId} = ${scheduleId}
    order by ${teams.id}`;
  return (await statement(db, query).all<ShiftTeam>()).results;
}
