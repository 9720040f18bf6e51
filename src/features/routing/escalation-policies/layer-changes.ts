// Applies a request's entries to the layers of an escalation policy (contract 2, Escalation
// policies). Layer numbers are unique within a policy; one request may swap them.
import { LONGEST_TIMEOUT_MS, timeoutMs } from "../../../domain/alerts/escalation.ts";
import type { FieldError } from "../../../domain/shared/refusal.ts";
import type { EscalationLayer } from "./contract.ts";
import type { LayerEntry } from "./parameters.ts";

/** A layer as a policy stores it. */
export type Layer = Omit<EscalationLayer, "account_id">;

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
