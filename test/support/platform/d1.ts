// D1 in Node: the interface of the binding, with the prototypes that tests replace methods of, on SQLite in memory.
// It has D1's limits. What it does not have: the number of rows that a statement reads.
import type { SQLInputValue } from "node:sqlite";
import { takeTurn } from "./context.ts";
import { type Compiled, compile, openSqlite, rowsOf, sqliteMessage } from "./sqlite.ts";

type Cell = string | number | null | readonly number[];
type Row = Record<string, Cell>;

type Query = { readonly statement: string; readonly params: readonly unknown[] };

/** A statement that changes nothing. */
const READ = /^\s*select\b/i;

const TABLES = "select name from sqlite_master where type = 'table'";

/** The most statements that stay compiled. */
const MAX_COMPILED = 2_000;

/** The database, which `reset` replaces. */
class Engine {
  #sqlite = openSqlite();
  readonly #compiled = new Map<string, Compiled>();
  #bookmarks = 0;
  /** How many rows have changed since the database was opened. */
  #changed = 0;
  /** The bytes of the pages in use; null if something was written since. */
  #bytes: number | null = null;
  /** The version of the schema as it was created; 0: it is not. */
  #created = 0;

  /** Empties the tables, if they are those that were created: to compile every statement anew takes longer than most tests. */
  reset(): void {
    if (this.#created > 0 && this.#read("pragma schema_version") === this.#created) {
      this.#deleteRows();
      return;
    }
    this.#compiled.clear();
    this.#sqlite.close();
    this.#sqlite = openSqlite();
    this.#changed = 0;
    this.#created = 0;
    this.#bytes = null;
  }

  #deleteRows(): void {
    const names = this.#execute({ statement: TABLES, params: [] }).results;
    const tables = names.map(({ name }) => `"${name}"`);
    this.#compile("pragma foreign_keys = off").statement.run();
    // What a trigger inserts meanwhile is deleted in the next round.
    while (tables.some((it) => this.#read(`select exists (select 1 from ${it})`) > 0)) {
      for (const it of tables) this.#compile(`delete from ${it}`).statement.run();
    }
    this.#compile("pragma foreign_keys = on").statement.run();
    this.#countChanges();
  }

  #compile(text: string): Compiled {
    const known = this.#compiled.get(text);
    if (known) return known;
    const compiled = compile(this.#sqlite, text);
    if (this.#compiled.size >= MAX_COMPILED) this.#compiled.clear();
    this.#compiled.set(text, compiled);
    return compiled;
  }

  #execute({ statement: text, params }: Query) {
    const compiled = this.#compile(text);
    const rows = rowsOf(compiled, params.map(toInput));
    const changes = READ.test(text) ? 0 : this.#countChanges();
    const results = rows.map((cells) => toRow(compiled.names, cells));
    return { results, changes };
  }

  /** How many rows have changed since this was asked last. */
  #countChanges(): number {
    const before = this.#changed;
    this.#changed = this.#read("select total_changes()");
    this.#bytes = null;
    return this.#changed - before;
  }

  #read(text: string): number {
    const row = this.#compile(text).statement.get() as unknown as readonly number[];
    return row[0] ?? 0;
  }

  /** The bytes of the pages in use. */
  #size(): number {
    const pages = this.#read("pragma page_count") - this.#read("pragma freelist_count");
    return pages * this.#read("pragma page_size");
  }

  /** All of them or none; what only reads needs no transaction. */
  #transact(queries: readonly Query[]) {
    const isRead = queries.every(({ statement }) => READ.test(statement));
    if (isRead) return queries.map((it) => this.#execute(it));
    this.#compile("begin").statement.run();
    const answers = queries.map((it) => this.#execute(it));
    this.#compile("commit").statement.run();
    this.#created ||= this.#read("pragma schema_version");
    return answers;
  }

  /** Runs statements in one transaction. Throws as D1 does. */
  async run(queries: readonly Query[]) {
    // What is sent does not change afterwards.
    const sent = queries.map(({ statement, params }) => ({
      statement,
      params: params.map((it) => (Array.isArray(it) ? [...it] : it)),
    }));
    await takeTurn();
    try {
      const answers = this.#transact(sent);
      this.#bytes ??= this.#size();
      const size_after = this.#bytes;
      await takeTurn();
      return answers.map(({ results, changes }) => ({
        ...{ success: true, results },
        meta: {
          ...{ served_by: "node", duration: 0, last_row_id: 0, size_after },
          ...{ changes, changed_db: changes > 0, rows_read: 0, rows_written: changes },
        },
      }));
    } catch (error) {
      if (this.#sqlite.isTransaction) this.#sqlite.exec("rollback");
      this.#countChanges();
      const message = sqliteMessage(error);
      throw new Error(`D1_ERROR: ${message}`, { cause: new Error(message) });
    }
  }

  script(text: string): void {
    try {
      this.#sqlite.exec(text);
    } finally {
      this.#countChanges();
    }
  }

  newBookmark(): string {
    this.#bookmarks += 1;
    const count = this.#bookmarks.toString(16).padStart(8, "0");
    return `00000000-${count}-00000000-${"0".repeat(32)}`;
  }
}

function toRow(names: readonly string[], cells: readonly unknown[]): Row {
  const row: Row = {};
  // No statement of ours has a column of the name that would set the prototype.
  for (const [at, name] of names.entries()) row[name] = toCell(cells[at]);
  return row;
}

function toInput(value: unknown): SQLInputValue {
  return Array.isArray(value) ? Uint8Array.from(value) : (value as SQLInputValue);
}

const toCell = (value: unknown): Cell =>
  value instanceof Uint8Array ? [...value] : (value as string | number | null);

function toParameter(value: unknown): unknown {
  const kind = typeof value;
  if (kind === "number" || kind === "string" || value === null) return value;
  if (kind === "boolean") return value ? 1 : 0;
  if (Array.isArray(value) && value.every((it) => typeof it === "number" && it >= 0 && it < 256)) {
    return value;
  }
  if (value instanceof ArrayBuffer) return [...new Uint8Array(value)];
  if (ArrayBuffer.isView(value)) return Array.from(value as Uint8Array);
  const message = `Type '${kind}' not supported for value '${value}'`;
  throw new Error(`D1_TYPE_ERROR: ${message}`, { cause: new Error(message) });
}

class D1PreparedStatement {
  readonly dbSession: D1DatabaseSession;
  readonly statement: string;
  readonly params: readonly unknown[];

  constructor(dbSession: D1DatabaseSession, statement: string, params: readonly unknown[] = []) {
    this.dbSession = dbSession;
    this.statement = statement;
    this.params = params;
  }

  bind(...values: unknown[]): D1PreparedStatement {
    return new D1PreparedStatement(this.dbSession, this.statement, values.map(toParameter));
  }

  async first(column?: string): Promise<unknown> {
    const [answer] = await this.dbSession.send([this]);
    const row = answer?.results[0];
    if (row === undefined) return null;
    if (column === undefined) return row;
    if (row[column] === undefined) {
      throw new Error(`D1_COLUMN_NOTFOUND: Column not found (${column})`);
    }
    return row[column];
  }

  async run() {
    return (await this.dbSession.send([this]))[0];
  }

  async all() {
    return (await this.dbSession.send([this]))[0];
  }

  async raw({ columnNames = false } = {}) {
    const { results = [] } = (await this.dbSession.send([this]))[0] ?? {};
    const names = columnNames && results[0] ? [Object.keys(results[0])] : [];
    return [...names, ...results.map((row) => Object.values(row))];
  }
}

class D1DatabaseSession {
  readonly #engine: Engine;
  #bookmark: string | null;

  constructor(engine: Engine, constraint: string | null) {
    this.#engine = engine;
    this.#bookmark = constraint?.startsWith("first-") ? null : constraint;
  }

  prepare(query: string): D1PreparedStatement {
    return new D1PreparedStatement(this, query);
  }

  async batch(statements: readonly D1PreparedStatement[]) {
    return this.send(statements);
  }

  getBookmark(): string | null {
    return this.#bookmark;
  }

  /** Sends statements, as every method does. */
  async send(statements: readonly D1PreparedStatement[]) {
    const answers = await this.#engine.run(statements);
    this.#bookmark = this.#engine.newBookmark();
    return answers;
  }
}

/** The session of whoever opens none. */
class D1DatabaseSessionAlwaysPrimary extends D1DatabaseSession {
  override getBookmark(): string | null {
    return null;
  }
}

class D1Database {
  readonly #engine: Engine;
  readonly #session: D1DatabaseSessionAlwaysPrimary;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#session = new D1DatabaseSessionAlwaysPrimary(engine, null);
  }

  prepare(query: string): D1PreparedStatement {
    return new D1PreparedStatement(this.#session, query);
  }

  async batch(statements: readonly D1PreparedStatement[]) {
    return this.#session.batch(statements);
  }

  async exec(query: string) {
    await takeTurn();
    try {
      this.#engine.script(query);
    } catch (error) {
      throw new Error(`D1_EXEC_ERROR: ${sqliteMessage(error)}`);
    }
    return { count: query.trim().split("\n").length, duration: 0 };
  }

  withSession(constraint = "first-unconstrained"): D1DatabaseSession {
    return new D1DatabaseSession(this.#engine, constraint);
  }
}

/** A new, empty database, and what empties it again. */
export function openD1() {
  const engine = new Engine();
  const database = new D1Database(engine);
  return { database, reset: () => engine.reset() };
}
