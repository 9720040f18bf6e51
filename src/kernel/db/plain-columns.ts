// The columns that the fields of a body set because they have their names.
import { type Column, getTableColumns } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { own } from "../../domain/shared/own.ts";

/** `time_zone` → `timeZone`, as the schema names the column. */
type Property<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Property<Rest>>}`
  : Name;

/** Set by the service alone. */
type OwnName = "id" | "created_at" | "updated_at";
const OWN_NAMES: readonly string[] = ["id", "created_at", "updated_at"] satisfies OwnName[];

/** A text or a list of this name is found first: an identifier may have either form. */
type IdentifierName = `${string}_id` | `${string}_ids`;
const IDENTIFIER_NAME = /_ids?$/;

type Insert<Table extends SQLiteTable> = Table["$inferInsert"];

type PlainName<Table extends SQLiteTable, Body> = {
  [Name in keyof Body & string]: Name extends OwnName
    ? never
    : Property<Name> extends keyof Insert<Table>
      ? Name extends IdentifierName
        ? NonNullable<Insert<Table>[Property<Name>]> extends boolean | number
          ? Name
          : never
        : Name
      : never;
}[keyof Body & string];

type PlainColumns<Table extends SQLiteTable, Body, Name extends keyof Body & string> = {
  -readonly [Each in Name as Property<Each>]?: null extends Insert<Table>[Property<Each> &
    keyof Insert<Table>]
    ? Body[Each]
    : Exclude<Body[Each], null>;
};

/** Whether a column can be set as it is given. */
function isPlain({ name, dataType }: Column): boolean {
  if (OWN_NAMES.includes(name)) return false;
  return !IDENTIFIER_NAME.test(name) || dataType === "boolean" || dataType === "number";
}

/**
 * The columns of a table that have the names of a body's fields, but for those excepted. A field that is
 * absent, and null for a column that is never null, change nothing.
 */
export function plainColumns<
  Table extends SQLiteTable,
  Body extends object,
  Except extends PlainName<Table, Body> = never,
>(
  table: Table,
  body: Body,
  ...except: readonly Except[]
): PlainColumns<Table, Body, Exclude<PlainName<Table, Body>, Except>>;
export function plainColumns(table: SQLiteTable, body: object, ...except: readonly string[]) {
  const columns = Object.entries(getTableColumns(table)).flatMap(([property, column]) => {
    const value = own(body as Readonly<Record<string, unknown>>, column.name);
    const isTaken = isPlain(column) && !except.includes(column.name);
    const isSet = value !== undefined && !(value === null && column.notNull);
    return isTaken && isSet ? [[property, value] as const] : [];
  });
  return Object.fromEntries(columns);
}
