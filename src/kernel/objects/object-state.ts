// What an object stores, as a backup has it: its alarm, its keys and its tables, future ones too.
import { quotedName } from "../db/quoted-name.ts";
import { SlicedValue } from "./sliced-value.ts";
import { ALERT_VERSION } from "./stored-version.ts";

type Cell = string | number | null;

type StoredTable = {
  readonly name: string;
  /** The statements that create it and its indexes. */
  readonly sql: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
};

export type ObjectState = {
  /** Epoch ms; null: none is set. */
  readonly alarm: number | null;
  /** JSON values by key. */
  readonly keys: readonly (readonly [key: string, value: unknown])[];
  readonly tables: readonly StoredTable[];
};

/** Creates statements of a table, then those of its indexes. SQLite's own have no text. */
const SCHEMA = `select tbl_name as name, sql from sqlite_master where sql is not null
  and type in ('table', 'index') and tbl_name not like 'sqlite\\_%' escape '\\'
  and tbl_name not like '\\_cf\\_%' escape '\\' order by type desc`;

function readTable(sql: SqlStorage, name: string, statements: readonly string[]): StoredTable {
  const cursor = sql.exec<Record<string, Cell>>(`select * from ${quotedName(name)}`);
  const columns = cursor.columnNames;
  return { name, sql: statements, columns, rows: [...cursor.raw<Cell[]>()] };
}

/** Reads everything that an object stores; null if it stores nothing. */
export async function readState(storage: DurableObjectStorage): Promise<ObjectState | null> {
  const alarm = await storage.getAlarm();
  const keys = [...storage.kv.list()];
  const schema = storage.sql.exec<{ name: string; sql: string }>(SCHEMA).toArray();
  const tables = [...Map.groupBy(schema, ({ name }) => name)].map(([name, statements]) =>
    readTable(
      storage.sql,
      name,
      statements.map(({ sql }) => sql),
    ),
  );
  const isEmpty = keys.length === 0 && tables.every(({ rows }) => rows.length === 0);
  return isEmpty ? null : { alarm, keys, tables };
}

function writeTable(sql: SqlStorage, { name, sql: statements, columns, rows }: StoredTable): void {
  for (const statement of statements) sql.exec(statement);
  const names = columns.map(quotedName).join(", ");
  const values = columns.map(() => "?").join(", ");
  const insert = `insert into ${quotedName(name)} (${names}) values (${values})`;
  for (const row of rows) sql.exec(insert, ...row);
}

/**
 * Replaces everything that an object stores. Its alarm fires at once if it is due, or if none was
 * set: the object then sets the next one by what it stores. The object must be restarted afterwards,
 * since it has read its storage before.
 */
export async function writeState(
  storage: DurableObjectStorage,
  { alarm, keys, tables }: ObjectState,
  now: number,
): Promise<void> {
  await storage.deleteAll();
  storage.transactionSync(() => {
    for (const table of tables) writeTable(storage.sql, table);
    for (const [key, value] of keys) storage.kv.put(key, value);
    // The database may have an earlier version of an alert than its object: it is written again.
    const alert = new SlicedValue<{ readonly projectedVersion: number }>(
      storage.kv,
      "alert",
      ALERT_VERSION,
    );
    const value = alert.get();
    if (value !== null) alert.put({ ...value, projectedVersion: 0 });
  });
  await storage.setAlarm(Math.max(now, alarm ?? now));
}
