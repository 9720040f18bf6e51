import { and, eq } from "drizzle-orm";
import type { Team } from "../../../contract/people/team.ts";
import type { UpdateTeam } from "../../../contract/people/team-parameters.ts";
import { teamRecords } from "../../../db/people/team-records.ts";
import { oneRecord, selectRecord } from "../../../db/records/records.ts";
import { resolveWith } from "../../../db/records/references.ts";
import { teamPeople, teams } from "../../../db/schema/oncall.ts";
import { build } from "../../../db/shared/database.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { commitChange } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
import { findMissingPeople, referencesOf } from "./team-parameters.ts";
import { columnsOf, insertPeople, PEOPLE_FIELDS, RELATIONS } from "./team-writes.ts";

/**
 * Changes a team (contract 2, Teams).
 *
 * @returns the team; 404; 422 for unknown records, or if no member or no admin is left
 */
export function updateTeam(
  context: Context,
  identifier: Identifier,
  body: UpdateTeam,
): Promise<Team | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  return retryOnConflict(async () => {
    const missing = findMissingPeople(body, false);
    const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body), [
      selectRecord(teamRecords, accountId, identifier),
    ]);
    const [[before]] = rows;
    if (!before) return notFound("team");
    if (!resolved.ok) return refuseFields([...missing, ...resolved.errors]);
    if (missing.length > 0) return refuseFields(missing);
    const { id } = before;
    const [scheduleId] = resolved.idsOf("schedule_id");
    const [policyId] = resolved.idsOf("escalation_policy_id");
    const columns = {
      ...columnsOf(body),
      updatedAt: now,
      ...(scheduleId && { scheduleId }),
      ...(policyId && { escalationPolicyId: policyId }),
    };
    const replaced = PEOPLE_FIELDS.filter((name) => body[name] !== undefined).flatMap((name) => [
      build
        .delete(teamPeople)
        .where(and(eq(teamPeople.teamId, id), eq(teamPeople.relation, RELATIONS[name]))),
      insertPeople(accountId, id, name, resolved.idsOf(name)),
    ]);
    const update = build
      .update(teams)
      .set(columns)
      .where(oneRecord(teams, accountId, identifier));
    const writes = [update, ...replaced];
    const change = { verb: "update", records: teamRecords, id, before, writes };
    const { after } = await commitChange(context, change);
    return after ?? notFound("team");
  });
}
