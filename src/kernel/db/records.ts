// What every kind of record has, and the statement for one by its identifier. Pages are in `record-lists.ts`.
import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Identifier, RecordKind } from "../../domain/shared/identifiers.ts";
import type { AnswerName, AnswerNamed } from "../contract/answers.ts";
import {
  type Attributes,
  type AttributesOf,
  present,
  type RawRow,
  selectList,
} from "./attributes.ts";
import type { CountedTable } from "./folded-totals.ts";
import { identified } from "./identified.ts";
import type { Filter } from "./list-query.ts";
import type { Select } from "./select.ts";

/** One kind of record: where its rows are, and what they show. Of a kind that is named, every field and no other. */
export type Records<Name extends AnswerName = AnswerName> = {
  readonly kind: RecordKind;
  /** Its name in the contract. */
  readonly shows: Name;
  /** The table with its joins, as it stands after `from`. */
  readonly from: SQLWrapper;
  readonly accountId: SQLWrapper;
  readonly id: SQLWrapper;
  readonly prefixId: SQLWrapper;
  readonly attributes: AnswerName extends Name ? Attributes : AttributesOf<AnswerNamed<Name>>;
  /** The attributes that the history records with their values, so that an undo restores them. */
  readonly restored?: readonly string[];
  /** What `q` looks into. */
  readonly search: readonly SQLWrapper[];
  /**
   * The name of the kept total, or the tables whose folded totals it is the sum of. Absent: the
   * records are listed only below their parent, and counted.
   */
  readonly total?: string | readonly CountedTable[];
  /** True if `created_at` is the instant in `id`: the index of ids serves its order and filters. */
  readonly datedById?: boolean;
  /** How a page with these filters is found without reading other rows; null = as any. */
  readonly narrow?: (accountId: string, filters: readonly Filter[]) => Narrowed | null;
};

/** Where a page's rows are, more narrowly than its filters tell the database. */
export type Narrowed = {
  /** Tables instead of the usual ones, and the column there that is the records' id. */
  readonly from?: { readonly tables: SQLWrapper; readonly id: SQLWrapper };
  /** What follows from the filters: it names an index. */
  readonly condition: SQL;
  /** The number of records, if it is known otherwise than by counting the filtered ones. */
  readonly total?: SQL;
};

/** A row of these records as answers show it: what its attributes are typed to make. */
export function presentRecord<Name extends AnswerName>(
  records: Records<Name>,
  row: RawRow,
): AnswerNamed<Name>;
export function presentRecord(records: Records, row: RawRow): Record<string, unknown> {
  return present(records.attributes, row);
}

/** Where a kind's rows are: enough to find one by its identifier. */
export type Whereabouts = Pick<Records, "kind" | "from" | "accountId" | "id" | "prefixId">;

/** Where a kind's rows are that have a table of their own. */
export const recordsIn = (kind: RecordKind, table: RecordTable): Whereabouts => ({
  kind,
  from: table,
  accountId: table.accountId,
  id: table.id,
  prefixId: table.prefixId,
});

/** The id of this identifier's record, a select of one row or none. */
export function selectId(place: Whereabouts, accountId: string, identifier: Identifier): SQL {
  return sql`select ${place.id} as id from ${place.from}
    where ${place.accountId} = ${accountId} and ${identified(place, identifier)}`;
}

/** The record of this identifier in this account, if it is within the scope. */
export function selectOne(
  records: Records,
  accountId: string,
  identifier: Identifier,
  scope?: SQL,
): SQL {
  return sql`select ${selectList(records.attributes)} from ${records.from}
    where ${records.accountId} = ${accountId} and ${identified(records, identifier)}
      ${scope ? sql`and ${scope}` : sql``}`;
}

/** The same, with its rows typed: the record as answers show it. */
export function selectRecord<Name extends AnswerName>(
  records: Records<Name>,
  accountId: string,
  identifier: Identifier,
  scope?: SQL,
): Select<AnswerNamed<Name>> {
  const query = selectOne(records, accountId, identifier, scope);
  return { getSQL: () => query, toRow: (row) => presentRecord(records, row) };
}

/** All records of an account that are within the scope, in the order of their ids. */
export function selectEvery<Name extends AnswerName>(
  records: Records<Name>,
  accountId: string,
  scope?: SQL,
): Select<AnswerNamed<Name>> {
  const query = sql`select ${selectList(records.attributes)} from ${records.from}
    where ${records.accountId} = ${accountId} ${scope ? sql`and ${scope}` : sql``} order by ${records.id}`;
  return { getSQL: () => query, toRow: (row) => presentRecord(records, row) };
}

type RecordTable = SQLiteTable &
  Record<"id" | "prefixId" | "accountId" | "updatedAt", SQLiteColumn>;

/** `id = …` or `prefix_id = …` within an account: the condition of every write to one record. */
export function oneRecord(table: RecordTable, accountId: string, identifier: Identifier): SQL {
  return and(eq(table.accountId, accountId), identified(table, identifier)) as SQL;
}
