// How a request gets at D1: through a session, so that readers are served by the nearest replica and still see
// what they last wrote. The one place that picks an account's database.
import type { SQLWrapper } from "drizzle-orm";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";

export type Database = DrizzleD1Database;

/** Anything that prepares and batches: the database itself, or a session on it. */
export type Connection = Pick<D1DatabaseSession, "prepare" | "batch">;

const dialect = new SQLiteSyncDialect();

/** A statement of ours, bound and ready for a batch. */
export function statement(connection: Connection, query: SQLWrapper): D1PreparedStatement {
  const { sql, params } = dialect.sqlToQuery(query.getSQL());
  return connection.prepare(sql).bind(...params.map(toBinding));
}

function toBinding(value: unknown): unknown {
  if (value === undefined) return null;
  return typeof value === "boolean" ? Number(value) : value;
}

/**
 * A session for one request.
 *
 * @param bookmark what the client last got as `X-D1-Bookmark`: reads then see at least that state
 * @param decides whether the request may write, or must not go by an old state: its first read then goes to the
 *   primary, so that a decision is never taken on a replica's past
 */
export function openSession(db: D1Database, bookmark: string | null, decides: boolean) {
  const trusted = bookmark !== null && /^[0-9a-f-]{1,200}$/i.test(bookmark) ? bookmark : null;
  return db.withSession(decides ? "first-primary" : (trusted ?? "first-unconstrained"));
}

/** Builds inserts, updates and deletes by table and column; what it builds is run as a `statement`. */
export const build: Database = drizzle({} as D1Database);

/** Drizzle on a connection, for statements that name tables and columns. */
export function drizzleOn(connection: Connection): Database {
  return drizzle(connection as D1Database);
}
