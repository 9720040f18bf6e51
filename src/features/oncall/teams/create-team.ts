import { notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { plainColumns } from "../../../kernel/db/plain-columns.ts";
import { resolveReferences } from "../../../kernel/db/references.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { teams } from "../../schema/oncall.ts";
import type { Team } from "./contract.ts";
import { buildDefaults } from "./default-configuration.ts";
import type { CreateTeam } from "./parameters.ts";
import { findMissingPeople, referencesOf } from "./team-input.ts";
import { teamRecords } from "./team-records.ts";
import { insertPeople, PEOPLE_FIELDS } from "./team-writes.ts";

/**
 * Creates a team, with a schedule and an escalation policy if the parameters name none (contract 2,
 * Teams).
 *
 * @param id the ULID of the new team
 * @returns the team; 422 for unknown records, or without a member or an admin
 */
export function createTeam(
  context: Context,
  id: string,
  body: CreateTeam,
): Promise<Team | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  return retryOnConflict(async () => {
    const missing = findMissingPeople(body, true);
    const resolved = await resolveReferences(db, accountId, referencesOf(body));
    if (!resolved.ok) return refuseFields([...missing, ...resolved.errors]);
    if (missing.length > 0) return refuseFields(missing);
    const made = buildDefaults(body.name, accountId, now);
    const [scheduleId] = resolved.idsOf("schedule_id");
    const [policyId] = resolved.idsOf("escalation_policy_id");
    const row = {
      ...newIdentity("team", now, id),
      accountId,
      ...plainColumns(teams, body),
      name: body.name,
      scheduleId: scheduleId ?? made.scheduleId,
      escalationPolicyId: policyId ?? made.policyId,
    };
    const writes = [
      ...(scheduleId ? [] : made.insertSchedule),
      ...(policyId ? [] : made.insertPolicy),
      build.insert(teams).values(row),
      ...PEOPLE_FIELDS.map((name) => insertPeople(accountId, id, name, resolved.idsOf(name))),
    ];
    const change = { verb: "create", records: teamRecords, id, before: null, writes };
    const { after } = await commitChange(context, change);
    return after ?? notFound("team");
  });
}
