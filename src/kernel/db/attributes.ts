// What a record shows: each attribute's SQL and kind, in one description that drives the select, the answer,
// the filters and the sorting. A resource that describes an attribute here needs to say nothing of it elsewhere.
import { type Column, type GetColumnData, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { itemsOf } from "./compile.ts";
import { identified, tablesOf } from "./identified.ts";

type AttributeKind =
  | "string"
  | "number"
  | "boolean"
  | "instant" // epoch ms in the table, ISO 8601 UTC in answers and filters
  | "list" // JSON list of scalars: filterable by "has this element"
  | "hash" // JSON object: filterable by `name.key`
  | "nested"; // JSON of records: shown, not filterable

/** How an attribute is selected, shown, filtered and sorted, whatever its value is. */
export type AnyAttribute = {
  readonly sql: SQLWrapper;
  readonly kind: AttributeKind;
  /** Turns a string or nested value, as its SQL made it, into what the record shows. */
  readonly show?: (value: unknown) => unknown;
  /** Turns a filter's value, as the caller wrote it, into what the SQL is compared with. */
  readonly filterValue?: (text: string) => string | SQLWrapper;
  /** What it is sorted by, where that is not the value itself. */
  readonly sortedBy?: SQLWrapper;
  /** Shown, but neither filtered nor sorted by. */
  readonly unfiltered?: boolean;
  /** Left out of a record whose row has null here: what this caller may not see of it. */
  readonly omittedWhenNull?: boolean;
};

declare const VALUE: unique symbol;
declare const NULLABLE: unique symbol;

/** An attribute whose value in answers has this type. The last two properties exist for the compiler alone. */
export type Attribute<Value> = AnyAttribute & {
  readonly [VALUE]?: Value;
  /** Makes "never null" and "may be null" two types, of which neither stands for the other. */
  readonly [NULLABLE]?: null extends Value ? "may be null" : "never null";
};

export type Attributes = Readonly<Record<string, AnyAttribute>>;

/** The attributes of a record that shows this: every one of its fields, of its type. */
export type AttributesOf<Shown> = {
  readonly [Name in keyof Shown]-?: Attribute<Exclude<Shown[Name], undefined>>;
};

/** What a select of this source yields: a column says so itself, an expression as `sql<string | null>`. */
export type Selected<Source> = Source extends Column
  ? GetColumnData<Source>
  : Source extends SQL<infer Value>
    ? Value
    : unknown;

/** The same, where null in the source is null in the answer. */
type OrNull<Source, Value> = null extends Selected<Source> ? Value | null : Value;

/** A row as a select of attributes yields it: raw SQL values by attribute name. */
export type RawRow = Readonly<Record<string, unknown>>;

export const string = <Source extends SQLWrapper>(source: Source): Attribute<Selected<Source>> => ({
  sql: source,
  kind: "string",
});

export const number = <Source extends SQLWrapper>(source: Source): Attribute<Selected<Source>> => ({
  sql: source,
  kind: "number",
});

export const boolean = <Source extends SQLWrapper>(
  source: Source,
): Attribute<Selected<Source>> => ({ sql: source, kind: "boolean" });

export const instant = <Source extends SQLWrapper>(
  source: Source,
): Attribute<OrNull<Source, string>> => ({ sql: source, kind: "instant" });

/** A JSON list of scalars; null in the source is an empty list. */
export const list = <Source extends SQLWrapper>(
  source: Source,
): Attribute<NonNullable<Selected<Source>>> => ({ sql: source, kind: "list" });

export const hash = <Source extends SQLWrapper>(source: Source): Attribute<Selected<Source>> => ({
  sql: source,
  kind: "hash",
});

/** JSON of records; `sql<…>` says what it parses to. */
export const nested = <Source extends SQLWrapper>(source: Source): Attribute<Selected<Source>> => ({
  sql: source,
  kind: "nested",
});

/** JSON of records that answers show otherwise than they are stored. */
export const nestedAs = <Source extends SQLWrapper, Shown>(
  source: Source,
  show: (value: Selected<Source>) => Shown,
): Attribute<Shown> => ({
  sql: source,
  kind: "nested",
  // The one place where parsed JSON gets the type that its SQL claims.
  show: (value) => show(value as Selected<Source>),
});

type Referable = SQLiteTable & Record<"id" | "prefixId" | "accountId", SQLiteColumn>;

/**
 * A column with the id of another record, filtered by either form of it.
 *
 * @param accountId the account column beside it
 * @param tables where the other record may be
 */
export const reference = <Source extends SQLWrapper>(
  source: Source,
  accountId: SQLWrapper,
  ...tables: readonly Referable[]
): Attribute<Selected<Source>> => ({
  sql: source,
  kind: "string",
  filterValue: (text) => {
    if (/^[0-9a-z]{26}$/i.test(text)) return text.toUpperCase();
    const identifier = { form: "prefix_id", value: text } as const;
    const found = tablesOf(tables, text).map(
      (table) => sql`(select ${table.id} from ${table}
        where ${table.accountId} = ${accountId} and ${identified(table, identifier)})`,
    );
    if (found.length === 0) return text;
    return sql`coalesce(${sql.join([...found, sql`${text}`], sql`, `)})`;
  },
});

/** A list of ids of other records, filtered by either form of one. */
export const references = <Source extends SQLWrapper>(
  source: Source,
  accountId: SQLWrapper,
  ...tables: readonly Referable[]
): Attribute<NonNullable<Selected<Source>>> => {
  const { filterValue } = reference(source, accountId, ...tables);
  return { ...list(source), ...(filterValue && { filterValue }) };
};

type ColumnOf<Data> = SQLiteColumn & {
  readonly _: { readonly data: Data; readonly notNull: true };
};

export type CommonColumns = {
  readonly id: ColumnOf<string>;
  readonly prefixId: ColumnOf<string>;
  readonly accountId: ColumnOf<string>;
  readonly createdAt: ColumnOf<number>;
  readonly updatedAt: ColumnOf<number>;
  readonly meta: ColumnOf<Record<string, unknown>>;
};

/** The attributes that every record of an account has (contract 1, Records). */
export function commonAttributes(table: SQLiteTable & CommonColumns) {
  return {
    id: string(table.id),
    prefix_id: string(table.prefixId),
    account_id: string(table.accountId),
    created_at: instant(table.createdAt),
    updated_at: instant(table.updatedAt),
    meta: hash(table.meta),
  };
}

/** The select lists of the attributes of records, which are constants. */
const lists = new WeakMap<Attributes, SQL>();

/** The select list: every shown attribute under its own name. */
export function selectList(attributes: Attributes): SQL {
  const known = lists.get(attributes);
  if (known !== undefined) return known;
  const shown = Object.entries(attributes).map(([name, it]) => [name, it.sql] as const);
  const list = itemsOf(Object.fromEntries(shown));
  lists.set(attributes, list);
  return list;
}

function parsed(value: unknown): unknown {
  return typeof value === "string" ? JSON.parse(value) : value;
}

function shown(attribute: AnyAttribute, value: unknown): unknown {
  if (value === null || value === undefined) return attribute.kind === "list" ? [] : null;
  switch (attribute.kind) {
    case "string":
      return attribute.show ? attribute.show(value) : value;
    case "number":
      return value;
    case "boolean":
      return value === true || value === 1;
    case "instant":
      return new Date(Number(value)).toISOString();
    case "list":
    case "hash":
      return parsed(value);
    case "nested":
      return attribute.show ? attribute.show(parsed(value)) : parsed(value);
  }
}

/** The record as answers show it. Takes a selected row, or an object's own snapshot in the same names. */
export function present(attributes: Attributes, row: RawRow): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [name, attribute] of Object.entries(attributes)) {
    const isOmitted = attribute.omittedWhenNull && row[name] == null;
    if (!isOmitted) record[name] = shown(attribute, row[name]);
  }
  return record;
}
