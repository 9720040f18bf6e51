// Whose changes team admins may undo: those that concern only schedules of theirs.
import { type SQL, sql } from "drizzle-orm";
import { identified } from "../../db/records/identified.ts";
import { changes } from "../../db/schema/changes.ts";
import { parseIdentifier } from "../../domain/shared/identifiers.ts";
import { administersSchedule, selectAdministered, type TeamReach } from "./team-reach.ts";

/**
 * For the change in the path: the actor administers all teams that use any of the schedules that it
 * concerns.
 */
export const administersChange: TeamReach = (attempt): SQL => {
  const { actor, params } = attempt;
  const change = parseIdentifier("change", params.change_id ?? "");
  if (!change) return administersSchedule(attempt);
  return sql`(${administersSchedule(attempt)} and not exists (
    select 1 from ${changes}, json_each(${changes.scheduleIds}) as place
    where ${changes.accountId} = ${actor.accountId} and ${identified(changes, change)}
      and place.value not in (${selectAdministered("schedule", actor)})))`;
};
