// Removes a person's traces from an object's storage: from all tables and keys, including future
// ones, in one turn. In memory, objects have only ids and instants; they read text from storage.
import { createAnonymizer, type PersonTraces } from "../../domain/shared/anonymize.ts";
import { quotedName } from "../db/quoted-name.ts";

type Row = Record<string, SqlStorageValue>;

/** Tables of text that the service writes itself. */
const OWN_TABLES: readonly string[] = ["announcements"];

/** Rewrites what names the person; returns how many rows and values changed. */
export function anonymizeStorage(storage: DurableObjectStorage, traces: PersonTraces): number {
  const without = createAnonymizer(traces);
  return storage.transactionSync(() => {
    let changes = 0;
    for (const [key, value] of [...storage.kv.list()]) {
      const changed = without.value(value, false);
      if (changed === value) continue;
      storage.kv.put(key, changed);
      changes += 1;
    }
    for (const table of tablesOf(storage.sql)) {
      const isOwn = OWN_TABLES.includes(table.name);
      changes += rewriteTable(storage.sql, table, (text) => without.stored(text, isOwn));
    }
    return changes;
  });
}

type Table = { readonly name: string; readonly keys: readonly string[] };

function tablesOf(sql: SqlStorage): Table[] {
  const names = sql
    .exec<{ name: string }>(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\' and name not like '\\_cf\\_%' escape '\\'",
    )
    .toArray();
  return names.map(({ name }) => {
    const columns = sql
      .exec<{ name: string; pk: number }>("select name, pk from pragma_table_info(?)", name)
      .toArray();
    return { name, keys: columns.filter(({ pk }) => pk > 0).map((it) => it.name) };
  });
}

function rewriteTable(
  sql: SqlStorage,
  { name, keys }: Table,
  rewrite: (text: string) => string,
): number {
  const identity = keys.length > 0 ? keys : ["rowid"];
  const listed = keys.length > 0 ? "*" : "rowid, *";
  const rows = sql.exec<Row>(`select ${listed} from ${quotedName(name)}`).toArray();
  let changes = 0;
  for (const row of rows) {
    const changed = Object.entries(row).flatMap(([column, value]) => {
      const rewritten = typeof value === "string" ? rewrite(value) : value;
      return rewritten === value ? [] : [[column, rewritten] as const];
    });
    if (changed.length === 0) continue;
    const set = changed.map(([column]) => `${quotedName(column)} = ?`).join(", ");
    const where = identity.map((column) => `${quotedName(column)} = ?`).join(" and ");
    sql.exec(
      `update or replace ${quotedName(name)} set ${set} where ${where}`,
      ...changed.map(([, value]) => value),
      ...identity.map((column) => row[column] ?? null),
    );
    changes += 1;
  }
  return changes;
}
