// Generates identifiers. The random bits are never incremented, so that no identifier can be
// guessed from another.
import { identifierOf, prefixIdOf, type RecordKind } from "../../domain/shared/identifiers.ts";

/** Generates a ULID at `now` (epoch ms). */
export function newId(now: number): string {
  return identifierOf(now, crypto.getRandomValues(new Uint8Array(10)));
}

/** The columns that every new record starts with. */
export function newIdentity(kind: RecordKind, now: number, id: string = newId(now)) {
  return { id, prefixId: prefixIdOf(kind, id), createdAt: now, updatedAt: now };
}
