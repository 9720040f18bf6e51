// Conditions that name one record by either form of its identifier.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import {
  type Identifier,
  idRangeOf,
  isPrefixId,
  randomPartOf,
} from "../../domain/shared/identifiers.ts";

/** The columns with the two forms of an identifier. */
type IdentifierColumns = { readonly id: SQLWrapper; readonly prefixId: SQLWrapper };

/**
 * `id = …` or `prefix_id = …`. A dated `prefix_id` is searched among the ids of its minute: no
 * index has it, and the ids alone say which it is.
 */
export function identified({ id, prefixId }: IdentifierColumns, { form, value }: Identifier): SQL {
  if (form === "id") return sql`${id} = ${value}`;
  const range = idRangeOf(value);
  if (range === null) return sql`${prefixId} = ${value}`;
  return sql`(${id} >= ${range.from} and ${id} < ${range.to}
    and substr(${id}, 11) = ${randomPartOf(value)})`;
}

/** A `prefix_id` that is computed from a dated id has no index. */
const isDatedTable = ({ prefixId }: { readonly prefixId: SQLiteColumn }): boolean =>
  prefixId.generated !== undefined;

/** Those of the tables that may have a record of this `prefix_id`. */
export function tablesOf<Table extends SQLiteTable & { readonly prefixId: SQLiteColumn }>(
  tables: readonly Table[],
  prefixId: string,
): readonly Table[] {
  if (!isPrefixId(prefixId)) return [];
  const isDated = idRangeOf(prefixId) !== null;
  return tables.filter((table) => isDatedTable(table) === isDated);
}
