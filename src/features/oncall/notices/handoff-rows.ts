// Reads what handoff notifications need: events, names and, for a team, the recipients. One round
// trip.
import { type SQL, sql } from "drizzle-orm";
import { EMPTY_SCHEDULE, type OnCallSchedule } from "../../../domain/oncall/absences/absence.ts";
import { audienceOf, type TeamPerson } from "../../../domain/oncall/audiences.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { all, batch, parsed, type RowOf, select } from "../../../kernel/db/select.ts";
import { memberName } from "../../people/contacts/recipient-rows.ts";
import { schedules, teamPeople, teams } from "../../schema/oncall.ts";
import { accountUsers, users } from "../../schema/people.ts";
import { selectOnCall, selectRosterPeople, toOnCallSchedules } from "../on-call/oncall-rows.ts";

export type ShiftFacts = {
  /** The schedule's name; null if there is no such schedule. */
  readonly scheduleName: string | null;
  readonly schedule: OnCallSchedule;
  /** Names of people who are or were on call, by account user id; members only. */
  readonly names: ReadonlyMap<string, string>;
};

export type TeamHandoffFacts = Omit<ShiftFacts, "scheduleName"> & {
  readonly name: string;
  readonly scheduleId: string | null;
  /** False if the team notifies nobody of handoffs. */
  readonly notifies: boolean;
  /** False if it notifies nobody of gaps. */
  readonly notifiesOfGaps: boolean;
  /** The recipients, given the people in the rotation. */
  readonly recipients: (rotationIds: readonly string[]) => readonly string[];
};

/** Selects the names of a schedule's people, and of those in `alsoIds`. */
const selectNames = (accountId: string, schedule: SQL, from: number, alsoIds: readonly string[]) =>
  select(
    { id: accountUsers.id, name: memberName },
    sql`from ${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}
      where ${accountUsers.accountId} = ${accountId} and ${accountUsers.id} in (
        ${selectRosterPeople(accountId, schedule, from)}
        union select value from json_each(${JSON.stringify(alsoIds)}))`,
  );

const toNames = (rows: readonly { readonly id: string; readonly name: string }[]) =>
  new Map(rows.map(({ id, name }) => [id, name]));

/** Reads a schedule's shifts from `from` (epoch ms) on. Throws if D1 does. */
export async function readShiftFacts(
  db: Connection,
  accountId: string,
  scheduleId: string,
  from: number,
): Promise<ShiftFacts> {
  const schedule = sql`select ${scheduleId}`;
  const [events, absences, past, people, [named]] = await batch(db, [
    ...selectOnCall(accountId, schedule, from),
    selectNames(accountId, schedule, from, []),
    select(
      { name: schedules.name },
      sql`from ${schedules}
        where ${schedules.accountId} = ${accountId} and ${schedules.id} = ${scheduleId}`,
    ),
  ]);
  return {
    scheduleName: named?.name ?? null,
    schedule: toOnCallSchedules(events, absences, past).get(scheduleId) ?? EMPTY_SCHEDULE,
    names: toNames(people),
  };
}

/** The active members of a team, by relation: for selects from `teams`. */
export const activePeople = sql`(select json_group_array(
      json_object('relation', relation, 'id', account_user_id) order by ${teamPeople.position})
    from ${teamPeople}
    join ${accountUsers} on ${accountUsers.id} = ${teamPeople.accountUserId}
      and ${accountUsers.state} = 'active'
    where ${teamPeople.teamId} = ${teams.id})`;

const teamColumns = {
  name: teams.name,
  scheduleId: teams.scheduleId,
  people: parsed<readonly TeamPerson[]>(activePeople),
  setting: teams.handoffNotifications,
  gapSetting: teams.gapNotifications,
};

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
  const here = sql`from ${teams}
    where ${teams.accountId} = ${accountId} and ${teams.id} = ${teamId}`;
  const schedule = sql`select ${teams.scheduleId} ${here} and ${teams.scheduleId} is not null`;
  const [[team], events, absences, past, people] = await batch(db, [
    select(teamColumns, here),
    ...selectOnCall(accountId, schedule, from),
    selectNames(accountId, schedule, from, alsoIds),
  ]);
  if (!team) return null;
  const names = toNames(people);
  return {
    name: team.name,
    scheduleId: team.scheduleId,
    notifies: team.setting !== "none",
    notifiesOfGaps: team.gapSetting !== "none",
    recipients: recipientsOf(team, names),
    schedule:
      toOnCallSchedules(events, absences, past).get(team.scheduleId ?? "") ?? EMPTY_SCHEDULE,
    names,
  };
}

const recipientsOf =
  ({ setting, people }: RowOf<typeof teamColumns>, names: ReadonlyMap<string, string>) =>
  (rotationIds: readonly string[]) =>
    setting === "oncall_rotation"
      ? rotationIds.filter((id) => names.has(id))
      : audienceOf(setting, "handoff", people, {});

const shiftTeamColumns = { id: teams.id, name: teams.name };

export type ShiftTeam = RowOf<typeof shiftTeamColumns>;

/** Reads the teams that use a schedule. */
export function readShiftTeams(
  db: Connection,
  accountId: string,
  scheduleId: string,
): Promise<readonly ShiftTeam[]> {
  const here = sql`from ${teams}
    where ${teams.accountId} = ${accountId} and ${teams.scheduleId} = ${scheduleId}
    order by ${teams.id}`;
  return all(db, select(shiftTeamColumns, here));
}
