// Generates identifiers. The random bits are never incremented, so that no identifier can be
// guessed from another.
import {
  datedIdentifierOf,
  identifierOf,
  prefixIdOf,
  type RecordKind,
} from "../../domain/shared/identifiers.ts";

/** The kinds with dated ids. A delivery's id is also that of the log of its failures. */
const DATED_KINDS: readonly RecordKind[] = ["alert", "change", "log", "delivery"];

/** Generates a ULID at `now` (epoch ms). */
export function newId(now: number): string {
  return identifierOf(now, crypto.getRandomValues(new Uint8Array(10)));
}

/** Generates the ULID of an alert or a log at `now` (epoch ms): its `prefix_id` tells the minute. */
export function newDatedId(now: number): string {
  return datedIdentifierOf(now, crypto.getRandomValues(new Uint8Array(7)));
}

/** Generates the ULID of a record of a kind at `now` (epoch ms). */
export const newIdOf = (kind: RecordKind, now: number): string =>
  DATED_KINDS.includes(kind) ? newDatedId(now) : newId(now);

/** The columns that every new record starts with. */
export function newIdentity(kind: RecordKind, now: number, id: string = newIdOf(kind, now)) {
  return { id, prefixId: prefixIdOf(kind, id), createdAt: now, updatedAt: now };
}
