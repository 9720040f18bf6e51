// Totals of tables whose ids carry the time. Their rows are not counted one by one, which would
// write a row each: `list_totals` has the number of rows up to an id, and readers count the later
// ones. Now and then a writer folds the later ones into the total. A row inserted late, below that
// id, is counted by a trigger; a deletion is subtracted explicitly.
import { getTableName, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { firstIdentifierAt } from "../../domain/shared/retention.ts";
import { listTotals } from "../schema/bookkeeping.ts";
import { accounts } from "../schema/people.ts";

/** Rows younger than this are not folded (ms): later ones may still be inserted among them. */
export const FOLD_LAG_MS = 60_000;
/** Number of rows worth the write of the total. */
export const FOLD_ROWS = 100;

export type CountedTable = SQLiteTable & Record<"id" | "accountId", SQLiteColumn>;

/** The number of an account's rows: the total, and the rows that it does not contain yet. */
export const foldedTotal = (table: CountedTable, accountId: string): SQL => {
  const name = getTableName(table);
  return sql`(coalesce((select ${listTotals.total} from ${listTotals}
      where ${listTotals.accountId} = ${accountId} and ${listTotals.name} = ${name}), 0)
    + (select count(*) from ${table} where ${table.accountId} = ${accountId}
      and ${table.id} > ${countedTo(accountId, name)}))`;
};

/** The id up to which an account's total has counted; empty before the first fold. */
const countedTo = (accountId: string, name: string): SQL =>
  sql`coalesce((select ${listTotals.countedTo} from ${listTotals}
    where ${listTotals.accountId} = ${accountId} and ${listTotals.name} = ${name}), '')`;

/**
 * Counts an account's rows that are older than a minute, if at least 100 of them are not counted
 * yet. To be appended to a batch that inserts rows; with fewer rows it reads those and writes
 * nothing.
 *
 * @param now epoch ms
 */
export function foldTotal(table: CountedTable, accountId: string, now: number): SQL {
  const name = getTableName(table);
  const until = firstIdentifierAt(now - FOLD_LAG_MS);
  return sql`insert into ${listTotals} (account_id, name, total, counted_to)
    select ${accountId}, ${name}, count(*), ${until} from ${table}
      where ${table.accountId} = ${accountId} and ${table.id} > ${countedTo(accountId, name)}
        and ${table.id} <= ${until}
      having count(*) >= ${FOLD_ROWS}
    on conflict (account_id, name) do update
      set total = total + excluded.total, counted_to = excluded.counted_to`;
}

/** The same for all accounts: for rows after which none was inserted for a while. */
export function foldTotals(table: CountedTable, now: number): SQL {
  const name = getTableName(table);
  const until = firstIdentifierAt(now - FOLD_LAG_MS);
  return sql`insert into ${listTotals} (account_id, name, total, counted_to)
    select ${accounts.id}, ${name}, count(*), ${until}
      from ${accounts} left join ${listTotals} as counted
          on counted.account_id = ${accounts.id} and counted.name = ${name}
        cross join ${table} on ${table.accountId} = ${accounts.id}
          and ${table.id} > coalesce(counted.counted_to, '') and ${table.id} <= ${until}
      where true group by ${accounts.id} having count(*) >= ${FOLD_ROWS}
    on conflict (account_id, name) do update
      set total = list_totals.total + excluded.total, counted_to = excluded.counted_to`;
}

/**
 * Subtracts rows that are about to be deleted. To be put before the delete, in the same batch.
 *
 * @param deleted the condition of the delete, of one account or of several
 */
export function uncountTotal(table: CountedTable, deleted: SQL): SQL {
  const name = getTableName(table);
  return sql`update ${listTotals} set total = total - gone.rows
    from (select ${table.accountId} as account_id, count(*) as rows from ${table}
        join ${listTotals} as counted on counted.account_id = ${table.accountId}
          and counted.name = ${name} and ${table.id} <= counted.counted_to
      where ${deleted} group by ${table.accountId}) as gone
    where ${listTotals.accountId} = gone.account_id and ${listTotals.name} = ${name}`;
}
