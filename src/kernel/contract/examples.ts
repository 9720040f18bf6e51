// The identifiers and the instant of the reference's examples, the same in all of them.
import {
  identifierOf,
  PREFIXES,
  prefixIdOf,
  type RecordKind,
} from "../../domain/shared/identifiers.ts";

const EXAMPLE_AT = Date.UTC(2026, 0, 31, 9, 30);

export const EXAMPLE_INSTANT = new Date(EXAMPLE_AT).toISOString();

/** The example id of this kind of record. */
export function exampleId(kind: RecordKind): string {
  const seed = Object.keys(PREFIXES).indexOf(kind) + 1;
  const bytes = Uint8Array.from({ length: 10 }, (_, i) => (seed * 37 + i * 101) % 256);
  return identifierOf(EXAMPLE_AT, bytes);
}

/** The other form of the example id. */
export const examplePrefixId = (kind: RecordKind): string => prefixIdOf(kind, exampleId(kind));
