// The layers of an escalation policy: the rules for their parameters, and the rows a request
// changes (contract 2, Escalation policies). Layer numbers are unique within a policy; one request
// may swap them.
import { eq, type SQLWrapper, sql } from "drizzle-orm";
import type { EscalationLayer } from "../../contract/routing/escalation-policy.ts";
import type { LayerEntry } from "../../contract/routing/escalation-policy-parameters.ts";
import { escalationLayers } from "../../db/schema/oncall.ts";
import { build } from "../../db/shared/database.ts";
import { newIdentity } from "../../db/shared/identifiers.ts";
import {
  LONGEST_TIMEOUT_MS,
  type TimeoutUnit,
  timeoutMs,
} from "../../domain/alerts/escalation/escalation.ts";
import type { FieldError } from "../../domain/shared/refusal.ts";

// ── Rows ──

/** A layer as it appears in the policy's record. */
export type Layer = {
  readonly id: string;
  readonly prefix_id: string;
  readonly layer: number;
  readonly timeout: number;
  readonly timeout_unit: TimeoutUnit;
  readonly color_hex: string | null;
};

/** The layers of `policyId` as JSON, ordered by number. */
export const layersOf = (policyId: SQLWrapper) =>
  sql<
    readonly EscalationLayer[]
  >`(select json_group_array(json_object('account_id', ${escalationLayers.accountId},
      'id', ${escalationLayers.id}, 'prefix_id', ${escalationLayers.prefixId},
      'layer', ${escalationLayers.layer}, 'timeout', ${escalationLayers.timeout},
      'timeout_unit', ${escalationLayers.timeoutUnit}, 'color_hex', ${escalationLayers.colorHex})
      order by ${escalationLayers.layer})
    from ${escalationLayers} where ${escalationLayers.escalationPolicyId} = ${policyId})`;

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

// ── Rules ──

export type LayerChanges = {
  /** Ids. */
  readonly removed: readonly string[];
  readonly changed: readonly Layer[];
  readonly added: readonly Layer[];
  readonly errors: readonly FieldError[];
};

type Touched = { readonly layer: Layer; readonly isNew: boolean; readonly name: string };

/**
 * Applies a request's entries to a policy's layers.
 *
 * @param newId generates the id of an added layer
 */
export function changeLayers(
  current: readonly Layer[],
  entries: readonly LayerEntry[],
  newId: () => string,
): LayerChanges {
  const removed: string[] = [];
  const touched = new Map<string, Touched>();
  const errors: FieldError[] = [];
  for (const [i, entry] of entries.entries()) {
    const name = `escalation_layers_attributes[${i}]`;
    const stored = findLayer(current, entry.id);
    if (entry.id != null && stored === undefined) {
      errors.push({ field: `${name}.id`, message: `${name}.id: no such escalation layer` });
    } else if (entry._destroy) {
      if (stored) removed.push(stored.id);
    } else {
      const layer = mergeEntry(touched.get(stored?.id ?? "")?.layer ?? stored, entry, newId);
      touched.set(layer.id, { layer, isNew: stored === undefined, name });
    }
  }
  for (const id of removed) touched.delete(id);
  const stays = current.filter(({ id }) => !removed.includes(id) && !touched.has(id));
  const written = [...touched.values()];
  return {
    removed,
    changed: written.filter(({ isNew }) => !isNew).map(({ layer }) => layer),
    added: written.filter(({ isNew }) => isNew).map(({ layer }) => layer),
    errors: [...errors, ...findFaults(stays, written)],
  };
}

function findLayer(current: readonly Layer[], id: string | null | undefined): Layer | undefined {
  if (id == null) return undefined;
  return current.find((layer) => layer.id === id.toUpperCase() || layer.prefix_id === id);
}

function mergeEntry(stored: Layer | undefined, entry: LayerEntry, newId: () => string): Layer {
  return {
    id: stored?.id ?? newId(),
    prefix_id: stored?.prefix_id ?? "",
    layer: entry.layer ?? stored?.layer ?? 1,
    timeout: entry.timeout ?? stored?.timeout ?? 1,
    timeout_unit: entry.timeout_unit ?? stored?.timeout_unit ?? "minutes",
    color_hex: entry.color_hex === undefined ? (stored?.color_hex ?? null) : entry.color_hex,
  };
}

function findFaults(stays: readonly Layer[], written: readonly Touched[]): FieldError[] {
  const taken = new Set(stays.map(({ layer }) => layer));
  const errors: FieldError[] = [];
  for (const { layer, name } of written) {
    if (taken.has(layer.layer)) {
      const message = `${name}.layer is the number of another layer of the policy`;
      errors.push({ field: `${name}.layer`, message });
    }
    taken.add(layer.layer);
    if (timeoutMs(layer.timeout, layer.timeout_unit) >= LONGEST_TIMEOUT_MS) {
      errors.push({ field: `${name}.timeout`, message: `${name}.timeout must be under 30 days` });
    }
  }
  return errors;
}
