// The statements for a page of any kind of record, and its total.
import { type SQL, sql } from "drizzle-orm";
import { selectList } from "./attributes.ts";
import { idConditions } from "./dated-filters.ts";
import { foldedTotal, rowsOf } from "./folded-totals.ts";
import type { ListQuery } from "./list-query.ts";
import { type Narrowed, presentRecord, type Records } from "./records.ts";
import { containsFolded } from "./search.ts";
import { type Select, select } from "./select.ts";
import { listTotals } from "./tables.ts";

/** The condition of the records that a query matches, within the scope. */
export function listConditions(
  records: Records,
  accountId: string,
  query: ListQuery,
  narrowed: Narrowed | null,
  scope?: SQL,
): SQL {
  const all: SQL[] = [sql`${records.accountId} = ${accountId}`];
  if (narrowed) all.push(narrowed.condition);
  if (scope) all.push(scope);
  all.push(...query.filters.map((filter) => filter.condition));
  if (records.datedById) all.push(...idConditions(records.id, query.filters));
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
  const page = sql`select ${selectList(records.attributes)} ${pageOf(records, accountId, query, scope)}`;
  return { getSQL: () => page, toRow: (row) => presentRecord(records, row) };
}

/** The ids of a page of records, a select. */
export const selectPageIds = (
  records: Records,
  accountId: string,
  query: ListQuery,
  scope?: SQL,
): SQL => sql`select ${records.id} ${pageOf(records, accountId, query, scope)}`;

/** The rest of a select of a page, after its list. */
function pageOf(records: Records, accountId: string, query: ListQuery, scope?: SQL): SQL {
  const direction = query.ascending ? sql`asc` : sql`desc`;
  const narrowed = records.narrow?.(accountId, query.filters) ?? null;
  const isById = records.datedById && query.sort === records.attributes.created_at?.sql;
  const order = isById ? sql`` : sql`${query.sort} ${direction},`;
  return sql`from ${narrowed?.from?.tables ?? records.from}
    where ${listConditions(records, accountId, query, narrowed, scope)}
    order by ${order} ${narrowed?.from?.id ?? records.id} ${direction}
    limit ${query.limit} offset ${query.offset}`;
}

/**
 * The rest of a select of the records that match, after its list: in the order and the tables of the
 * list, without its limit.
 */
export function selectMatching(
  records: Records,
  accountId: string,
  query: ListQuery,
  scope: SQL,
  most: number,
): SQL {
  const narrowed = records.narrow?.(accountId, query.filters) ?? null;
  return sql`from ${narrowed?.from?.tables ?? records.from}
    where ${listConditions(records, accountId, query, narrowed, scope)}
    order by ${narrowed?.from?.id ?? records.id} desc limit ${most}`;
}

const keptTotal = (total: NonNullable<Records["total"]>, accountId: string): SQL<number> =>
  typeof total === "string"
    ? sql`coalesce((select ${listTotals.total} from ${listTotals}
        where ${listTotals.accountId} = ${accountId} and ${listTotals.name} = ${total}), 0)`
    : (sql.join(
        total.map((table) => foldedTotal(rowsOf(table), accountId)),
        sql` + `,
      ) as SQL<number>);

/** How many records the page is taken from: from the kept totals where they know it. */
export function selectTotal(
  records: Records,
  accountId: string,
  query: ListQuery,
  scope?: SQL,
): Select<{ readonly total: number }> {
  const isPlain = !scope && query.search === null;
  const narrowed = records.narrow?.(accountId, query.filters) ?? null;
  if (records.total && isPlain && narrowed === null && query.filters.length === 0)
    return select({ total: sql<number>`${keptTotal(records.total, accountId)}` }, sql``);
  if (isPlain && narrowed?.total) return select({ total: sql<number>`${narrowed.total}` }, sql``);
  return select(
    { total: sql<number>`count(*)` },
    sql`from ${narrowed?.from?.tables ?? records.from}
      where ${listConditions(records, accountId, query, narrowed, scope)}`,
  );
}
