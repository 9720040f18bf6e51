import { and, eq } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newId, newIdentity } from "../../../kernel/db/identifiers.ts";
import { plainColumns } from "../../../kernel/db/plain-columns.ts";
import { isTaken } from "../../../kernel/db/precondition.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { resolveWith } from "../../../kernel/db/references.ts";
import type { Decision } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { deleteRecord, selectReferencesThroughTeams } from "../../change/delete-record.ts";
import { recordLayerChange } from "../../change/on-call-change-rows.ts";
import { escalationLayers, escalationPolicies, teams } from "../../schema/oncall.ts";
import { escalationPolicyRecords } from "./escalation-policy-records.ts";
import { changeLayers } from "./layer-changes.ts";
import type { CreateEscalationPolicy, UpdateEscalationPolicy } from "./parameters.ts";
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
): Promise<Decision<"EscalationPolicy"> | Refusal> {
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
  return {
    ...{ verb: "create", records: escalationPolicyRecords, id, before: null, writes },
    answer: ({ after }) => after ?? notFound("escalation_policy"),
  };
}

/**
 * Changes an escalation policy and its layers (contract 2, Escalation policies).
 *
 * @returns the policy; 404; 422 for unknown receivers or layers, or layers with equal numbers or a
 *   timeout of 30 days or more
 */
export async function updateEscalationPolicy(
  context: Context,
  identifier: Identifier,
  body: UpdateEscalationPolicy,
): Promise<Decision<"EscalationPolicy"> | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  const records = escalationPolicyRecords;
  const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body), [
    selectRecord(records, accountId, identifier),
  ]);
  const [[before]] = rows;
  if (!before) return notFound("escalation_policy");
  const { id } = before;
  const entries = body.escalation_layers_attributes ?? [];
  const layers = changeLayers(before.escalation_layers, entries, () => newId(now));
  const errors = [...layers.errors, ...(resolved.ok ? [] : resolved.errors)];
  if (errors.length > 0 || !resolved.ok) return refuseFields(errors);
  const columns = { ...plainColumns(escalationPolicies, body), updatedAt: now };
  const writes = [
    build.update(escalationPolicies).set(columns).where(eq(escalationPolicies.id, id)),
    ...writeLayers(accountId, id, layers, now),
    ...(entries.length > 0 ? [recordLayerChange(accountId, id)] : []),
    ...RECEIVER_FIELDS.filter((name) => body[name] !== undefined).flatMap((name) =>
      writeReceivers(accountId, id, name, resolved.idsOf(name)),
    ),
  ];
  return {
    ...{ verb: "update", records, id, before, writes },
    refusalOf: refuseTakenLayer,
    answer: ({ after }) => after ?? notFound("escalation_policy"),
  };
}

/** The refusal when a concurrent request took a layer's number. */
function refuseTakenLayer(error: unknown): Refusal | null {
  if (!isTaken(error, escalationLayers)) return null;
  const name = "escalation_layers_attributes";
  return refuseFields([{ field: name, message: `${name} must differ from the other layers` }]);
}

/**
 * Deletes an escalation policy and clears it from the teams that use it.
 *
 * @returns null; 404; 409 while unfinished alerts of its teams use it
 */
export function deleteEscalationPolicy(
  context: Context,
  identifier: Identifier,
): Promise<Decision<"EscalationPolicy", null> | Refusal> {
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
