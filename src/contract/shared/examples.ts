// What examples in the reference are made of: the same identifiers and the same instant wherever they stand.
import {
  identifierOf,
  PREFIXES,
  prefixIdOf,
  type RecordKind,
} from "../../domain/shared/identifiers.ts";

const EXAMPLE_AT = Date.UTC(2026, 0, 31, 9, 30);

export const EXAMPLE_INSTANT = new Date(EXAMPLE_AT).toISOString();

/** The id that examples give to a record of this kind: always the same. */
export function exampleId(kind: RecordKind): string {
  const seed = Object.keys(PREFIXES).indexOf(kind) + 1;
  const bytes = Uint8Array.from({ length: 10 }, (_, i) => (seed * 37 + i * 101) % 256);
  return identifierOf(EXAMPLE_AT, bytes);
}

/** The other form of the same identifier. */
export const examplePrefixId = (kind: RecordKind): string => prefixIdOf(kind, exampleId(kind));
