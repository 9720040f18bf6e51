// The storage of an object in Node: keys, tables and the alarm, in memory.
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { takeTurn } from "./context.ts";
import { type Compiled, compile, openSqlite, rowsOf, sqliteMessage } from "./sqlite.ts";

type ListOptions = {
  readonly prefix?: string;
  readonly start?: string;
  readonly end?: string;
  readonly limit?: number;
  readonly reverse?: boolean;
};

/** A statement that changes no row. */
const READ = /^\s*select\b/i;

/** A statement about rows, whose columns stay the same as long as the tables do. */
const OF_ROWS = /^\s*(?:select|insert|update|delete|replace|with)\b/i;

/** What an object has stored. An evicted object keeps what it had; the next one gets a copy. */
export class StoredState {
  readonly values = new Map<string, unknown>();
  #sqlite: DatabaseSync | null = null;
  readonly #compiled = new Map<string, Compiled>();
  /** The version of the schema, and whether a statement may have changed it since. */
  #version = 0;
  #isOther = false;
  /** Epoch ms; null: none is set. */
  alarm: number | null = null;

  /** Opened when it is first used: most objects have no tables. */
  get sqlite(): DatabaseSync {
    this.#sqlite ??= openSqlite();
    return this.#sqlite;
  }

  get isEmpty(): boolean {
    return this.values.size === 0 && this.#sqlite === null && this.alarm === null;
  }

  /** A statement, which stays compiled until the tables are others. */
  compile(text: string): Compiled {
    const { sqlite } = this;
    if (this.#isOther) this.#compareSchema();
    if (!OF_ROWS.test(text)) {
      this.#isOther = true;
      return compile(sqlite, text);
    }
    const compiled = this.#compiled.get(text) ?? compile(sqlite, text);
    this.#compiled.set(text, compiled);
    return compiled;
  }

  /** Runs statements that may change the tables. */
  run(script: string): void {
    this.#isOther = true;
    this.sqlite.exec(script);
  }

  #compareSchema(): void {
    const version = Number(rowsOf(compile(this.sqlite, "pragma schema_version"), [])[0]?.[0]);
    if (version !== this.#version) this.#compiled.clear();
    this.#version = version;
    this.#isOther = false;
  }

  /** How many rows were written since the database was opened. */
  get changes(): number {
    return Number(rowsOf(this.compile("select total_changes()"), [])[0]?.[0]);
  }

  copy(): StoredState {
    const copy = new StoredState();
    for (const [key, value] of this.values) copy.values.set(key, value);
    if (this.#sqlite !== null) copy.sqlite.deserialize(this.#sqlite.serialize());
    copy.alarm = this.alarm;
    return copy;
  }

  empty(): void {
    this.values.clear();
    this.#compiled.clear();
    this.#sqlite?.close();
    this.#sqlite = null;
    this.alarm = null;
  }

  transact<Result>(work: () => Result): Result {
    const values = new Map(this.values);
    const { sqlite } = this;
    const savepoint = sqlite.isTransaction ? "nested" : null;
    sqlite.exec(savepoint ? `savepoint ${savepoint}` : "begin");
    try {
      const result = work();
      sqlite.exec(savepoint ? `release ${savepoint}` : "commit");
      return result;
    } catch (error) {
      sqlite.exec(savepoint ? `rollback to ${savepoint}; release ${savepoint}` : "rollback");
      this.values.clear();
      for (const [key, value] of values) this.values.set(key, value);
      throw error;
    }
  }
}

class Cursor {
  readonly columnNames: readonly string[];
  readonly rowsRead = 0;
  readonly rowsWritten: number;
  readonly #rows: Iterator<readonly unknown[]>;

  constructor(
    columnNames: readonly string[],
    rows: readonly (readonly unknown[])[],
    written: number,
  ) {
    this.columnNames = columnNames;
    this.rowsWritten = written;
    this.#rows = rows.values();
  }

  #toRow(cells: readonly unknown[]): Record<string, unknown> {
    return Object.fromEntries(cells.map((cell, at) => [this.columnNames[at], cell]));
  }

  next() {
    const { done, value } = this.#rows.next();
    return done ? { done: true, value: undefined } : { done: false, value: this.#toRow(value) };
  }

  *[Symbol.iterator]() {
    for (const cells of this.raw()) yield this.#toRow(cells);
  }

  *raw() {
    for (let it = this.#rows.next(); !it.done; it = this.#rows.next()) yield it.value;
  }

  toArray() {
    return [...this];
  }

  one() {
    const [row, ...others] = this.toArray();
    if (row === undefined || others.length > 0) {
      throw new Error("Expected exactly one result from SQL query, but got another number.");
    }
    return row;
  }
}

const toCell = (value: unknown) =>
  value instanceof Uint8Array ? Uint8Array.from(value).buffer : value;

function toInput(value: unknown): SQLInputValue {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return typeof value === "boolean" ? String(value) : (value as SQLInputValue);
}

/** Whether a text has more than one statement. */
const isScript = (text: string) => /;\s*\S/.test(text);

class SqlStorage {
  readonly #state: () => StoredState;

  constructor(state: () => StoredState) {
    this.#state = state;
  }

  get databaseSize(): number {
    const { sqlite } = this.#state();
    const read = (name: string) => Number(sqlite.prepare(`pragma ${name}`).get()?.[name]);
    return read("page_count") * read("page_size");
  }

  exec(text: string, ...values: readonly unknown[]): Cursor {
    const state = this.#state();
    try {
      if (values.length === 0 && isScript(text)) {
        state.run(text);
        return new Cursor([], [], 1);
      }
      const isRead = READ.test(text);
      const before = isRead ? 0 : state.changes;
      const compiled = state.compile(text);
      const rows = rowsOf(compiled, values.map(toInput));
      return new Cursor(
        compiled.names,
        rows.map((cells) => cells.map(toCell)),
        isRead ? 0 : state.changes - before,
      );
    } catch (error) {
      throw new Error(sqliteMessage(error));
    }
  }
}

const byKey = ([one]: [string, unknown], [other]: [string, unknown]) =>
  Buffer.compare(Buffer.from(one), Buffer.from(other));

class SyncKvStorage {
  readonly #state: () => StoredState;

  constructor(state: () => StoredState) {
    this.#state = state;
  }

  get(key: string): unknown {
    return structuredClone(this.#state().values.get(key));
  }

  put(key: string, value: unknown): void {
    this.#state().values.set(key, structuredClone(value));
  }

  delete(key: string): boolean {
    return this.#state().values.delete(key);
  }

  *list({
    prefix = "",
    start,
    end,
    limit,
    reverse,
  }: ListOptions = {}): Generator<[string, unknown]> {
    const found = [...this.#state().values]
      .filter(([key]) => key.startsWith(prefix))
      .filter(([key]) => (start === undefined || key >= start) && (end === undefined || key < end))
      .sort(byKey);
    if (reverse) found.reverse();
    for (const [key, value] of found.slice(0, limit)) yield [key, structuredClone(value)];
  }
}

/** The interface to what an object has stored. */
export class Storage {
  readonly #state: () => StoredState;
  readonly #alarmChanged: () => void;
  readonly sql: SqlStorage;
  readonly kv: SyncKvStorage;

  /** @param alarmChanged called when the alarm was set or deleted */
  constructor(state: () => StoredState, alarmChanged: () => void) {
    this.#state = state;
    this.#alarmChanged = alarmChanged;
    this.sql = new SqlStorage(state);
    this.kv = new SyncKvStorage(state);
  }

  transactionSync<Result>(work: () => Result): Result {
    return this.#state().transact(work);
  }

  async getAlarm(): Promise<number | null> {
    const { alarm } = this.#state();
    await takeTurn();
    return alarm;
  }

  async setAlarm(at: number | Date): Promise<void> {
    this.#state().alarm = Number(at);
    this.#alarmChanged();
  }

  async deleteAlarm(): Promise<void> {
    this.#state().alarm = null;
    this.#alarmChanged();
  }

  async deleteAll(): Promise<void> {
    this.#state().empty();
    this.#alarmChanged();
  }

  async sync(): Promise<void> {
    await takeTurn();
  }
}
