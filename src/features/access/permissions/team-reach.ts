// What team admins may change without an account role (contract 1, Roles): their teams, and the
// schedules, escalation policies and events that only their teams use. A record that another team
// also uses decides who is paged for that team.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import * as z from "zod";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { parseIdentifier, type RecordKind } from "../../../domain/shared/identifiers.ts";
import * as field from "../../../kernel/contract/parameters.ts";
import { calendarImports } from "../../schema/calendar-imports.ts";
import {
  escalationPolicies,
  eventSchedules,
  events,
  schedules,
  teamPeople,
  teams,
} from "../../schema/oncall.ts";

/** A request before its body is validated: anything unexpected in it counts as missing. */
export type AttemptedRequest = {
  readonly actor: MemberActor;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/** A condition that is true if the actor administers everything that the request would change. */
export type TeamReach = (attempt: AttemptedRequest) => SQL;

// ── Teams ──

/** Selects the ids of the teams that the actor administers. */
export const administeredTeams = (
  actor: MemberActor,
): SQL => sql`select ${teamPeople.teamId} from ${teamPeople}
  where ${teamPeople.accountId} = ${actor.accountId} and ${teamPeople.relation} = 'admin'
    and ${teamPeople.accountUserId} = ${actor.accountUserId}`;

/** The records a team refers to: the team's column and the record's table. */
const ASSIGNED = {
  schedule: { column: teams.scheduleId, table: schedules },
  escalation_policy: { column: teams.escalationPolicyId, table: escalationPolicies },
} as const;
type Assigned = keyof typeof ASSIGNED;

/**
 * The id of the account's record that either form of the identifier names; null when there is none.
 */
function idOf(kind: Assigned, actor: MemberActor, named: SQLWrapper | string): SQL {
  const { table } = ASSIGNED[kind];
  return sql`(select ${table.id} from ${table} where ${table.accountId} = ${actor.accountId}
    and (${table.id} = ${named} or ${table.prefixId} = ${named}))`;
}

/** True when a team that the actor does not administer uses the record. */
function isUsedByOthers(kind: Assigned, actor: MemberActor, id: SQLWrapper): SQL {
  return sql`exists (select 1 from ${teams} where ${teams.accountId} = ${actor.accountId}
    and ${ASSIGNED[kind].column} = ${id} and ${teams.id} not in (${administeredTeams(actor)}))`;
}

/** The ids of the records that at least one team uses, and only teams the actor administers. */
export function selectAdministered(kind: Assigned, actor: MemberActor): SQL {
  const { column } = ASSIGNED[kind];
  const ofTeams = sql`select ${column} from ${teams}
    where ${teams.accountId} = ${actor.accountId} and ${column} is not null and ${teams.id}`;
  return sql`${ofTeams} in (${administeredTeams(actor)})
    except ${ofTeams} not in (${administeredTeams(actor)})`;
}

export const normalized = (kind: RecordKind, id: string) => parseIdentifier(kind, id)?.value ?? "";

const namedByTeam = z.object({
  schedule_id: field.identifier.catch(undefined),
  escalation_policy_id: field.identifier.catch(undefined),
  leave_schedule: field.optionalFlag.catch(undefined),
});

/**
 * For the team in the path: the actor is one of its admins, and the schedule and policy in the body
 * are already the team's, or no team outside the actor's administration uses them. Who takes people
 * out of the rotations of its schedule administers all teams that use the schedules of those.
 */
export function administersTeam({ actor, params, body }: AttemptedRequest): SQL {
  const named = namedByTeam.parse(body);
  const mayAssign = (kind: Assigned, sent: string | null | undefined) => {
    if (sent == null) return sql`1`;
    const id = idOf(kind, actor, normalized(kind, sent));
    return sql`(${ASSIGNED[kind].column} is ${id} or not ${isUsedByOthers(kind, actor, id)})`;
  };
  // The team in the path is checked before the assignments, whose inner selects also read `teams`.
  return sql`exists (select 1 from ${teams} where ${teams.accountId} = ${actor.accountId}
    and (${teams.id} = ${params.id} or ${teams.prefixId} = ${params.id})
    and ${teams.id} in (${administeredTeams(actor)})
    and ${mayAssign("schedule", named.schedule_id)}
    and ${mayAssign("escalation_policy", named.escalation_policy_id)}
    and ${named.leave_schedule ? administersRotations(actor) : sql`1`})`;
}

/** For the schedule of the outer team: the actor administers every place of each of its rotations. */
const administersRotations = (actor: MemberActor): SQL =>
  sql`not exists (select 1 from ${eventSchedules} as here
    join ${events} on ${events.id} = here.event_id and ${events.rotation}
    join ${eventSchedules} as place on place.event_id = here.event_id
    where here.account_id = ${actor.accountId} and here.schedule_id = ${teams.scheduleId}
      and place.schedule_id not in (${selectAdministered("schedule", actor)}))`;

// ── Schedules and policies ──

const administersPath =
  (kind: Assigned) =>
  ({ actor, params }: AttemptedRequest): SQL =>
    sql`(${idOf(kind, actor, params.id ?? "")} in (${selectAdministered(kind, actor)}))`;

/**
 * For the schedule in the path: at least one team uses it, and the actor administers all that do.
 */
export const administersSchedule = administersPath("schedule");

/** For the policy in the path: at least one team uses it, and the actor administers all that do. */
export const administersPolicy = administersPath("escalation_policy");

// ── Calendar imports ──

const namedByImport = z.object({ schedule_id: field.identifier.catch(undefined) });

/** For a new calendar import: the actor administers all teams that use its schedule. */
export function administersNewImport({ actor, body }: AttemptedRequest): SQL {
  const { schedule_id: named } = namedByImport.parse(body);
  return administersNamed(actor, named == null ? [] : [named]);
}

/** For the calendar import in the path: the actor administers all teams that use its schedule. */
export function administersImport({ actor, params }: AttemptedRequest): SQL {
  return sql`exists (select 1 from ${calendarImports}
    where ${calendarImports.accountId} = ${actor.accountId}
      and (${calendarImports.id} = ${params.id} or ${calendarImports.prefixId} = ${params.id})
      and ${calendarImports.scheduleId} in (${selectAdministered("schedule", actor)}))`;
}

// ── Events ──

const namedByEvent = z.object({
  parent_id: field.identifier.catch(undefined),
  schedule_ids: field.identifiers.optional().catch(undefined),
});

/**
 * True when at least one schedule is named, in either form, and the actor administers all of them.
 */
export function administersNamed(actor: MemberActor, ids: readonly string[]): SQL {
  const identifiers = JSON.stringify(ids.map((id) => normalized("schedule", id)));
  return sql`(json_array_length(${identifiers}) > 0 and not exists (select 1 from json_each(${identifiers}) as named
    where ifnull(${idOf("schedule", actor, sql`named.value`)} not in (${selectAdministered("schedule", actor)}), 1)))`;
}

/**
 * True when the event is in at least one schedule, and all of its schedules are among some.
 *
 * @param id either form of the event's identifier
 * @param among a select of ids of schedules
 */
export function isInPlaces(actor: MemberActor, id: string | undefined, among: SQL): SQL {
  const places = sql`select ${eventSchedules.scheduleId} from ${eventSchedules}
    join ${events} on ${events.id} = ${eventSchedules.eventId}
    where ${events.accountId} = ${actor.accountId} and (${events.id} = ${id} or ${events.prefixId} = ${id})`;
  return sql`(exists (${places}) and not exists (${places}
    and ${eventSchedules.scheduleId} not in (${among})))`;
}

/** True when the event is in at least one schedule, and the actor administers all of its schedules. */
const administersPlaces = (actor: MemberActor, id: string | undefined): SQL =>
  isInPlaces(actor, id, selectAdministered("schedule", actor));

/**
 * For a new event: the actor administers all of its schedules. An override has those of its parent.
 */
export function administersNewEvent({ actor, body }: AttemptedRequest): SQL {
  const { parent_id, schedule_ids } = namedByEvent.parse(body);
  if (parent_id == null) return administersNamed(actor, schedule_ids ?? []);
  return administersPlaces(actor, normalized("event", parent_id));
}

/**
 * For the event in the path, where the body has no schedules: the actor administers all of its
 * schedules.
 */
export function administersPlacedEvent({ actor, params }: AttemptedRequest): SQL {
  return administersPlaces(actor, params.id);
}

/**
 * For the event in the path: the actor administers all of its schedules, before and after the
 * change.
 */
export function administersEvent({ actor, params, body }: AttemptedRequest): SQL {
  const named = namedByEvent.parse(body).schedule_ids ?? [];
  const places = administersPlaces(actor, params.id);
  return named.length === 0 ? places : sql`(${places} and ${administersNamed(actor, named)})`;
}
