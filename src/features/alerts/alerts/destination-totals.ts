// The number of alerts of a team or a person (`kernel/db/folded-totals.ts`).
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type Counted, fold, totalName } from "../../../kernel/db/folded-totals.ts";
import { alertDestinations } from "../../schema/alerts.ts";
import { teams } from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";

const { accountId, destinationId, alertId } = alertDestinations;

/** The alerts of each destination. */
export const DESTINATION_ALERTS: Counted = {
  table: alertDestinations,
  accountId,
  id: alertId,
  key: destinationId,
};

/** Counts the alerts of these destinations of an account. */
export function foldDestinations(account: string, ids: readonly string[], now: number): SQL {
  const totals = sql`select ${account} as account_id, value as key,
    ${totalName(DESTINATION_ALERTS, sql`value`)} as name from json_each(${JSON.stringify(ids)})`;
  return fold(DESTINATION_ALERTS, totals, now);
}

/** Counts the alerts of the teams and people of all accounts. */
export function foldAllDestinations(now: number): SQL {
  const totals = sql`select account_id, id as key,
      ${totalName(DESTINATION_ALERTS, sql`id`)} as name
    from (select ${teams.accountId} as account_id, ${teams.id} as id from ${teams}
      union all select ${accountUsers.accountId}, ${accountUsers.id} from ${accountUsers})`;
  return fold(DESTINATION_ALERTS, totals, now);
}

/**
 * The number of its alerts that it was named for, but that never came to it. The index is named: the
 * planner would read all rows of the destination.
 */
export const notEscalatedTotal = (account: string, destination: SQLWrapper): SQL =>
  sql`(select count(*) from ${alertDestinations} indexed by alert_destinations_not_escalated
    where ${accountId} = ${account} and ${destinationId} = ${destination}
      and not ${alertDestinations.escalated})`;
