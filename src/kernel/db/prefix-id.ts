// The `prefix_id` of a record whose table stores only its `id`.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import {
  BASE64URL,
  CROCKFORD,
  PREFIXES,
  type RecordKind,
} from "../../domain/shared/identifiers.ts";

/** The first of the sixteen digits of an `id` that are random, five bits each (from 1). */
const RANDOM_FROM = 11;
/** The digits of a `prefix_id` after the prefix, six bits each; the last one is padded. */
const DIGITS = 14;

/** `prefixIdOf` in SQL, to be shown, filtered and sorted by. */
export function prefixIdFrom(kind: RecordKind, id: SQLWrapper): SQL<string> {
  // Of no digit `instr` finds the first one, which is zero.
  const digitAt = (position: number) =>
    sql`(instr(${sql.raw(`'${CROCKFORD}'`)}, substr(${id}, ${sql.raw(String(position))}, 1)) - 1)`;
  const digits = Array.from({ length: DIGITS }, (_, i) => {
    const bit = i * 6;
    const position = RANDOM_FROM + Math.floor(bit / 5);
    const shift = sql.raw(String(4 - (bit % 5)));
    const pair = sql`(${digitAt(position)} * 32 + ${digitAt(position + 1)})`;
    return sql`substr(${sql.raw(`'${BASE64URL}'`)}, 1 + ((${pair} >> ${shift}) & 63), 1)`;
  });
  return sql`(${sql.raw(`'${PREFIXES[kind]}_'`)} || ${sql.join(digits, sql` || `)})`;
}
