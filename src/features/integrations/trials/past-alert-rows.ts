// Reads the past alerts of an integration, and the messages about some of them.
import { sql } from "drizzle-orm";
import { restoreWorkflow } from "../../../domain/alerts/stored-alert.ts";
import type { PastAlert } from "../../../domain/integrations/flapping.ts";
import { firstIdentifierAt } from "../../../domain/shared/retention.ts";
import { mapped, parsed, select, truth } from "../../../kernel/db/select.ts";
import { alerts, notificationsByOwner } from "../../schema/alerts.ts";

/** The most alerts of the account that one replay reads: no index lists those of an integration. */
export const MAX_ALERTS_READ = 20_000;
/** The most of them that it evaluates, and messages that it counts. */
export const MAX_PAST_ALERTS = 5_000;
const MAX_MESSAGES = 20_000;

/** A past alert, with what a replay shows of it. */
export type PastAlertRow = PastAlert & {
  readonly title: string;
  readonly urgency: (typeof alerts.urgency.enumValues)[number];
  /** Whether a person acknowledged or resolved it. */
  readonly isAnswered: boolean;
};

const lines = (pattern: string) =>
  sql`json_each(${alerts.timeline}) where value ->> 1 glob ${pattern}`;

const columns = {
  id: alerts.id,
  thirdpartyId: alerts.thirdpartyId,
  createdAt: alerts.createdAt,
  resolvedAt: alerts.resolvedAt,
  title: sql<string>`substr(${alerts.title}, 1, 200)`,
  urgency: alerts.urgency,
  workflows: parsed<readonly Parameters<typeof restoreWorkflow>[0][]>(
    sql`iif(${alerts.acknowledgedAt} is null, '[]', ${alerts.workflows})`,
  ),
  isAcknowledged: truth(
    sql`exists (select 1 from ${lines("Acknowledged by *")}
      and value ->> 1 not glob 'Acknowledged by integration *')`,
  ),
  resolution: sql<string | null>`(select value ->> 1 from ${lines("Resolved by *")}
    order by key desc limit 1)`,
};

/** Selects the newest alerts that an integration created since an instant, newest first. */
export const selectPastAlerts = (accountId: string, integrationId: string, since: number) =>
  mapped(
    select(
      columns,
      sql`from (select * from ${alerts} where ${alerts.accountId} = ${accountId}
          and ${alerts.id} >= ${firstIdentifierAt(since)}
          order by ${alerts.id} desc limit ${MAX_ALERTS_READ}) as alerts
        where ${alerts.sourceId} = ${integrationId} and ${alerts.status} <> 'suppressed'
        order by ${alerts.id} desc limit ${MAX_PAST_ALERTS + 1}`,
    ),
    ({ resolvedAt, workflows, isAcknowledged, resolution, ...alert }): PastAlertRow => {
      const isResolvedBySender = resolution?.startsWith("Resolved by integration ") ?? false;
      const isHealed = isResolvedBySender || resolution?.startsWith("Resolved by auto-resolve");
      const by = workflows.map((it) => restoreWorkflow(it, alert.createdAt).acknowledgedBy);
      return {
        ...alert,
        healedAt: isHealed ? resolvedAt : null,
        isResolvedBySender,
        acknowledgedBy: by.findLast((id) => id !== undefined) ?? null,
        isAnswered: isAcknowledged || (resolution !== null && !isHealed),
      };
    },
  );

/** Selects the oldest alert of the account that a replay reads, if there are more than it reads. */
export const selectOldestRead = (accountId: string, since: number) =>
  select(
    { id: alerts.id },
    sql`from ${alerts} where ${alerts.accountId} = ${accountId}
      and ${alerts.id} >= ${firstIdentifierAt(since)}
      order by ${alerts.id} desc limit 1 offset ${MAX_ALERTS_READ - 1}`,
  );

/** Selects the messages about alerts that asked somebody and were sent. */
export const selectPagesOf = (accountId: string, alertIds: readonly string[]) =>
  select(
    {
      alertId: sql<string>`owner_id`,
      accountUserId: sql<string>`account_user_id`,
      createdAt: sql<number>`created_at`,
    },
    sql`from ${notificationsByOwner} where account_id = ${accountId}
      and owner_id in (select value from json_each(${JSON.stringify(alertIds)}))
      and event = 'alert.open' and status in ('sent', 'delivered') limit ${MAX_MESSAGES}`,
  );
