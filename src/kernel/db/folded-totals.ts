// Totals of tables whose ids carry the time. Their rows are not counted one by one, which would
// write a row each: `list_totals` has the number of rows up to an id, and readers count the later
// ones. Now and then a writer folds the later ones into the total. A row inserted late, below that
// id, is counted by a trigger; a deletion is subtracted explicitly.
import { getTableName, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { firstIdentifierAt } from "../../domain/shared/retention.ts";
import { listTotals } from "./tables.ts";

/** Rows younger than this are not folded (ms): later ones may still be inserted among them. */
const FOLD_LAG_MS = 60_000;
/** Number of rows worth the write of the total. */
const FOLD_ROWS = 100;

export type CountedTable = SQLiteTable & Record<"id" | "accountId", SQLiteColumn>;

/** Rows that are counted by account, and by the values of another column if one is given. */
export type Counted = {
  readonly table: SQLiteTable;
  readonly accountId: SQLiteColumn;
  /** The column of the ids that carry the time. */
  readonly id: SQLiteColumn;
  readonly key?: SQLiteColumn;
};

/** All rows of a table, by account. */
export const rowsOf = (table: CountedTable): Counted => ({
  table,
  accountId: table.accountId,
  id: table.id,
});

/** The name of a total; `key`: a value of the column that its rows have in common. */
export const totalName = ({ table }: Counted, key?: SQLWrapper): SQL =>
  key ? sql`${sql.raw(`'${getTableName(table)}:'`)} || ${key}` : sql`${getTableName(table)}`;

/** The number of an account's rows: the total, and the rows that it does not contain yet. */
export function foldedTotal(counted: Counted, account: string, key?: SQLWrapper): SQL {
  const { table, accountId, id } = counted;
  const stored = (
    column: SQLWrapper,
    none: SQL,
  ) => sql`coalesce((select ${column} from ${listTotals}
    where ${listTotals.accountId} = ${account} and ${listTotals.name} = ${totalName(counted, key)}), ${none})`;
  return sql`(${stored(listTotals.total, sql`0`)} + (select count(*) from ${table}
    where ${accountId} = ${account} ${key ? sql`and ${counted.key} = ${key}` : sql``}
      and ${id} > ${stored(listTotals.countedTo, sql`''`)}))`;
}

/**
 * Counts rows that are older than a minute, where at least 100 of them are not counted yet. To be
 * appended to a batch that inserts rows; with fewer rows it reads those and writes nothing. The order
 * of the tables is given: the planner would read the rows of all totals.
 *
 * @param totals a select of the totals' `account_id`, `name` and, of counted rows with one, `key`
 * @param now epoch ms
 */
export function fold({ table, accountId, id, key }: Counted, totals: SQL, now: number): SQL {
  const until = firstIdentifierAt(now - FOLD_LAG_MS);
  return sql`insert into ${listTotals} (account_id, name, total, counted_to)
    select named.account_id, named.name, count(*), ${until}
      from (${totals}) as named
        left join ${listTotals} as counted on counted.account_id = named.account_id
          and counted.name = named.name
        cross join ${table} on ${accountId} = named.account_id
          ${key ? sql`and ${key} = named.key` : sql``}
          and ${id} > coalesce(counted.counted_to, '') and ${id} <= ${until}
      where true group by 1, 2 having count(*) >= ${FOLD_ROWS}
    on conflict (account_id, name) do update
      set total = list_totals.total + excluded.total, counted_to = excluded.counted_to`;
}

/** Counts the rows of one account. */
export function foldTotal(table: CountedTable, account: string, now: number): SQL {
  const counted = rowsOf(table);
  return fold(counted, sql`select ${account} as account_id, ${totalName(counted)} as name`, now);
}

/**
 * Counts the rows of all accounts, also where none has been inserted for a while.
 *
 * @param accounts the table of the accounts
 * @param now epoch ms
 */
export function foldTotals(
  table: CountedTable,
  accounts: SQLiteTable & Record<"id", SQLiteColumn>,
  now: number,
): SQL {
  const counted = rowsOf(table);
  const totals = sql`select ${accounts.id} as account_id, ${totalName(counted)} as name
    from ${accounts}`;
  return fold(counted, totals, now);
}

/**
 * Subtracts rows that are about to be deleted. To be put before the delete, in the same batch.
 *
 * @param deleted the condition of the delete, of one account or of several
 */
export function uncount(counted: Counted, deleted: SQL): SQL {
  const { table, accountId, id, key } = counted;
  const name = totalName(counted, key);
  return sql`update ${listTotals} set total = total - gone.rows
    from (select ${accountId} as account_id, ${name} as name, count(*) as rows from ${table}
        join ${listTotals} as counted on counted.account_id = ${accountId}
          and counted.name = ${name} and ${id} <= counted.counted_to
      where ${deleted} group by 1, 2) as gone
    where ${listTotals.accountId} = gone.account_id and ${listTotals.name} = gone.name`;
}
