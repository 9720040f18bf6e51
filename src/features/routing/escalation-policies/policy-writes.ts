// Shared by the verbs of escalation policies: the records that the parameters name, and the
// statements that write layers and receivers.
import { and, eq, type SQLWrapper, sql } from "drizzle-orm";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import type { Reference } from "../../../kernel/db/references.ts";
import { escalationLayers, escalationReassignments } from "../../schema/oncall.ts";
import type { Layer, LayerChanges } from "./layer-changes.ts";
import type { UpdateEscalationPolicy } from "./parameters.ts";

/** The parameters that list receivers, with the type of their rows. */
const RECEIVERS = { reassign_team_ids: "team", reassign_account_user_ids: "account_user" } as const;

type ReceiverField = keyof typeof RECEIVERS;

export const RECEIVER_FIELDS = [
  "reassign_team_ids",
  "reassign_account_user_ids",
] as const satisfies readonly ReceiverField[];

/** The records that the parameters name. */
export const referencesOf = (body: UpdateEscalationPolicy): Reference[] =>
  RECEIVER_FIELDS.map((name) => ({ field: name, kind: RECEIVERS[name], ids: body[name] ?? [] }));

/** The statements that replace the receivers of one parameter. */
export function writeReceivers(
  accountId: string,
  policyId: string,
  name: ReceiverField,
  ids: readonly string[],
): SQLWrapper[] {
  const policy = eq(escalationReassignments.escalationPolicyId, policyId);
  return [
    build
      .delete(escalationReassignments)
      .where(and(policy, eq(escalationReassignments.receiverType, RECEIVERS[name]))),
    sql`insert into ${escalationReassignments}
        (account_id, escalation_policy_id, receiver_type, receiver_id, position)
      select ${accountId}, ${policyId}, ${RECEIVERS[name]}, value, key
      from json_each(${JSON.stringify(ids)})`,
  ];
}

/** The statements that apply changes to a policy's layers. */
export function writeLayers(
  accountId: string,
  policyId: string,
  { removed, changed, added }: LayerChanges,
  now: number,
): SQLWrapper[] {
  const columnsOf = (layer: Layer) => ({
    layer: layer.layer,
    timeout: layer.timeout,
    timeoutUnit: layer.timeout_unit,
    colorHex: layer.color_hex,
  });
  const owned = { accountId, escalationPolicyId: policyId };
  return [
    ...removed.map((id) => build.delete(escalationLayers).where(eq(escalationLayers.id, id))),
    // Negated first: layers that swap numbers would violate the unique constraint on the way.
    ...changed.map(({ id }) =>
      build
        .update(escalationLayers)
        .set({ layer: sql`-${escalationLayers.layer}` })
        .where(eq(escalationLayers.id, id)),
    ),
    ...changed.map((layer) =>
      build
        .update(escalationLayers)
        .set({ ...columnsOf(layer), updatedAt: now })
        .where(eq(escalationLayers.id, layer.id)),
    ),
    ...added.map((layer) =>
      build.insert(escalationLayers).values({
        ...newIdentity("escalation_layer", now, layer.id),
        ...owned,
        ...columnsOf(layer),
      }),
    ),
  ];
}
