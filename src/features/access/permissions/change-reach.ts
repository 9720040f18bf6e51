// Whose changes team admins may undo: those that concern only schedules of theirs.
import { type SQL, sql } from "drizzle-orm";
import { parseIdentifier } from "../../../domain/shared/identifiers.ts";
import { identified } from "../../../kernel/db/identified.ts";
import { changes } from "../../schema/changes.ts";
import { teams } from "../../schema/oncall.ts";
import {
  administeredTeams,
  administersSchedule,
  selectAdministered,
  type TeamReach,
} from "./team-reach.ts";

/**
 * For the change in the path: the actor administers all teams that use any of the schedules that it
 * concerns; of a team: also the team, and all teams that use the escalation policy it had before.
 */
export const administersChange: TeamReach = (attempt): SQL => {
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
