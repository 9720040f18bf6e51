// What a record shows: each attribute's SQL and kind, in one description that drives the select, the answer,
// the filters and the sorting. A resource that describes an attribute here needs to say nothing of it elsewhere.
import { Column, is, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as shape from "./shape.ts";

type AttributeKind =
  | "string"
  | "number"
  | "boolean"
  | "instant" // epoch ms in the table, ISO 8601 UTC in answers and filters
  | "list" // JSON list of scalars: filterable by "has this element"
  | "hash" // JSON object: filterable by `name.key`
  | "nested"; // JSON of records: shown, not filterable

export type Attribute = {
  readonly sql: SQLWrapper;
  readonly kind: AttributeKind;
  /** What answers show of it, where kind and column do not tell. */
  readonly shape?: shape.Shape;
  /** It may be null. A column says so itself; an expression has to be told (`orNull`). */
  readonly nullable?: boolean;
  /** Turns a string or nested value, as its SQL made it, into what the record shows. */
  readonly show?: (value: unknown) => unknown;
  /** Turns a filter's value, as the caller wrote it, into what the SQL is compared with. */
  readonly filterValue?: (text: string) => string | SQLWrapper;
  /** Shown, but neither filtered nor sorted by. */
  readonly unfiltered?: boolean;
  /** Filtered and sorted by, but not shown: another name of a shown attribute. */
  readonly hidden?: boolean;
  /** Left out of a record whose row has null here: what this caller may not see of it. */
  readonly omittedWhenNull?: boolean;
};

export type Attributes = Readonly<Record<string, Attribute>>;

/** A row as a select of attributes yields it: raw SQL values by attribute name. */
export type RawRow = Readonly<Record<string, unknown>>;

export const string = (source: SQLWrapper): Attribute => ({ sql: source, kind: "string" });
export const number = (source: SQLWrapper): Attribute => ({ sql: source, kind: "number" });
export const boolean = (source: SQLWrapper): Attribute => ({ sql: source, kind: "boolean" });
export const instant = (source: SQLWrapper): Attribute => ({ sql: source, kind: "instant" });
export const list = (source: SQLWrapper, items: shape.Shape = shape.text): Attribute => ({
  sql: source,
  kind: "list",
  shape: shape.listOf(items),
});
export const hash = (source: SQLWrapper, described: shape.Shape = shape.hash): Attribute => ({
  sql: source,
  kind: "hash",
  shape: described,
});

/**
 * JSON of records.
 *
 * @param described what answers show, after `show`
 */
export const nested = (
  source: SQLWrapper,
  described: shape.Shape,
  show?: (value: unknown) => unknown,
): Attribute => ({ sql: source, kind: "nested", shape: described, ...(show && { show }) });

/** One of a few words. */
export const choice = (source: SQLWrapper, words: readonly string[]): Attribute => ({
  ...string(source),
  shape: shape.oneOf(words),
});

/** An expression that may come to null. */
export const orNull = (attribute: Attribute): Attribute => ({ ...attribute, nullable: true });

type Referable = SQLiteTable & Record<"id" | "prefixId" | "accountId", SQLiteColumn>;

/**
 * A column with the id of another record, filtered by either form of it.
 *
 * @param accountId the account column beside it
 * @param tables where the other record may be
 */
export const reference = (
  source: SQLWrapper,
  accountId: SQLWrapper,
  ...tables: readonly Referable[]
): Attribute => ({
  sql: source,
  kind: "string",
  filterValue: (text) => {
    if (/^[0-9a-z]{26}$/i.test(text)) return text.toUpperCase();
    if (!/^[a-z]{3}_/.test(text)) return text;
    const found = tables.map(
      (table) => sql`(select ${table.id} from ${table}
        where ${table.accountId} = ${accountId} and ${table.prefixId} = ${text})`,
    );
    return sql`coalesce(${sql.join([...found, sql`${text}`], sql`, `)})`;
  },
});

/** A list of ids of other records, filtered by either form of one. */
export const references = (...place: Parameters<typeof reference>): Attribute => ({
  ...reference(...place),
  kind: "list",
  shape: shape.listOf(shape.text),
});

/** The attributes that every record of an account has (contract 1, Records). */
export function commonAttributes(
  table: SQLiteTable &
    Record<"id" | "prefixId" | "accountId" | "createdAt" | "updatedAt" | "meta", SQLiteColumn>,
): Attributes {
  return {
    id: string(table.id),
    prefix_id: string(table.prefixId),
    account_id: string(table.accountId),
    created_at: instant(table.createdAt),
    updated_at: instant(table.updatedAt),
    meta: hash(table.meta),
  };
}

/** The select list: every shown attribute under its own name. */
export function selectList(attributes: Attributes): SQL {
  return sql.join(
    Object.entries(attributes)
      .filter(([, attribute]) => !attribute.hidden)
      .map(([name, attribute]) => sql`${attribute.sql} as ${sql.identifier(name)}`),
    sql`, `,
  );
}

const KINDS: Readonly<Record<AttributeKind, shape.Shape>> = {
  string: shape.text,
  number: shape.integer,
  boolean: shape.boolean,
  instant: shape.instant,
  list: shape.listOf(shape.text),
  hash: shape.hash,
  nested: shape.hash,
};

/** What answers show of an attribute. */
export function shapeOf({ sql: source, kind, show, ...attribute }: Attribute): shape.Shape {
  const column = is(source, Column) ? source : null;
  const words = show ? undefined : column?.enumValues;
  const described = attribute.shape ?? (words ? shape.oneOf(words) : KINDS[kind]);
  const nullable = attribute.nullable ?? (column !== null && !column.notNull);
  return nullable && kind !== "list" ? shape.orNull(described) : described;
}

function parsed(value: unknown): unknown {
  return typeof value === "string" ? JSON.parse(value) : value;
}

function shown(attribute: Attribute, value: unknown): unknown {
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
    const isOmitted = attribute.hidden || (attribute.omittedWhenNull && row[name] == null);
    if (!isOmitted) record[name] = shown(attribute, row[name]);
  }
  return record;
}
