// The three statements that every kind of record needs: one by its identifier, and a page with its total.
import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { AnswerName, AnswerNamed } from "../../contract/answers.ts";
import type { Identifier, RecordKind } from "../../domain/shared/identifiers.ts";
import { listTotals } from "../schema/bookkeeping.ts";
import { type Select, select } from "../shared/select.ts";
import {
  type Attributes,
  type AttributesOf,
  present,
  type RawRow,
  selectList,
} from "./attributes.ts";
import type { Filter, ListQuery } from "./list-query.ts";
import { containsFolded } from "./search.ts";

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
  /** What `q` looks into. */
  readonly search: readonly SQLWrapper[];
  /** The name of the kept total; with `totalsByStatus` also one per status. */
  readonly total: string;
  readonly totalsByStatus?: boolean;
};

/** A row of these records as answers show it: what its attributes are typed to make. */
export function presentRecord<Name extends AnswerName>(
  records: Records<Name>,
  row: RawRow,
): AnswerNamed<Name>;
export function presentRecord(records: Records, row: RawRow): Record<string, unknown> {
  return present(records.attributes, row);
}

/** `id = …` or `prefix_id = …`. */
export function identified(place: Pick<Records, "id" | "prefixId">, identifier: Identifier): SQL {
  const column = identifier.form === "id" ? place.id : place.prefixId;
  return sql`${column} = ${identifier.value}`;
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

function conditions(records: Records, accountId: string, query: ListQuery, scope?: SQL): SQL {
  const all: SQL[] = [sql`${records.accountId} = ${accountId}`];
  if (scope) all.push(scope);
  all.push(...query.filters.map((filter) => filter.condition));
  if (query.search !== null) all.push(containsFolded(records.search, query.search));
  return sql.join(all, sql` and `);
}

/** A page of records. */
export function selectPage(
  records: Records,
  accountId: string,
  query: ListQuery,
  scope?: SQL,
): Select<unknown> {
  const direction = query.ascending ? sql`asc` : sql`desc`;
  const page = sql`select ${selectList(records.attributes)} from ${records.from}
    where ${conditions(records, accountId, query, scope)}
    order by ${query.sort} ${direction}, ${records.id} ${direction}
    limit ${query.limit} offset ${query.offset}`;
  return { getSQL: () => page, toRow: (row) => presentRecord(records, row) };
}

function keptTotal(records: Records, filters: readonly Filter[]): string | null {
  if (filters.length === 0) return records.total;
  const only = filters.length === 1 ? filters[0] : undefined;
  const isStatus = only?.attribute === "status" && only.operation === "equals";
  return records.totalsByStatus && isStatus && only.values.length === 1
    ? `${records.total}:${only.values[0]}`
    : null;
}

/** How many records the page is taken from: from the kept totals where they know it. */
export function selectTotal(
  records: Records,
  accountId: string,
  query: ListQuery,
  scope?: SQL,
): Select<{ readonly total: number }> {
  const name = scope || query.search !== null ? null : keptTotal(records, query.filters);
  if (name !== null) {
    return select(
      { total: sql<number>`coalesce(max(${listTotals.total}), 0)` },
      sql`from ${listTotals}
        where ${listTotals.accountId} = ${accountId} and ${listTotals.name} = ${name}`,
    );
  }
  return select(
    { total: sql<number>`count(*)` },
    sql`from ${records.from} where ${conditions(records, accountId, query, scope)}`,
  );
}

type RecordTable = SQLiteTable &
  Record<"id" | "prefixId" | "accountId" | "updatedAt", SQLiteColumn>;

/** `id = …` or `prefix_id = …` within an account: the condition of every write to one record. */
export function oneRecord(table: RecordTable, accountId: string, identifier: Identifier): SQL {
  const column = identifier.form === "id" ? table.id : table.prefixId;
  return and(eq(table.accountId, accountId), eq(column, identifier.value)) as SQL;
}
