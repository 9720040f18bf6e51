// Selects whose rows are typed. The select list names columns and `sql<Type>` expressions; the rest
// of the statement is SQL. Columns read as their schema says (JSON, booleans, enums). Of an
// expression SQLite returns text, a number or null: `truth` and `parsed` make booleans and JSON.
import { type Column, is, SQL, type SQLWrapper, sql } from "drizzle-orm";
import { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { RawRow, Selected } from "./attributes.ts";
import { itemsOf } from "./compile.ts";
import { type Connection, statement } from "./database.ts";

/** A select list: what to select, by the name that it gets in the row. */
type SelectList = Readonly<Record<string, Column | SQL>>;

/** A row of a select list. */
export type RowOf<List extends SelectList> = {
  readonly [Name in keyof List]: Selected<List[Name]>;
};

/** A select, and how a row of it reads. */
export type Select<Row> = SQLWrapper & { readonly toRow: (raw: RawRow) => Row };

/** A condition as a boolean; null, which is unknown to SQLite, is false. */
export function truth(condition: SQLWrapper): SQL<boolean> {
  return sql`((${condition}) is true)`.mapWith((value: unknown) => value === 1);
}

/** An expression that yields JSON, as what it parses to; null stays null. */
export function parsed<Value>(expression: SQLWrapper): SQL<Value> {
  return sql`${expression}`.mapWith((value: string) => JSON.parse(value) as Value);
}

type Reader = (value: unknown) => unknown;

/** How a value other than null reads. */
function readerOf(source: Column | SQL): Reader {
  if (is(source, SQLiteColumn)) return (value) => source.mapFromDriverValue(value);
  if (!is(source, SQL)) return (value) => value;
  const decoder = decoderOf(source);
  return (value) => decoder.mapFromDriverValue(value);
}

/** Drizzle stores the function given to `mapWith` here, and declares it internal. */
const decoderOf = (expression: SQL) =>
  (expression as SQL & { decoder: { mapFromDriverValue: (value: unknown) => unknown } }).decoder;

/**
 * A typed select.
 *
 * @param list what to select, by name
 * @param rest the statement after the list: `from …`
 */
export function select<const List extends SelectList>(list: List, rest: SQL): Select<RowOf<List>>;
export function select(list: SelectList, rest: SQL): Select<unknown> {
  return typed(sql`select ${itemsOf(list)} ${rest}`, rowReader(list));
}

/** An insert, update or delete that returns columns of the rows that it writes. */
export function returning<const List extends SelectList>(
  write: SQL,
  list: List,
): Select<RowOf<List>>;
export function returning(write: SQL, list: SelectList): Select<unknown> {
  return typed(sql`${write} returning ${itemsOf(list)}`, rowReader(list));
}

/** The same select, with each row converted. */
export function mapped<Row, Result>(
  query: Select<Row>,
  convert: (row: Row) => Result,
): Select<Result> {
  return typed(query.getSQL(), (raw) => convert(query.toRow(raw)));
}

const typed = <Row>(query: SQL, toRow: Select<Row>["toRow"]): Select<Row> => ({
  getSQL: () => query,
  // Within a statement it stands as it is, like SQL.
  shouldOmitSQLParens: () => true,
  toRow,
});

/** Reads rows of a list. What its sources are is found out once, at the first row. */
function rowReader(list: SelectList): (raw: RawRow) => unknown {
  let readers: readonly (readonly [string, Reader])[] | null = null;
  const read = (reader: Reader, value: unknown) =>
    value === null || value === undefined ? null : reader(value);
  return (raw) => {
    readers ??= Object.entries(list).map(([name, it]) => [name, readerOf(it)]);
    return Object.fromEntries(readers.map(([name, reader]) => [name, read(reader, raw[name])]));
  };
}

/** The rows of a select. */
export async function all<Row>(db: Connection, query: Select<Row>): Promise<Row[]> {
  const { results } = await statement(db, query).all<RawRow>();
  return results.map(query.toRow);
}

/** The first row of a select; null if there is none. */
export async function first<Row>(db: Connection, query: Select<Row>): Promise<Row | null> {
  const row = await statement(db, query).first<RawRow>();
  return row && query.toRow(row);
}

export type RowsOf<Queries extends readonly (SQLWrapper | null)[]> = {
  -readonly [At in keyof Queries]: NonNullable<Queries[At]> extends Select<infer Row>
    ? readonly Row[]
    : readonly RawRow[];
};

/**
 * Runs statements in one transaction, in one round trip.
 *
 * @param queries null stands for a statement that is not needed: it is not sent and has no rows
 * @returns the rows of each: typed for a `Select`, raw for anything else
 */
export async function batch<const Queries extends readonly (SQLWrapper | null)[]>(
  db: Connection,
  queries: Queries,
): Promise<RowsOf<Queries>>;
export async function batch(
  db: Connection,
  queries: readonly (SQLWrapper | null)[],
): Promise<unknown[]> {
  return (await send(db, queries)).rows;
}

type Measured<Rows> = {
  readonly rows: Rows;
  readonly bytes: number | null;
  readonly rowsRead: number;
};

/**
 * Like `batch`, with the size of the database after it and the rows that it read.
 *
 * @returns `bytes`: the pages in use, as D1 reports them; null if it does not
 */
export async function measuredBatch<const Queries extends readonly (SQLWrapper | null)[]>(
  db: Connection,
  queries: Queries,
): Promise<Measured<RowsOf<Queries>>>;
export async function measuredBatch(
  db: Connection,
  queries: readonly (SQLWrapper | null)[],
): Promise<Measured<unknown[]>> {
  return send(db, queries);
}

async function send(db: Connection, queries: readonly (SQLWrapper | null)[]) {
  const sent = queries.filter((query) => query !== null);
  const results = await db.batch<RawRow>(sent.map((query) => statement(db, query)));
  const answers = results.values();
  const rows = queries.map((query) => {
    if (query === null) return [];
    const found = answers.next().value?.results ?? [];
    return isSelect(query) ? found.map(query.toRow) : found;
  });
  const rowsRead = results.reduce((sum, { meta }) => sum + (meta.rows_read ?? 0), 0);
  return { rows, bytes: results.at(-1)?.meta.size_after ?? null, rowsRead };
}

const isSelect = (query: SQLWrapper): query is Select<unknown> => "toRow" in query;
