import { and, eq } from "drizzle-orm";
import { escalationPolicies, teams } from "../../../db/schema/oncall.ts";
import { build } from "../../../db/shared/database.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import type { Context } from "../../../services/shared/context.ts";
import {
  deleteRecord,
  selectReferencesThroughTeams,
} from "../../../services/shared/delete-record.ts";
import { escalationPolicyRecords } from "./escalation-policy-records.ts";

/**
 * Deletes an escalation policy and clears it from the teams that use it.
 *
 * @returns null; 404; 409 while unfinished alerts of its teams use it
 */
export function deleteEscalationPolicy(
  context: Context,
  identifier: Identifier,
): Promise<Refusal | null> {
  const { accountId } = context.actor;
  return deleteRecord(context, escalationPolicyRecords, identifier, {
    reasons: selectReferencesThroughTeams(accountId, teams.escalationPolicyId),
    deletes: (id) => [
      build
        .update(teams)
        .set({ escalationPolicyId: null, updatedAt: context.now })
        .where(and(eq(teams.accountId, accountId), eq(teams.escalationPolicyId, id))),
      build.delete(escalationPolicies).where(eq(escalationPolicies.id, id)),
    ],
  });
}
