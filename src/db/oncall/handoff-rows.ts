// Reads what handoff notifications need: events, names and, for a team, the recipients. One round
// trip.
import { type SQL, sql } from "drizzle-orm";
import type { OnCallEvent } from "../../domain/oncall/on-call-event.ts";
import { audienceOf, type TeamPerson } from "../alerts/destination-facts.ts";
import { memberName } from "../people/recipient-rows.ts";
import type { RawRow } from "../records/attributes.ts";
import { eventAttendees, eventSchedules, teamPeople, teams } from "../schema/oncall.ts";
import { accountUsers, users } from "../schema/people.ts";
import { type Connection, statement } from "../shared/database.ts";
import { selectOnCallEvents, toOnCallEvents } from "./oncall-rows.ts";

export type ShiftFacts = {
  readonly events: readonly OnCallEvent[];
  /** Names of people who are or were on call, by account user id; members only. */
  readonly names: ReadonlyMap<string, string>;
};

export type TeamHandoffFacts = ShiftFacts & {
  readonly name: string;
  readonly scheduleId: string | null;
  /** False if the team notifies nobody of handoffs. */
  readonly notifies: boolean;
  /** The recipients, given the people in the rotation. */
  readonly recipients: (rotationIds: readonly string[]) => readonly string[];
};

/** Selects the names of a schedule's people, and of those in `alsoIds`. */
function selectNames(accountId: string, schedule: SQL, from: number, alsoIds: readonly string[]) {
  return sql`select ${accountUsers.id} as id, ${memberName} as name from ${accountUsers}
    join ${users} on ${users.id} = ${accountUsers.userId}
    where ${accountUsers.accountId} = ${accountId} and ${accountUsers.id} in (
      select ${eventAttendees.accountUserId} from ${eventSchedules}
        join ${eventAttendees} on ${eventAttendees.eventId} = ${eventSchedules.eventId}
      where ${eventSchedules.accountId} = ${accountId} and ${eventSchedules.scheduleId} = (${schedule})
        and ${eventSchedules.activeUntil} > ${from}
      union select value from json_each(${JSON.stringify(alsoIds)}))`;
}

const toNames = (rows: readonly RawRow[] | undefined) =>
  new Map((rows ?? []).map((row) => [String(row.id), String(row.name)]));

/** Reads a schedule's shifts from `from` (epoch ms) on. Throws if D1 does. */
export async function readShiftFacts(
  db: Connection,
  accountId: string,
  scheduleId: string,
  from: number,
): Promise<ShiftFacts> {
  const schedule = sql`select ${scheduleId}`;
  const [eventRows, nameRows] = await db.batch<RawRow>([
    statement(db, selectOnCallEvents(accountId, schedule, from)),
    statement(db, selectNames(accountId, schedule, from, [])),
  ]);
  return {
    events: toOnCallEvents(eventRows?.results ?? []).get(scheduleId) ?? [],
    names: toNames(nameRows?.results),
  };
}

/**
 * Reads what decides a team's handoffs from `from` (epoch ms) on; null if there is no such team.
 * Throws if D1 does.
 *
 * @param alsoIds account users whose names are needed besides the schedule's
 */
export async function readTeamHandoffs(
  db: Connection,
  accountId: string,
  teamId: string,
  from: number,
  alsoIds: readonly string[],
): Promise<TeamHandoffFacts | null> {
  const people = sql`select json_group_array(json_object('relation', relation, 'id', account_user_id)
      order by ${teamPeople.position}) from ${teamPeople}
    join ${accountUsers} on ${accountUsers.id} = ${teamPeople.accountUserId}
      and ${accountUsers.state} = 'active'
    where ${teamPeople.teamId} = ${teams.id}`;
  const team = sql`select ${teams.name} as name, ${teams.scheduleId} as schedule_id, (${people}) as people,
      ${teams.handoffNotifications} as setting from ${teams}
    where ${teams.accountId} = ${accountId} and ${teams.id} = ${teamId}`;
  const schedule = sql`select ${teams.scheduleId} from ${teams}
    where ${teams.accountId} = ${accountId} and ${teams.id} = ${teamId}
      and ${teams.scheduleId} is not null`;
  const [teamRows, eventRows, nameRows] = await db.batch<RawRow>([
    statement(db, team),
    statement(db, selectOnCallEvents(accountId, schedule, from)),
    statement(db, selectNames(accountId, schedule, from, alsoIds)),
  ]);
  const row = teamRows?.results[0];
  if (!row) return null;
  const names = toNames(nameRows?.results);
  const scheduleId = row.schedule_id === null ? null : String(row.schedule_id);
  const events = toOnCallEvents(eventRows?.results ?? []).get(scheduleId ?? "") ?? [];
  return { ...toTeam(row, names), scheduleId, events, names };
}

function toTeam(row: RawRow, names: ReadonlyMap<string, string>) {
  const people = JSON.parse(String(row.people)) as TeamPerson[];
  const setting = String(row.setting);
  return {
    name: String(row.name),
    notifies: setting !== "none",
    recipients: (rotationIds: readonly string[]) =>
      setting === "oncall_rotation"
        ? rotationIds.filter((id) => names.has(id))
        : audienceOf(setting, "handoff", people, {}),
  };
}

export type ShiftTeam = { readonly id: string; readonly name: string };

/** Reads the teams that use a schedule. */
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
