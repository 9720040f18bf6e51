// Deleted alerts: the row goes, and a log with the timeline remains, which keeps the deletion's
// author and refuses later projections. The log has the alert's own id.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Alert } from "../../../domain/alerts/alert.ts";
import { storeState } from "../../../domain/alerts/stored-alert.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { rowsOf, uncount } from "../../../kernel/db/folded-totals.ts";
import { alertDestinations, alerts, alertTimelines, logs } from "../../schema/alerts.ts";
import { deleteCommentsOn } from "../comments/rows.ts";
import { DESTINATION_ALERTS } from "./destination-totals.ts";
import { timelineOfAlert } from "./timeline-rows.ts";

/** Whether the alert was deleted. */
export const isBuried = ({ accountId, id }: Pick<Alert, "accountId" | "id">): SQL =>
  sql`exists (select 1 from ${logs} where ${logs.accountId} = ${accountId} and ${logs.id} = ${id})`;

/** What remains of a deleted alert's state: enough to count each event once. */
export type BuriedState = ReturnType<typeof buriedState>;

const buriedState = (alert: Alert) => {
  const { members: _, latest: __, reported: ___, ...state } = storeState(alert, null);
  return {
    ...state,
    sourceId: alert.source.id,
    sourceType: alert.source.type,
    thirdpartyId: alert.thirdpartyId,
    version: alert.version,
  };
};

/** Moves the timeline of a deleted alert to its log, and deletes its rows. Safe to repeat. */
export function buryAlert(alert: Alert, destinationIds: readonly string[]): SQLWrapper[] {
  const { accountId, id } = alert;
  const own = sql`${alerts.accountId} = ${accountId} and ${alerts.id} = ${id}`;
  // By destination: the table is not read by alert.
  const destinations = sql`${alertDestinations.accountId} = ${accountId}
    and ${alertDestinations.destinationId} in
      (select value from json_each(${JSON.stringify(destinationIds)}))
    and ${alertDestinations.alertId} = ${id}`;
  return [
    sql`insert into ${logs} (account_id, id, created_at, updated_at, meta, level, owner_type,
        owner_id, message, steps, state)
      select ${accountId}, ${id}, ${alerts.createdAt}, ${alerts.updatedAt},
        '{"deleted":true}', 'info', 'Alert', ${id}, ${`Timeline of ${prefixIdOf("alert", id)}`},
        ${timelineOfAlert}, ${JSON.stringify(buriedState(alert))}
      from ${alerts} where ${own}
      on conflict do nothing`,
    uncount(rowsOf(alerts), own),
    sql`delete from ${alerts} where ${own}`,
    uncount(DESTINATION_ALERTS, destinations),
    sql`delete from ${alertDestinations} where ${destinations}`,
    sql`delete from ${alertTimelines}
      where ${alertTimelines.accountId} = ${accountId} and ${alertTimelines.alertId} = ${id}`,
    deleteCommentsOn(accountId, sql`${id}`),
  ];
}
