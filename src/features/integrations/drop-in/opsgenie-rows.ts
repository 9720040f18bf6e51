// Reads for Opsgenie clients, one statement each: alerts of one integration, the result of a
// request, heartbeats. Each statement names the integration by its `prefix_id`; whether the caller
// may read is decided by the integration's row, read in the same batch.
import { type SQL, sql } from "drizzle-orm";
import type { AlertReference } from "../../../domain/integrations/opsgenie-identifiers.ts";
import { parsed, type RowOf, type Select, select, truth } from "../../../kernel/db/select.ts";
import { alertMeta } from "../../alerts/alerts/alert-meta.ts";
import { alerts, logs } from "../../schema/alerts.ts";
import { integrationReceivers, integrations } from "../../schema/integrations.ts";

/** The Opsgenie priority of an alert's urgency. */
export const priority = sql<string>`(case ${alerts.urgency} when 'critical' then 'P1' when 'high' then 'P2'
  when 'medium' then 'P3' when 'low' then 'P4' else 'P5' end)`;

/** The integration type of heartbeats, and the `Id` of every heartbeat alert. */
const HEARTBEAT = "heartbeat";

const callerId = (prefixId: string) =>
  sql`(select id from integrations where prefix_id = ${prefixId})`;
const callerAccount = (prefixId: string) =>
  sql`(select account_id from integrations where prefix_id = ${prefixId})`;

const ownAlerts = (prefixId: string) => sql`${alerts}
  where ${alerts.accountId} = ${callerAccount(prefixId)} and ${alerts.sourceId} = ${callerId(prefixId)}`;

const alertColumns = {
  id: alerts.id,
  thirdpartyId: alerts.thirdpartyId,
  title: alerts.title,
  description: alerts.description,
  status: alerts.status,
  priority,
  tags: alerts.tags,
  dedupCount: alerts.dedupCount,
  createdAt: alerts.createdAt,
  updatedAt: alerts.updatedAt,
  acknowledgedAt: alerts.acknowledgedAt,
  resolvedAt: alerts.resolvedAt,
  teamIds: alerts.destinationTeamIds,
  accountUserIds: alerts.destinationAccountUserIds,
  meta: parsed<Record<string, unknown>>(alertMeta),
  additionalData: alerts.additionalData,
};

/** An alert, as Opsgenie clients read it. */
export type OpsgenieAlertRow = RowOf<typeof alertColumns>;

/** Selects the integration's newest alert with this reference, or else this alias. */
export function selectAlert(
  prefixId: string,
  reference: AlertReference | null,
  alias: string,
): Select<OpsgenieAlertRow> {
  const byAlias = sql`${alerts.thirdpartyId} = ${alias}`;
  const named = reference && namedBy(prefixId, reference);
  return select(
    alertColumns,
    sql`from ${ownAlerts(prefixId)}
      and ${named ? sql`(${named} or ${byAlias})` : byAlias}
      order by ${named ? sql`${named} desc,` : sql``} ${alerts.createdAt} desc, ${alerts.id} desc
      limit 1`,
  );
}

function namedBy(prefixId: string, reference: AlertReference): SQL {
  switch (reference.by) {
    case "alert":
      return sql`${alerts.id} = ${reference.id}`;
    case "tiny":
      return sql`(${alerts.id} between ${reference.prefix} and ${reference.prefix.padEnd(26, "Z")})`;
    case "request":
      return sql`${alerts.id} = (select ${logs.alertId} from ${logs}
        where ${logs.accountId} = ${callerAccount(prefixId)} and ${logs.id} = ${reference.logId}
          and ${logs.ownerId} = ${callerId(prefixId)})`;
  }
}

export type AlertPage = {
  readonly condition: SQL;
  readonly sort: SQL;
  readonly ascending: boolean;
  readonly limit: number;
  readonly offset: number;
};

/** Selects a page of the integration's alerts. */
export function selectAlertPage(prefixId: string, page: AlertPage): Select<OpsgenieAlertRow> {
  const direction = sql.raw(page.ascending ? "asc" : "desc");
  return select(
    alertColumns,
    sql`from ${ownAlerts(prefixId)} and ${page.condition}
      order by ${page.sort} ${direction}, ${alerts.id} ${direction}
      limit ${page.limit} offset ${page.offset}`,
  );
}

export const selectAlertCount = (prefixId: string, condition: SQL) =>
  select({ count: sql<number>`count(*)` }, sql`from ${ownAlerts(prefixId)} and ${condition}`);

const requestColumns = {
  message: logs.message,
  settledAt: logs.updatedAt,
  /** The request as logged, as JSON. */
  request: sql<string | null>`${logs.request}`,
  /** Null also for an alert that D1 does not have yet. */
  alertId: sql<string | null>`${alerts.id}`,
  thirdpartyId: alerts.thirdpartyId,
  isProjected: truth(sql`${logs.alertId} is null or ${alerts.id} is not null`),
};

/** The stored result of a request. `isProjected`: D1 has the alert that it is about. */
export type StoredRequest = RowOf<typeof requestColumns>;
export type RequestResult = Omit<StoredRequest, "isProjected">;

/** Selects the result of a request of the integration, and the alert it was about. */
export const selectRequest = (prefixId: string, logId: string): Select<StoredRequest> =>
  select(
    requestColumns,
    sql`from ${logs} left join ${alerts}
        on ${alerts.accountId} = ${logs.accountId} and ${alerts.id} = ${logs.alertId}
      where ${logs.accountId} = ${callerAccount(prefixId)} and ${logs.id} = ${logId} and ${logs.ownerId} = ${callerId(prefixId)}`,
  );

const heartbeatColumns = {
  prefixId: integrations.prefixId,
  name: integrations.name,
  enabled: integrations.enabled,
  options: integrations.options,
  urgency: integrations.urgency,
  expired: truth(sql`exists (select 1 from ${alerts}
    where ${alerts.accountId} = ${integrations.accountId}
      and ${alerts.thirdpartyId} = ${HEARTBEAT} and ${alerts.sourceId} = ${integrations.id}
      and ${alerts.status} <> 'resolved')`),
};

export type HeartbeatRow = RowOf<typeof heartbeatColumns>;

/**
 * Selects the heartbeats that the caller may ping and see: those whose receivers are all among its
 * own. With a name, only that one.
 */
export function selectHeartbeats(prefixId: string, name: string | null): Select<HeartbeatRow> {
  const foreign = sql`(select 1 from ${integrationReceivers} as theirs
    where theirs.integration_id = ${integrations.id} and not exists (
      select 1 from ${integrationReceivers} as mine
        where mine.integration_id = ${callerId(prefixId)}
          and mine.receiver_type = theirs.receiver_type and mine.receiver_id = theirs.receiver_id))`;
  return select(
    heartbeatColumns,
    sql`from ${integrations}
      where ${integrations.accountId} = ${callerAccount(prefixId)}
        and ${integrations.integrationType} = ${HEARTBEAT}
        and (${name} is null or ${integrations.name} = ${name}) and not exists ${foreign}
      order by ${integrations.createdAt}, ${integrations.id} limit 100`,
  );
}
