// Reads what an alert's object needs to know of its destinations when a step starts: the policy, and
// who is on call. One round trip, whatever the number of destinations.
import { type SQL, sql } from "drizzle-orm";
import type { Destination } from "../../../domain/alerts/alert.ts";
import { factsKey } from "../../../domain/alerts/commands.ts";
import {
  factsOfPerson,
  factsOfTeam,
  type StoredPerson,
  type StoredTeam,
} from "../../../domain/alerts/destination-facts.ts";
import type { DestinationFacts } from "../../../domain/alerts/escalation.ts";
import { EMPTY_SCHEDULE } from "../../../domain/oncall/absences/absence.ts";
import type { TeamPerson } from "../../../domain/oncall/audiences.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { batch, parsed, type Select, select } from "../../../kernel/db/select.ts";
import {
  selectOnCall,
  selectRosterPeople,
  toOnCallSchedules,
} from "../../oncall/on-call/oncall-rows.ts";
import { notificationRules } from "../../schema/integrations.ts";
import {
  escalationLayers,
  escalationPolicies,
  escalationReassignments,
  teamPeople,
  teams,
} from "../../schema/oncall.ts";
import { accountUsers, users } from "../../schema/people.ts";

/** The destinations of a kind as an SQL condition; identifiers in either form. */
const oneOf = (table: typeof teams | typeof accountUsers, ids: string): SQL =>
  sql`(${table.id} in (select value from json_each(${ids}))
    or ${table.prefixId} in (select value from json_each(${ids})))`;

const selectTeams = (accountId: string, ids: string) =>
  select(
    {
      id: teams.id,
      prefixId: teams.prefixId,
      name: teams.name,
      scheduleId: teams.scheduleId,
      repeat: sql<number>`coalesce(${escalationPolicies.repeat}, 0)`,
      layers: parsed<
        StoredTeam["layers"]
      >(sql`(select json_group_array(json_object('layer', layer, 'timeout', timeout,
          'unit', timeout_unit))
        from ${escalationLayers}
        where ${escalationLayers.accountId} = ${teams.accountId}
          and ${escalationLayers.escalationPolicyId} = ${teams.escalationPolicyId})`),
      people: parsed<
        readonly TeamPerson[]
      >(sql`(select json_group_array(json_object('relation', relation, 'id', account_user_id)
          order by ${teamPeople.position}) from ${teamPeople}
        join ${accountUsers} on ${accountUsers.id} = ${teamPeople.accountUserId}
          and ${accountUsers.state} = 'active'
        where ${teamPeople.teamId} = ${teams.id})`),
      dropNotifications: teams.dropNotifications,
      reassign: parsed<
        readonly Destination[]
      >(sql`(select json_group_array(json_object('type', receiver_type, 'id', receiver_id)
          order by ${escalationReassignments.position}) from ${escalationReassignments}
        where ${escalationReassignments.escalationPolicyId} = ${teams.escalationPolicyId})`),
    },
    sql`from ${teams} left join ${escalationPolicies}
      on ${escalationPolicies.id} = ${teams.escalationPolicyId}
    where ${teams.accountId} = ${accountId} and ${oneOf(teams, ids)}`,
  );

const schedulesOfTeams = (accountId: string, ids: string): SQL =>
  sql`select ${teams.scheduleId} from ${teams}
    where ${teams.accountId} = ${accountId} and ${oneOf(teams, ids)} and ${teams.scheduleId} is not null`;

const selectPeople = (accountId: string, ids: string, teamIds: string, now: number) =>
  select(
    {
      id: accountUsers.id,
      prefixId: accountUsers.prefixId,
      name: users.name,
      types: parsed<
        readonly string[] | null
      >(sql`(select ${notificationRules.types} from ${notificationRules}
        where ${notificationRules.id} = ${accountUsers.notificationRuleId}
          and ${notificationRules.accountId} = ${accountId} and ${notificationRules.enabled})`),
    },
    sql`from ${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}
    where ${accountUsers.accountId} = ${accountId} and ${accountUsers.state} = 'active'
      and (${oneOf(accountUsers, ids)} or ${accountUsers.id} in (
        ${selectRosterPeople(accountId, schedulesOfTeams(accountId, teamIds), now)}))`,
  );

/** The record that a destination names, in either form of its identifier. */
const named = <Row extends { readonly id: string; readonly prefixId: string }>(
  rows: readonly Row[],
  { id }: Destination,
): Row | undefined => rows.find((row) => row.id === id || row.prefixId === id);

type FoundFacts = Map<string, DestinationFacts | null>;

/** Facts, and the rows of other selects of the same round trip, in order. */
export type FactsWith<Row> = {
  readonly facts: FoundFacts;
  readonly also: readonly (readonly Row[])[];
};

/**
 * Reads the facts of destinations at `now` (epoch ms), by `type:id` as requested and as stored;
 * null = no such record in the account. Throws if D1 does.
 */
export async function readDestinationFacts(
  db: Connection,
  accountId: string,
  destinations: readonly Destination[],
  now: number,
): Promise<FoundFacts> {
  return (await readFactsWith(db, accountId, destinations, now, [])).facts;
}

/** The same, with other selects in the same round trip. No round trip if there is nothing to read. */
export async function readFactsWith<Row>(
  db: Connection,
  accountId: string,
  destinations: readonly Destination[],
  now: number,
  alsoRead: readonly Select<Row>[],
): Promise<FactsWith<Row>> {
  const isNeeded = destinations.length > 0;
  if (!isNeeded && alsoRead.length === 0) return { facts: new Map(), also: [] };
  const idsOf = (type: Destination["type"]) =>
    JSON.stringify(destinations.filter((it) => it.type === type).map((it) => it.id));
  const teamIds = idsOf("team");
  const [onCallEvents, onCallAbsences, onCallPast] = selectOnCall(
    accountId,
    schedulesOfTeams(accountId, teamIds),
    now,
  );
  const [foundTeams, eventRows, absences, past, people, ...also] = await batch(db, [
    isNeeded ? selectTeams(accountId, teamIds) : null,
    isNeeded ? onCallEvents : null,
    isNeeded ? onCallAbsences : null,
    isNeeded ? onCallPast : null,
    isNeeded ? selectPeople(accountId, idsOf("account_user"), teamIds, now) : null,
    ...alsoRead,
  ]);
  const schedules = toOnCallSchedules(eventRows, absences, past);
  const factsOf = (destination: Destination): DestinationFacts | null => {
    if (destination.type === "account_user") {
      const person: StoredPerson | undefined = named(people, destination);
      return person ? factsOfPerson(person) : null;
    }
    const team: StoredTeam | undefined = named(foundTeams, destination);
    const schedule = schedules.get(team?.scheduleId ?? "") ?? EMPTY_SCHEDULE;
    return team ? factsOfTeam(team, schedule, people, now) : null;
  };
  const facts: FoundFacts = new Map();
  for (const destination of destinations) {
    const found = factsOf(destination);
    facts.set(factsKey(destination), found);
    if (found !== null) facts.set(factsKey(found.destination), found);
  }
  return { facts, also };
}
