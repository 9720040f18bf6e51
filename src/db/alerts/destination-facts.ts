// What an alert's object needs to know of its destinations when a step starts: the policy, and who is on call now.
// One round trip, whatever the number of destinations.
import { type SQL, sql } from "drizzle-orm";
import type { Destination } from "../../domain/alerts/alert.ts";
import { factsKey } from "../../domain/alerts/commands.ts";
import {
  type DestinationFacts,
  type OnCallPerson,
  type PolicyLayer,
  personFacts,
  type TimeoutUnit,
  timeoutMs,
} from "../../domain/alerts/escalation/escalation.ts";
import { REQUESTED_EVENTS } from "../../domain/alerts/notifications/requested-notifications.ts";
import type { OnCallEvent } from "../../domain/oncall/on-call-event.ts";
import { onCallAt } from "../../domain/oncall/oncall.ts";
import { selectOnCallEvents, toOnCallEvents } from "../oncall/oncall-rows.ts";
import type { RawRow } from "../records/attributes.ts";
import { notificationRules } from "../schema/integrations.ts";
import {
  escalationLayers,
  escalationPolicies,
  escalationReassignments,
  eventAttendees,
  eventSchedules,
  teamPeople,
  teams,
} from "../schema/oncall.ts";
import { accountUsers, users } from "../schema/people.ts";
import type { Connection } from "../shared/database.ts";
import { batch } from "../shared/select.ts";

/** The destinations of a kind as an SQL list; identifiers in either form. */
const oneOf = (column: { id: SQL | object; prefixId: SQL | object }, ids: string): SQL =>
  sql`(${column.id} in (select value from json_each(${ids}))
    or ${column.prefixId} in (select value from json_each(${ids})))`;

function selectTeams(accountId: string, ids: string): SQL {
  return sql`select ${teams.id} as id, ${teams.prefixId} as prefix_id, ${teams.name} as name,
      ${teams.scheduleId} as schedule_id, ${escalationPolicies.repeat} as repeat,
      (select json_group_array(json_object('layer', layer, 'timeout', timeout, 'unit', timeout_unit))
        from ${escalationLayers}
        where ${escalationLayers.accountId} = ${teams.accountId}
          and ${escalationLayers.escalationPolicyId} = ${teams.escalationPolicyId}) as layers,
      (select json_group_array(json_object('relation', relation, 'id', account_user_id)
          order by ${teamPeople.position}) from ${teamPeople}
        join ${accountUsers} on ${accountUsers.id} = ${teamPeople.accountUserId}
          and ${accountUsers.state} = 'active'
        where ${teamPeople.teamId} = ${teams.id}) as people,
      ${teams.dropNotifications} as drop_notifications,
      (select json_group_array(json_object('type', receiver_type, 'id', receiver_id)
          order by ${escalationReassignments.position}) from ${escalationReassignments}
        where ${escalationReassignments.escalationPolicyId} = ${teams.escalationPolicyId}) as reassign
    from ${teams} left join ${escalationPolicies}
      on ${escalationPolicies.id} = ${teams.escalationPolicyId}
    where ${teams.accountId} = ${accountId} and ${oneOf(teams, ids)}`;
}

const schedulesOfTeams = (accountId: string, ids: string): SQL =>
  sql`select ${teams.scheduleId} from ${teams}
    where ${teams.accountId} = ${accountId} and ${oneOf(teams, ids)} and ${teams.scheduleId} is not null`;

function selectPeople(accountId: string, ids: string, teamIds: string, now: number): SQL {
  return sql`select ${accountUsers.id} as id, ${accountUsers.prefixId} as prefix_id, ${users.name} as name,
      (select ${notificationRules.types} from ${notificationRules}
        where ${notificationRules.id} = ${accountUsers.notificationRuleId}
          and ${notificationRules.accountId} = ${accountId} and ${notificationRules.enabled}) as types
    from ${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}
    where ${accountUsers.accountId} = ${accountId} and ${accountUsers.state} = 'active'
      and (${oneOf(accountUsers, ids)} or ${accountUsers.id} in (
        select ${eventAttendees.accountUserId} from ${eventSchedules}
          join ${eventAttendees} on ${eventAttendees.eventId} = ${eventSchedules.eventId}
        where ${eventSchedules.accountId} = ${accountId} and ${eventSchedules.activeUntil} > ${now}
          and ${eventSchedules.scheduleId} in (${schedulesOfTeams(accountId, teamIds)})))`;
}

type Person = {
  readonly id: string;
  readonly prefix_id: string;
  readonly name: string;
  /** What their notification rule names, as JSON; null without one. */
  readonly types: string | null;
};

const toPerson = (row: RawRow): Person => ({
  id: String(row.id),
  prefix_id: String(row.prefix_id),
  name: String(row.name),
  types: row.types == null ? null : String(row.types),
});

/** The events that nobody is told of whose rule does not ask for them. */
function wantsOf({ types }: Pick<Person, "types">): readonly string[] {
  const named = types === null ? [] : (JSON.parse(types) as string[]);
  return named.filter((type) => REQUESTED_EVENTS.some((it) => it === type));
}

/**
 * The facts of destinations as they stand at `now` (epoch ms), by `type:id` as asked for and as it is; null = no
 * such record in the account. Throws when D1 does.
 */
export async function readDestinationFacts(
  db: Connection,
  accountId: string,
  destinations: readonly Destination[],
  now: number,
): Promise<Map<string, DestinationFacts | null>> {
  const idsOf = (type: Destination["type"]) =>
    JSON.stringify(destinations.filter((it) => it.type === type).map((it) => it.id));
  const teamIds = idsOf("team");
  const [teamRows, eventRows, peopleRows] = await batch(db, [
    selectTeams(accountId, teamIds),
    selectOnCallEvents(accountId, schedulesOfTeams(accountId, teamIds), now),
    selectPeople(accountId, idsOf("account_user"), teamIds, now),
  ]);
  const people = peopleRows.map(toPerson);
  const events = toOnCallEvents(eventRows);
  const facts = new Map<string, DestinationFacts | null>();
  for (const destination of destinations) {
    const matches = (row: RawRow) => row.id === destination.id || row.prefix_id === destination.id;
    const row = (destination.type === "team" ? teamRows : people).find(matches);
    const found = row ? factsOf(destination, row, events, people, now) : null;
    facts.set(factsKey(destination), found);
    if (found !== null) facts.set(factsKey(found.destination), found);
  }
  return facts;
}

function factsOf(
  destination: Destination,
  row: RawRow,
  events: ReadonlyMap<string, OnCallEvent[]>,
  people: readonly Person[],
  now: number,
): DestinationFacts {
  const found = { type: destination.type, id: String(row.id) };
  if (destination.type === "account_user") {
    const wants = wantsOf({ types: row.types == null ? null : String(row.types) });
    return personFacts(found, String(row.name), wants);
  }
  const inTeam = JSON.parse(String(row.people)) as TeamPerson[];
  const onCall = onCallByLayer(events.get(String(row.schedule_id)) ?? [], people, now);
  return {
    destination: found,
    name: String(row.name),
    layers: layersOf(row.layers),
    repeat: Number(row.repeat ?? 0),
    onCall,
    memberIds: idsIn(inTeam, ["member", "admin"]),
    dropRecipientIds: audienceOf(String(row.drop_notifications), "drop", inTeam, onCall),
    reassign: JSON.parse(String(row.reassign)) as Destination[],
  };
}

/** A person of a team, in one of its relations. */
export type TeamPerson = {
  readonly relation: "member" | "admin" | "drop" | "handoff";
  readonly id: string;
};

const idsIn = (people: readonly TeamPerson[], relations: readonly TeamPerson["relation"][]) => [
  ...new Set(people.filter((it) => relations.includes(it.relation)).map((it) => it.id)),
];

/** The people that one of a team's notification settings means (contract 2, Teams). */
export function audienceOf(
  setting: string,
  named: "drop" | "handoff",
  people: readonly TeamPerson[],
  onCall: Readonly<Record<number, readonly OnCallPerson[]>>,
): string[] {
  switch (setting) {
    case "team_all":
      return idsIn(people, ["member", "admin"]);
    case "team_admins":
      return idsIn(people, ["admin"]);
    case "oncall_rotation":
      return [
        ...new Set(Object.values(onCall).flatMap((it) => it.map((one) => one.accountUserId))),
      ];
    case "specific_users":
      return idsIn(people, [named]);
    default:
      return [];
  }
}

function layersOf(json: unknown): PolicyLayer[] {
  const layers = JSON.parse(String(json)) as {
    layer: number;
    timeout: number;
    unit: TimeoutUnit;
  }[];
  return layers
    .map(({ layer, timeout, unit }) => ({ layer, timeoutMs: timeoutMs(timeout, unit) }))
    .sort((a, b) => a.layer - b.layer);
}

/** Each layer's people, once each; somebody whose membership is not active is not asked. */
function onCallByLayer(
  events: readonly OnCallEvent[],
  people: readonly Person[],
  now: number,
): Record<number, OnCallPerson[]> {
  const known = new Map(people.map((person) => [person.id, person]));
  const byLayer: Record<number, OnCallPerson[]> = {};
  for (const entry of onCallAt(events, now)) {
    const layer = byLayer[entry.layer] ?? [];
    byLayer[entry.layer] = layer;
    for (const { attendeeId } of entry.attendees) {
      const person = known.get(attendeeId);
      if (person === undefined || layer.some((it) => it.accountUserId === attendeeId)) continue;
      const reason = `on call until ${new Date(entry.endAt).toISOString()}`;
      const { name } = person;
      layer.push({ accountUserId: attendeeId, name, reason, wants: wantsOf(person) });
    }
  }
  return byLayer;
}
