// The number of alerts of a team or a person: folded like the totals of whole tables
// (`records/folded-totals.ts`), under a name of the destination's own.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { firstIdentifierAt } from "../../domain/shared/retention.ts";
import { FOLD_LAG_MS, FOLD_ROWS } from "../records/folded-totals.ts";
import { alertDestinations } from "../schema/alerts.ts";
import { listTotals } from "../schema/bookkeeping.ts";
import { teams } from "../schema/oncall.ts";
import { accountUsers } from "../schema/people.ts";

const { accountId, destinationId, alertId } = alertDestinations;

const nameOf = (destination: SQLWrapper) => sql`'alert_destinations:' || ${destination}`;

/**
 * Counts the destinations' alerts that are older than a minute, if there are at least 100 new ones.
 * The order of the tables is given: the planner would read the alerts of all destinations.
 */
export function foldDestinations(account: string, ids: readonly string[], now: number): SQL {
  const until = firstIdentifierAt(now - FOLD_LAG_MS);
  return sql`insert into ${listTotals} (account_id, name, total, counted_to)
    select ${account}, ${nameOf(destinationId)}, count(*), ${until}
      from json_each(${JSON.stringify(ids)}) as named
        cross join ${alertDestinations} on ${accountId} = ${account}
          and ${destinationId} = named.value
          and ${alertId} <= ${until} and ${alertId} > coalesce((select counted.counted_to
            from ${listTotals} as counted where counted.account_id = ${account}
              and counted.name = ${nameOf(sql`named.value`)}), '')
      group by ${destinationId} having count(*) >= ${FOLD_ROWS}
    on conflict (account_id, name) do update
      set total = total + excluded.total, counted_to = excluded.counted_to`;
}

/** The same for the teams and people of all accounts. */
export function foldAllDestinations(now: number): SQL {
  const until = firstIdentifierAt(now - FOLD_LAG_MS);
  const all = sql`select ${teams.accountId} as account_id, ${teams.id} as id from ${teams}
    union all select ${accountUsers.accountId}, ${accountUsers.id} from ${accountUsers}`;
  return sql`insert into ${listTotals} (account_id, name, total, counted_to)
    select named.account_id, ${nameOf(sql`named.id`)}, count(*), ${until}
      from (${all}) as named
        left join ${listTotals} as counted on counted.account_id = named.account_id
          and counted.name = ${nameOf(sql`named.id`)}
        cross join ${alertDestinations} on ${accountId} = named.account_id
          and ${destinationId} = named.id
          and ${alertId} > coalesce(counted.counted_to, '') and ${alertId} <= ${until}
      where true group by 1, 2 having count(*) >= ${FOLD_ROWS}
    on conflict (account_id, name) do update
      set total = list_totals.total + excluded.total, counted_to = excluded.counted_to`;
}

/** Subtracts rows that are about to be deleted. To be put before the delete, in the same batch. */
export const uncountDestinations = (deleted: SQL): SQL =>
  sql`update ${listTotals} set total = total - gone.rows
    from (select ${accountId} as account_id, ${nameOf(destinationId)} as name, count(*) as rows
      from ${alertDestinations} join ${listTotals} as counted on counted.account_id = ${accountId}
        and counted.name = ${nameOf(destinationId)} and ${alertId} <= counted.counted_to
      where ${deleted} group by 1, 2) as gone
    where ${listTotals.accountId} = gone.account_id and ${listTotals.name} = gone.name`;

/** The number of a destination's alerts. */
export function destinationTotal(account: string, destination: SQLWrapper): SQL {
  const counted = (
    column: SQLWrapper,
    none: SQL,
  ) => sql`coalesce((select ${column} from ${listTotals}
    where ${listTotals.accountId} = ${account} and ${listTotals.name} = ${nameOf(destination)}), ${none})`;
  return sql`(${counted(listTotals.total, sql`0`)} + (select count(*) from ${alertDestinations}
    where ${accountId} = ${account} and ${destinationId} = ${destination}
      and ${alertId} > ${counted(listTotals.countedTo, sql`''`)}))`;
}

/**
 * The number of its alerts that it was named for, but that never came to it. The index is named: the
 * planner would read all rows of the destination.
 */
export const notEscalatedTotal = (account: string, destination: SQLWrapper): SQL =>
  sql`(select count(*) from ${alertDestinations} indexed by alert_destinations_not_escalated
    where ${accountId} = ${account} and ${destinationId} = ${destination}
      and not ${alertDestinations.escalated})`;
