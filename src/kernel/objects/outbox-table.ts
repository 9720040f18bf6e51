// An outbox that is a table of an object's storage: for objects with many rows, of which few change
// at a time. The table is created by the first row, since an empty one costs what two rows do.
// Synchronous.
import type { OutboxRow, OutboxStore } from "./outbox.ts";

/** Maximum number of rows sent at a time. */
const MAX_PER_SEND = 50;

type Cells = Readonly<Record<string, string | null>>;

type Definition<Row extends Cells> = {
  /** The table's name. */
  readonly name: string;
  /** The column of the primary key: it identifies an effect among this object's. */
  readonly key: string;
  /** What else is stored of a row, as text. */
  readonly columns: readonly (keyof Row & string)[];
};

export type TableRow<Row extends Cells> = OutboxRow & { readonly key: string } & Row;

/** A row to be stored; `at`: when it is due (epoch ms), absent: at once. */
type NewRow<Row extends Cells> = { readonly key: string; readonly at?: number } & Row;

export class OutboxTable<Row extends Cells> implements OutboxStore<TableRow<Row>> {
  readonly #sql: SqlStorage;
  readonly #definition: Definition<Row>;

  /** @param definition must not depend on input: its names are parts of the statements */
  constructor({ sql }: DurableObjectStorage, definition: Definition<Row>) {
    this.#sql = sql;
    this.#definition = definition;
  }

  #exists(): boolean {
    const query = "select 1 from sqlite_master where type = 'table' and name = ?";
    return this.#sql.exec(query, this.#definition.name).toArray().length > 0;
  }

  #create(): void {
    const { name, key, columns } = this.#definition;
    const cells = columns.map((it) => `${it} text, `).join("");
    this.#sql.exec(`create table if not exists ${name} (${key} text primary key, ${cells}
      attempts integer not null default 0, next_at integer not null default 0)`);
  }

  /** Stores rows. Those that are stored already stay as they are. */
  add(rows: readonly NewRow<Row>[]): void {
    if (rows.length === 0) return;
    this.#create();
    const { name, key, columns } = this.#definition;
    const names = [key, ...columns, "next_at"];
    const values = names.map(() => "?").join(", ");
    const insert = `insert into ${name} (${names.join(", ")}) values (${values}) on conflict do nothing`;
    for (const row of rows) {
      this.#sql.exec(insert, row.key, ...columns.map((it): string | null => row[it]), row.at ?? 0);
    }
  }

  /** What is due at `now` (epoch ms), what waits longest first; of much a part. */
  due(now: number): readonly TableRow<Row>[] {
    if (!this.#exists()) return [];
    const { name, key, columns } = this.#definition;
    const cells = columns.map((it) => `, ${it}`).join("");
    return this.#sql
      .exec<TableRow<Row>>(
        `select ${key} as key, attempts, next_at as nextAt${cells} from ${name}
          where next_at <= ? order by next_at, rowid limit ${MAX_PER_SEND}`,
        now,
      )
      .toArray();
  }

  update(rows: readonly TableRow<Row>[]): void {
    const { name, key } = this.#definition;
    for (const row of rows) {
      this.#sql.exec(
        `update ${name} set attempts = ?, next_at = ? where ${key} = ?`,
        row.attempts,
        row.nextAt,
        row.key,
      );
    }
  }

  /** Removes rows whose effects are confirmed. */
  confirm(keys: readonly string[]): void {
    this.#delete(this.#definition.key, keys);
  }

  /** Removes the rows with this text in a column: their effect is not wanted any more. */
  withdraw(column: keyof Row & string, text: string): void {
    this.#delete(column, [text]);
  }

  #delete(column: string, values: readonly string[]): void {
    if (!this.#exists()) return;
    this.#sql.exec(
      `delete from ${this.#definition.name} where ${column} in (select value from json_each(?))`,
      JSON.stringify(values),
    );
  }

  /** How many rows are not confirmed. */
  size(): number {
    if (!this.#exists()) return 0;
    const query = `select count(*) as size from ${this.#definition.name}`;
    return this.#sql.exec<{ size: number }>(query).one().size;
  }

  /** When the next row is due (epoch ms); null: there is none. */
  nextAt(): number | null {
    if (!this.#exists()) return null;
    const query = `select min(next_at) as at from ${this.#definition.name}`;
    return this.#sql.exec<{ at: number | null }>(query).one().at;
  }
}
