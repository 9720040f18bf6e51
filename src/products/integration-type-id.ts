// Identifiers of integration types. Types are code, not rows, so their ids derive from their names
// and are the same in every deployment.
import { createHash } from "node:crypto";
import { identifierOf, prefixIdOf } from "../domain/shared/identifiers.ts";
import type { IntegrationType } from "./integration-type.ts";
import { integrationTypes } from "./registry.ts";

/** The ULID of a type: a zero time and 80 bits of the name's SHA-256. */
export function integrationTypeId(name: string): string {
  return identifierOf(0, createHash("sha256").update(name).digest().subarray(0, 10));
}

const byIdentifier = new Map<string, IntegrationType>();

/** Finds a type by `id`, `prefix_id` or name; null if there is none. */
export function findIntegrationType(text: string): IntegrationType | null {
  if (byIdentifier.size === 0) {
    for (const type of integrationTypes) {
      const id = integrationTypeId(type.name);
      byIdentifier.set(type.name, type).set(id, type);
      byIdentifier.set(prefixIdOf("integration_type", id), type);
    }
  }
  return byIdentifier.get(text) ?? byIdentifier.get(text.toUpperCase()) ?? null;
}
