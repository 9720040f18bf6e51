import { plainColumns } from "../../../db/records/plain-columns.ts";
import { resolveWith } from "../../../db/records/references.ts";
import { escalationPolicies } from "../../../db/schema/oncall.ts";
import { build } from "../../../db/shared/database.ts";
import { newId, newIdentity } from "../../../db/shared/identifiers.ts";
import { notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { commitChange } from "../../../services/shared/commit.ts";
import type { Context } from "../../../services/shared/context.ts";
import type { EscalationPolicy } from "./contract.ts";
import { escalationPolicyRecords } from "./escalation-policy-records.ts";
import { changeLayers } from "./layer-changes.ts";
import type { CreateEscalationPolicy } from "./parameters.ts";
import { RECEIVER_FIELDS, referencesOf, writeLayers, writeReceivers } from "./policy-writes.ts";

/**
 * Creates an escalation policy (contract 2, Escalation policies).
 *
 * @param id the ULID of the new policy
 * @returns the policy; 422 for unknown receivers, or layers with equal numbers or a timeout of 30
 *   days or more
 */
export async function createEscalationPolicy(
  context: Context,
  id: string,
  body: CreateEscalationPolicy,
): Promise<EscalationPolicy | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  const { resolved } = await resolveWith(db, accountId, referencesOf(body), []);
  const layers = changeLayers([], body.escalation_layers_attributes ?? [], () => newId(now));
  const errors = [...layers.errors, ...(resolved.ok ? [] : resolved.errors)];
  if (errors.length > 0 || !resolved.ok) return refuseFields(errors);
  const row = {
    ...newIdentity("escalation_policy", now, id),
    accountId,
    ...plainColumns(escalationPolicies, body),
    name: body.name,
  };
  const writes = [
    build.insert(escalationPolicies).values(row),
    ...writeLayers(accountId, row.id, layers, now),
    ...RECEIVER_FIELDS.flatMap((name) =>
      writeReceivers(accountId, row.id, name, resolved.idsOf(name)),
    ),
  ];
  const change = { verb: "create", records: escalationPolicyRecords, id, before: null, writes };
  const { after } = await commitChange(context, change);
  return after ?? notFound("escalation_policy");
}
