// The attributes that a record has because its table has columns of their names: texts, numbers,
// booleans and instants. Identifiers of other records and JSON say nothing of what they hold: a record
// describes them itself.
import { type Column, getTableColumns } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { AnswerName, AnswerNamed } from "../contract/answers.ts";
import {
  type AnyAttribute,
  type Attribute,
  boolean,
  type CommonColumns,
  commonAttributes,
  instant,
  number,
  type Selected,
  string,
} from "./attributes.ts";

type Columns<Table extends SQLiteTable> = Table["_"]["columns"];

type Common = keyof ReturnType<typeof commonAttributes>;

/** The name of a column that a record may show as it is; never of the others. */
type PlainName<Source extends Column> = Source["_"]["name"] extends Common
  ? never
  : Source["_"]["dataType"] extends "number" | "boolean"
    ? Source["_"]["name"]
    : Source["_"]["dataType"] extends "string"
      ? Exclude<Source["_"]["name"], `${string}_id` | `${string}_ids`>
      : never;

type PlainNames<Table extends SQLiteTable> = {
  [Property in keyof Columns<Table>]: PlainName<Columns<Table>[Property]>;
}[keyof Columns<Table>];

type OrNull<Source extends Column, Value> = null extends Selected<Source> ? Value | null : Value;

type PlainAttribute<Source extends Column> = Attribute<
  Source["_"]["dataType"] extends "number"
    ? Source["_"]["name"] extends `${string}_at`
      ? OrNull<Source, string>
      : Selected<Source>
    : Selected<Source>
>;

type PlainAttributes<Table extends SQLiteTable, Hidden> = {
  [Property in keyof Columns<Table> as Exclude<
    PlainName<Columns<Table>[Property]>,
    Hidden
  >]: PlainAttribute<Columns<Table>[Property]>;
} & ReturnType<typeof commonAttributes>;

/** The compiler names here each column that is neither an attribute of the contract nor hidden. */
type NoneForgotten<Forgotten> = [Forgotten] extends [never]
  ? unknown
  : { readonly neitherShownNorHidden: Forgotten };

/** Null for the identifier of another record, and for JSON. */
function plainAttribute(column: Column): AnyAttribute | null {
  switch (column.dataType) {
    case "string":
      return /_ids?$/.test(column.name) ? null : string(column);
    case "boolean":
      return boolean(column);
    case "number":
      return column.name.endsWith("_at") ? instant(column) : number(column);
    default:
      return null;
  }
}

/**
 * The common attributes of a record, and those of its table's columns; what a record describes after them
 * replaces them.
 *
 * @param shows the record's name in the contract
 * @param hidden the plain columns that the record does not show
 */
export function plainAttributes<
  Name extends AnswerName,
  Table extends SQLiteTable & CommonColumns,
  const Hidden extends PlainNames<Table> = never,
>(
  shows: Name,
  table: Table,
  hidden: readonly Hidden[] &
    NoneForgotten<Exclude<PlainNames<Table>, keyof AnswerNamed<Name> | Hidden>>,
): PlainAttributes<Table, Hidden>;
export function plainAttributes(
  _shows: AnswerName,
  table: SQLiteTable & CommonColumns,
  hidden: readonly string[],
) {
  const common = commonAttributes(table);
  const names = new Set<string>([...Object.keys(common), ...hidden]);
  const others = Object.values(getTableColumns(table)).flatMap((column) => {
    const attribute = names.has(column.name) ? null : plainAttribute(column);
    return attribute === null ? [] : [[column.name, attribute] as const];
  });
  return { ...common, ...Object.fromEntries(others) };
}
