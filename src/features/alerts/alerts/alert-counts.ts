// How many alerts a list would have with another status or scope.
import { type SQL, sql } from "drizzle-orm";
import { foldedTotal, rowsOf } from "../../../kernel/db/folded-totals.ts";
import { listConditions } from "../../../kernel/db/record-lists.ts";
import { type Select, select } from "../../../kernel/db/select.ts";
import { alerts } from "../../schema/alerts.ts";
import type { AlertCount } from "../escalation/contract.ts";
import { alertRecords } from "./alert-records.ts";
import { type AlertList, isMine, isOfMyTeams, type ListCaller } from "./alert-scope.ts";

/**
 * Selects the numbers of alerts that are not resolved, by status: those that the filters of a list
 * match, whatever its status and scope. Reads the index of unresolved alerts.
 */
export function selectStatusCounts(
  caller: ListCaller,
  { query, team }: AlertList,
): Select<AlertCount> {
  const filters = query.filters.filter(({ attribute }) => attribute !== "status");
  const others = listConditions(alertRecords, caller.accountId, { ...query, filters }, null, team);
  return select(
    {
      status: alerts.status,
      mine: sql<number>`total(${isMine(caller)})`,
      my_teams: sql<number>`total(${isOfMyTeams(caller)})`,
      all: sql<number>`count(*)`,
    },
    sql`from ${alerts} indexed by alerts_unresolved
      where ${alerts.status} <> 'resolved' and ${others} group by ${alerts.status}`,
  );
}

/** Selects the number of all alerts of an account, if a list has no filters but the status. */
export const selectAlertTotal = (
  { accountId }: ListCaller,
  { query, team }: AlertList,
): Select<{ readonly total: number }> | null =>
  team === undefined &&
  query.search === null &&
  query.filters.every(({ attribute }) => attribute === "status")
    ? select({ total: foldedTotal(rowsOf(alerts), accountId) as SQL<number> }, sql``)
    : null;
