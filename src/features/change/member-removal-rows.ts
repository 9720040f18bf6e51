// Removed account users: a trigger writes a row with the removal, and it is deleted once the open
// alerts that notify the person have been informed.
import { type SQL, sql } from "drizzle-orm";
import type { RemovedMember } from "../../domain/alerts/commands.ts";
import type { Connection } from "../../kernel/db/database.ts";
import { all, parsed, type RowOf, type Select, select } from "../../kernel/db/select.ts";
import { alerts } from "../schema/alerts.ts";
import { memberRemovals } from "../schema/bookkeeping.ts";
import { accountUsers } from "../schema/people.ts";
import { alertWorkflows } from "../schema/views/alert-workflows.ts";

const removalColumns = {
  accountUserId: memberRemovals.id,
  accountId: memberRemovals.accountId,
  name: memberRemovals.name,
  /**
   * The `prefix_id`s of the open alerts that notify them, as projected in D1. "Not resolved" names the index: of
   * "open" alone SQLite does not know that these are in it, and reads all alerts of the account.
   */
  alerts: parsed<readonly string[]>(sql`(select json_group_array(${alerts.prefixId}) from ${alerts}
    where ${alerts.accountId} = ${memberRemovals.accountId}
      and ${alerts.status} <> 'resolved' and ${alerts.status} = 'open'
      and exists (select 1 from ${alertWorkflows}, json_each(${alertWorkflows.accountUserIds}) as asked
        where ${alertWorkflows.accountId} = ${alerts.accountId} and ${alertWorkflows.alertId} = ${alerts.id}
          and ${alertWorkflows.state} = 'open' and asked.value = ${memberRemovals.id}))`),
};

export type MemberRemoval = RowOf<typeof removalColumns>;

/** Reads removals that are still to be announced, of one account (null: of all), at most `most`. */
export function readMemberRemovals(
  db: Connection,
  accountId: string | null,
  most: number,
): Promise<MemberRemoval[]> {
  const ofAccount =
    accountId === null ? sql`true` : sql`${memberRemovals.accountId} = ${accountId}`;
  return all(
    db,
    select(removalColumns, sql`from ${memberRemovals} where ${ofAccount} limit ${most}`),
  );
}

export const deleteMemberRemovals = (ids: readonly string[]): SQL =>
  sql`delete from ${memberRemovals}
    where ${memberRemovals.id} in (select value from json_each(${JSON.stringify(ids)}))`;

const removedColumns = {
  accountUserId: sql<string>`asked.value`,
  name: sql<string>`coalesce(${memberRemovals.name}, 'somebody')`,
};

/**
 * Selects those of the account users who are no longer in the account. An alert checks this with
 * each projection: its recipients were read earlier, and a removal in between would otherwise be
 * missed.
 */
export const selectRemoved = (accountId: string, ids: readonly string[]): Select<RemovedMember> =>
  select(
    removedColumns,
    sql`from json_each(${JSON.stringify(ids)}) as asked
      left join ${memberRemovals} on ${memberRemovals.id} = asked.value
    where not exists (select 1 from ${accountUsers}
      where ${accountUsers.id} = asked.value and ${accountUsers.accountId} = ${accountId})`,
  );
