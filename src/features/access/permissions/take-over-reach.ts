// What a member may do to other people's shifts without being an admin (contract 4, Taking over):
// take a shift of their teams onto themselves, and undo a take-over that they made or that relieved
// them.
import { type SQL, sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { TAKE_OVER } from "../../../domain/oncall/changes/history-entry.ts";
import { parseIdentifier } from "../../../domain/shared/identifiers.ts";
import { identified } from "../../../kernel/db/identified.ts";
import { changes } from "../../schema/changes.ts";
import { teamPeople, teams } from "../../schema/oncall.ts";
import {
  administeredTeams,
  administersSchedule,
  isInPlaces,
  selectAdministered,
  type TeamReach,
} from "./team-reach.ts";

// Whose changes team admins may undo: those that concern only schedules of theirs.

/**
 * For the change in the path: the actor administers all teams that use any of the schedules that it
 * concerns; of a team: also the team, and all teams that use the escalation policy it had before.
 */
const administersChange: TeamReach = (attempt): SQL => {
  const { actor, params } = attempt;
  const change = parseIdentifier("change", params.change_id ?? "");
  if (!change) return administersSchedule(attempt);
  const own = sql`${changes.accountId} = ${actor.accountId} and ${identified(changes, change)}`;
  const policyBefore = sql`${changes.recordBefore} ->> 'escalation_policy_id'`;
  return sql`(${administersSchedule(attempt)} and not exists (
    select 1 from ${changes}, json_each(${changes.scheduleIds}) as place
    where ${own} and place.value not in (${selectAdministered("schedule", actor)}))
    and not exists (select 1 from ${changes} where ${own} and ${changes.kind} = 'team'
      and (${changes.recordId} not in (${administeredTeams(actor)}) or exists (
        select 1 from ${teams} where ${teams.accountId} = ${actor.accountId}
          and ${teams.escalationPolicyId} = ${policyBefore}
          and ${teams.id} <> ${changes.recordId}
          and ${teams.id} not in (${administeredTeams(actor)})))))`;
};

/** Selects the schedules of the teams to which the actor belongs, as a member or an admin. */
const schedulesOfOwnTeams = ({ accountId, accountUserId }: MemberActor): SQL =>
  sql`select ${teams.scheduleId} from ${teams}
    join ${teamPeople} on ${teamPeople.teamId} = ${teams.id}
      and ${teamPeople.relation} in ('member', 'admin')
      and ${teamPeople.accountUserId} = ${accountUserId}
    where ${teams.accountId} = ${accountId} and ${teams.scheduleId} is not null`;

/**
 * For the event in the path: each of its schedules is used by a team to which the actor belongs.
 */
export const servesEvent: TeamReach = ({ actor, params }) =>
  isInPlaces(actor, params.id, schedulesOfOwnTeams(actor));

/**
 * For the change in the path: the actor administers what it concerns, or it is a take-over that the
 * actor made or that relieved the actor.
 */
export const undoesChange: TeamReach = (attempt) => {
  const { actor, params } = attempt;
  const change = parseIdentifier("change", params.change_id ?? "");
  const administers = administersChange(attempt);
  if (!change) return administers;
  const { accountId, accountUserId } = actor;
  return sql`(${administers} or exists (select 1 from ${changes}
    where ${changes.accountId} = ${accountId} and ${identified(changes, change)}
      and ${changes.kind} = 'event' and ${changes.verb} = ${TAKE_OVER}
      and (${changes.accountUserId} = ${accountUserId}
        or exists (select 1 from json_each(${changes.recordBefore}, '$.relieved')
          where value = ${accountUserId}))))`;
};
