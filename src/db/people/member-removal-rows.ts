// Removed account users: a trigger writes a row with the removal, and it is deleted once the open
// alerts that notify the person have been informed.
import { type SQL, sql } from "drizzle-orm";
import type { RemovedMember } from "../../domain/alerts/commands.ts";
import type { RawRow } from "../records/attributes.ts";
import { alerts, alertWorkflows } from "../schema/alerts.ts";
import { memberRemovals } from "../schema/bookkeeping.ts";
import { accountUsers } from "../schema/people.ts";
import { type Connection, statement } from "../shared/database.ts";

export type MemberRemoval = RemovedMember & {
  readonly accountId: string;
  /** The `prefix_id`s of the open alerts that notify them, as projected in D1. */
  readonly alerts: readonly string[];
};

/** Reads removals that are still to be announced, of one account (null: of all), at most `most`. */
export async function readMemberRemovals(
  db: Connection,
  accountId: string | null,
  most: number,
): Promise<MemberRemoval[]> {
  const ofAccount =
    accountId === null ? sql`true` : sql`${memberRemovals.accountId} = ${accountId}`;
  const asking = sql`(select json_group_array(distinct ${alerts.prefixId}) from ${alertWorkflows}
      join ${alerts} on ${alerts.id} = ${alertWorkflows.alertId}
    where ${alertWorkflows.state} = 'open' and ${alertWorkflows.accountId} = ${memberRemovals.accountId}
      and exists (select 1 from json_each(${alertWorkflows.accountUserIds}) as asked
        where asked.value = ${memberRemovals.id}))`;
  const query = sql`select ${memberRemovals.id} as id, ${memberRemovals.accountId} as account_id,
      ${memberRemovals.name} as name, ${asking} as alerts
    from ${memberRemovals} where ${ofAccount} limit ${most}`;
  const { results } = await statement(db, query).all<RawRow>();
  return results.map((row) => ({
    accountUserId: String(row.id),
    accountId: String(row.account_id),
    name: String(row.name),
    alerts: JSON.parse(String(row.alerts)) as string[],
  }));
}

export const deleteMemberRemovals = (ids: readonly string[]): SQL =>
  sql`delete from ${memberRemovals}
    where ${memberRemovals.id} in (select value from json_each(${JSON.stringify(ids)}))`;

/**
 * Selects those of the account users who are no longer in the account. An alert checks this with
 * each projection: its recipients were read earlier, and a removal in between would otherwise be
 * missed.
 */
export const selectRemoved = (accountId: string, ids: readonly string[]): SQL =>
  sql`select asked.value as removed_id, ${memberRemovals.name} as name
    from json_each(${JSON.stringify(ids)}) as asked
      left join ${memberRemovals} on ${memberRemovals.id} = asked.value
    where not exists (select 1 from ${accountUsers}
      where ${accountUsers.id} = asked.value and ${accountUsers.accountId} = ${accountId})`;

/** Converts the rows of `selectRemoved`. */
export const toRemoved = (rows: readonly RawRow[] | undefined): RemovedMember[] =>
  (rows ?? []).map((row) => ({
    accountUserId: String(row.removed_id),
    name: row.name === null ? "somebody" : String(row.name),
  }));
