// How pages of alerts are found without reading others: by status in the index of unresolved alerts,
// by team or person through the rows of their alerts.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { foldedTotal, rowsOf } from "../../../kernel/db/folded-totals.ts";
import type { Filter } from "../../../kernel/db/list-query.ts";
import type { Narrowed } from "../../../kernel/db/records.ts";
import { alertDestinations, alerts } from "../../schema/alerts.ts";
import { teams } from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";
import { DESTINATION_ALERTS, notEscalatedTotal } from "./destination-totals.ts";

/** Further names of filters. */
export const ALERT_ALIASES = { tag_list: "tags", "meta.incident": "incident" };

/** The status that is not in the index: most alerts have it. */
const UNINDEXED = "resolved";

/** The filters by a destination, and where destinations of that kind are. */
const DESTINATIONS = [
  ["destination_team_ids", teams],
  ["destination_account_user_ids", accountUsers],
] as const;

/** As the index names its rows. */
const isIndexed = sql`${alerts.status} <> 'resolved'`;

/** The one filter, if it is one that asks for a single value. */
function onlyValueOf(filters: readonly Filter[], attribute: string): string | null {
  const found = filters.filter((it) => it.attribute === attribute);
  const [only] = found;
  if (only?.operation !== "equals" && only?.operation !== "contains") return null;
  return found.length === 1 && only.values.length === 1 ? (only.values[0] ?? null) : null;
}

/** The alerts of a destination, latest first by the second column of the primary key. */
const alertsOf = (accountId: string, destinationId: SQLWrapper, isOnly: boolean): Narrowed => ({
  from: {
    // The order of the tables is given: the planner does not know how few rows the first has.
    tables: sql`${alertDestinations} cross join ${alerts}
      on ${alerts.accountId} = ${alertDestinations.accountId}
        and ${alerts.id} = ${alertDestinations.alertId}`,
    id: alertDestinations.alertId,
  },
  condition: sql`${alertDestinations.accountId} = ${accountId}
    and ${alertDestinations.destinationId} = ${destinationId}`,
  ...(isOnly && { total: foldedTotal(DESTINATION_ALERTS, accountId, destinationId) }),
});

/** The alerts that have, or had, a workflow of a team. */
export function alertsOfTeam(
  accountId: string,
  selectTeamId: SQL,
  filters: readonly Filter[],
): Narrowed {
  const teamId = sql`(${selectTeamId})`;
  const { total, ...narrowed } = alertsOf(accountId, teamId, filters.length === 0);
  return {
    ...narrowed,
    condition: sql`${narrowed.condition} and ${alertDestinations.escalated}`,
    ...(total && { total: sql`${total} - ${notEscalatedTotal(accountId, teamId)}` }),
  };
}

/** The index is named: the planner would search the latest alerts for one with any of the statuses. */
const FROM_INDEX = {
  from: { tables: sql`${alerts} indexed by alerts_unresolved`, id: alerts.id },
};

function byStatus(accountId: string, filters: readonly Filter[]): Narrowed | null {
  const filter = filters.find((it) => it.attribute === "status");
  if (filter === undefined) return null;
  const { operation, values } = filter;
  const isOnly = filters.length === 1 && values.length === 1;
  const hasResolved = values.includes(UNINDEXED);
  const count = (condition: SQL) => sql`(select count(*) from ${alerts}
    where ${alerts.accountId} = ${accountId} and ${isIndexed} and ${condition})`;
  if (operation === "ne" && hasResolved) {
    return { ...FROM_INDEX, condition: isIndexed, ...(isOnly && { total: count(sql`true`) }) };
  }
  if (operation !== "equals") return null;
  if (hasResolved) {
    const total = sql`${foldedTotal(rowsOf(alerts), accountId)} - ${count(sql`true`)}`;
    return isOnly ? { condition: sql`true`, total } : null;
  }
  if (values.length > 1) return { ...FROM_INDEX, condition: isIndexed };
  return {
    condition: isIndexed,
    ...(isOnly && { total: count(sql`${alerts.status} = ${values[0]}`) }),
  };
}

/** Narrows a list of alerts by its filters; null if they do not help. */
export function narrowAlerts(accountId: string, filters: readonly Filter[]): Narrowed | null {
  for (const [attribute, table] of DESTINATIONS) {
    const value = onlyValueOf(filters, attribute);
    if (value === null) continue;
    const isOnly = filters.length === 1;
    if (/^[0-9A-Za-z]{26}$/.test(value))
      return alertsOf(accountId, sql`${value.toUpperCase()}`, isOnly);
    const id = sql`(select ${table.id} from ${table}
      where ${table.accountId} = ${accountId} and ${table.prefixId} = ${value})`;
    return alertsOf(accountId, id, isOnly);
  }
  return byStatus(accountId, filters);
}
