import type { EscalationPolicy } from "../../../features/routing/escalation-policies/contract.ts";
import { escalationPolicyRecords } from "../../../features/routing/escalation-policies/escalation-policy-records.ts";
import {
  CreateEscalationPolicy,
  UpdateEscalationPolicy,
} from "../../../features/routing/escalation-policies/parameters.ts";
import {
  createEscalationPolicy,
  updateEscalationPolicy,
} from "../../../features/routing/escalation-policies/verbs.ts";
import { selectEvery } from "../../../kernel/db/records.ts";
import {
  byId,
  declareSection,
  type Entry,
  type Finder,
  type Parameters,
  pick,
  plainFields,
  validated,
} from "./section.ts";

const PLAIN = plainFields(CreateEscalationPolicy);

/** Escalation policies with their layers. */
export const escalationPoliciesSection = declareSection({
  name: "escalation_policies",
  kind: "escalation_policy",
  fields: [...PLAIN, "layers", "reassign_teams", "reassign_people"],
  fieldNames: {
    escalation_layers_attributes: "layers",
    reassign_team_ids: "reassign_teams",
    reassign_account_user_ids: "reassign_people",
  },
  select: (accountId) => selectEvery(escalationPolicyRecords, accountId),
  show: (policy, keyOf) => ({
    ...pick(policy, PLAIN),
    layers: policy.escalation_layers.map(({ layer, timeout, timeout_unit, color_hex }) => ({
      layer,
      timeout,
      timeout_unit,
      color_hex,
    })),
    reassign_teams: policy.reassign_team_ids.flatMap((id) => keyOf("team", id) ?? []),
    reassign_people: policy.reassign_account_user_ids.flatMap(
      (id) => keyOf("account_user", id) ?? [],
    ),
  }),
  parametersOf,
  create: validated(CreateEscalationPolicy, createEscalationPolicy),
  update: validated(UpdateEscalationPolicy, (context, id, body) =>
    updateEscalationPolicy(context, byId(id), body),
  ),
});

function parametersOf(
  entry: Entry,
  find: Finder,
  place: string,
  stored: EscalationPolicy | null,
): Parameters {
  const { layers, reassign_teams: teams, reassign_people: people } = entry;
  return {
    ...pick(entry, PLAIN),
    ...(layers !== undefined && { escalation_layers_attributes: layerEntries(layers, stored) }),
    ...(teams !== undefined && {
      reassign_team_ids: find.idsOf("team", teams, `${place}.reassign_teams`),
    }),
    ...(people !== undefined && {
      reassign_account_user_ids: find.idsOf("account_user", people, `${place}.reassign_people`),
    }),
  };
}

/**
 * The file lists all layers of a policy, by their numbers: a stored layer that it does not list is
 * removed. Removals come last, so that the others keep their index in messages.
 */
function layerEntries(layers: unknown, stored: EscalationPolicy | null): unknown {
  if (!Array.isArray(layers)) return layers;
  const current = stored?.escalation_layers ?? [];
  const listed: readonly unknown[] = layers;
  const numberOf = (entry: unknown) =>
    typeof entry === "object" && entry !== null && "layer" in entry ? entry.layer : null;
  const kept = new Set(listed.map(numberOf));
  const written = listed.map((entry) => {
    const known = current.find(({ layer }) => layer === numberOf(entry));
    if (typeof entry !== "object" || entry === null) return entry;
    return known ? { ...entry, id: known.id } : { ...entry, id: null };
  });
  const removed = current.filter(({ layer }) => !kept.has(layer));
  return [...written, ...removed.map(({ id }) => ({ id, _destroy: true }))];
}
