// The identifiers of integration types. Types are part of the code, not rows: their ids follow from their names,
// so that they are the same in every deployment and for ever.
import { createHash } from "node:crypto";
import { identifierOf, prefixIdOf } from "../domain/identifiers.ts";
import type { IntegrationType } from "./integration-type.ts";
import { integrationTypes } from "./registry.ts";

/** The ULID of the type of this name: no time, and 80 bits of the name's SHA-256. */
export function integrationTypeId(name: string): string {
  return identifierOf(0, createHash("sha256").update(name).digest().subarray(0, 10));
}

const byIdentifier = new Map<string, IntegrationType>();

/** The type with this `id`, `prefix_id` or name, or null. */
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
