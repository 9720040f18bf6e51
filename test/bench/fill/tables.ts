// Reads the tables of a local database as they are, whatever their columns.
import type { DatabaseSync } from "node:sqlite";
import type { Row, Value } from "./copier.ts";

export type Table = {
  readonly name: string;
  /** The columns that an insert names: neither computed nor numbered by the database. */
  readonly columns: readonly string[];
  /** The positions of the primary key among the columns; all if it has none. */
  readonly key: readonly number[];
  readonly rows: readonly Row[];
};

/** Every table with its rows, but those of the database itself. */
export function readTables(database: DatabaseSync): Table[] {
  const names = database
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !/^(_cf_|d1_)/.test(name));
  return names.map((name) => readTable(database, name));
}

function readTable(database: DatabaseSync, name: string): Table {
  const info = database.prepare(`pragma table_info("${name}")`).all();
  const keys = info.filter(({ pk }) => Number(pk) > 0);
  const isNumbered = keys.length === 1 && /^integer$/i.test(String(keys[0]?.type));
  const stored = info.filter(({ pk }) => !(isNumbered && Number(pk) > 0));
  const columns = stored.map((column) => String(column.name));
  const listed = columns.map((column) => `"${column}"`).join(", ");
  const rows = database
    .prepare(`select ${listed} from "${name}"`)
    .all()
    .map((row) => columns.map((column) => row[column] as Value));
  const key = stored.flatMap(({ pk }, i) => (Number(pk) > 0 ? [i] : []));
  return { name, columns, key: key.length > 0 ? key : columns.map((_, i) => i), rows };
}

/** Identifies a row within its table. */
export const keyOf = ({ key }: Table, row: Row): string =>
  JSON.stringify(key.map((i) => String(row[i])));
