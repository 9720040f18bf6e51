// Drawing new identifiers. The random bits are drawn afresh each time, never counted up: a neighbour's
// identifier must not be guessable.
import { identifierOf, prefixIdOf, type RecordKind } from "../domain/identifiers.ts";

/** A new ULID at `now` (epoch ms). */
export function newId(now: number): string {
  return identifierOf(now, crypto.getRandomValues(new Uint8Array(10)));
}

/** The columns every new record starts with. */
export function newIdentity(kind: RecordKind, now: number, id: string = newId(now)) {
  return { id, prefixId: prefixIdOf(kind, id), createdAt: now, updatedAt: now };
}
