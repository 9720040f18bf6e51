// Access to D1 through a session: reads use the nearest replica and still see the client's last
// writes. The only place that picks an account's database.
import type { SQLWrapper } from "drizzle-orm";
import {
  SQLiteDeleteBase,
  SQLiteInsertBuilder,
  SQLiteSyncDialect,
  type SQLiteTable,
  SQLiteUpdateBuilder,
} from "drizzle-orm/sqlite-core";
import type { RecordKind } from "../../domain/shared/identifiers.ts";
import { compile } from "./compile.ts";

/**
 * The database itself, or a session on it.
 *
 * `expected`: ids of records that a composed change creates in the same transaction
 * (`features/operations/configuration/compose-plan.ts`). References to them are valid before the records exist.
 */
export type Connection = Pick<D1DatabaseSession, "prepare" | "batch"> & {
  readonly expected?: ReadonlyMap<RecordKind, ReadonlySet<string>>;
};

/** The same connection, with records that are about to be created. */
export const expecting = (
  connection: Connection,
  expected: NonNullable<Connection["expected"]>,
): Connection => ({
  prepare: (query) => connection.prepare(query),
  batch: (statements) => connection.batch(statements),
  expected,
});

/** Prepares and binds a statement, ready for a batch. */
export function statement(connection: Connection, query: SQLWrapper): D1PreparedStatement {
  const { sql, params } = compile(query.getSQL());
  return connection.prepare(sql).bind(...params.map(toBinding));
}

function toBinding(value: unknown): unknown {
  if (value === undefined) return null;
  return typeof value === "boolean" ? Number(value) : value;
}

/**
 * Opens the session of one request.
 *
 * @param bookmark the client's last `X-D1-Bookmark`: reads see at least that state
 * @param decides true if the request may write or must not act on stale data: its first read goes
 *   to the primary
 */
export function openSession(db: D1Database, bookmark: string | null, decides: boolean) {
  const trusted = bookmark !== null && /^[0-9a-f-]{1,200}$/i.test(bookmark) ? bookmark : null;
  return db.withSession(decides ? "first-primary" : (trusted ?? "first-unconstrained"));
}

// Drizzle's statements are only built here: none runs by its session, which is therefore left out.
const none = null as never;
const dialect = new SQLiteSyncDialect();

/** Builds inserts, updates and deletes by table and column; run the result with `statement`. */
export const build = {
  insert: <Table extends SQLiteTable>(table: Table) =>
    new SQLiteInsertBuilder<Table, "async", never>(table, none, dialect),
  update: <Table extends SQLiteTable>(table: Table) =>
    new SQLiteUpdateBuilder<Table, "async", never>(table, none, dialect),
  delete: <Table extends SQLiteTable>(table: Table) =>
    new SQLiteDeleteBase<Table, "async", never>(table, none, dialect),
};
