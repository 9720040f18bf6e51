// Reads for Opsgenie clients, one statement each: alerts of one integration, the result of a
// request, heartbeats. Each statement names the integration by its `prefix_id`; whether the caller
// may read is decided by the integration's row, read in the same batch.
import { type SQL, sql } from "drizzle-orm";
import type { AlertReference } from "../../domain/integrations/opsgenie-identifiers.ts";
import { alerts, logs } from "../schema/alerts.ts";
import { integrationReceivers, integrations } from "../schema/integrations.ts";
import { integrationConfigurationColumns } from "./integration-rows.ts";
import { priority } from "./opsgenie-conditions.ts";
import { namedAlert } from "./request-log-rows.ts";

/** The integration type of heartbeats, and the `Id` of every heartbeat alert. */
const HEARTBEAT = "heartbeat";

/** Selects the calling integration. */
export const selectCaller = (prefixId: string): SQL =>
  sql`select ${integrationConfigurationColumns} from ${integrations}
    where ${integrations.prefixId} = ${prefixId}`;

const callerId = (prefixId: string) =>
  sql`(select id from integrations where prefix_id = ${prefixId})`;
const callerAccount = (prefixId: string) =>
  sql`(select account_id from integrations where prefix_id = ${prefixId})`;

const ownAlerts = (prefixId: string) => sql`${alerts}
  where ${alerts.accountId} = ${callerAccount(prefixId)} and ${alerts.sourceId} = ${callerId(prefixId)}`;

const alertColumns = sql`${alerts.id} as id, ${alerts.thirdpartyId} as thirdparty_id,
  ${alerts.title} as title, ${alerts.description} as description, ${alerts.status} as status,
  ${priority} as priority, ${alerts.tags} as tags, ${alerts.dedupCount} as dedup_count,
  ${alerts.createdAt} as created_at, ${alerts.updatedAt} as updated_at,
  ${alerts.acknowledgedAt} as acknowledged_at, ${alerts.resolvedAt} as resolved_at,
  ${alerts.destinationTeamIds} as team_ids, ${alerts.destinationAccountUserIds} as account_user_ids,
  ${alerts.meta} as meta, ${alerts.additionalData} as additional_data`;

/** Selects the integration's newest alert with this reference, or else this alias. */
export function selectAlert(
  prefixId: string,
  reference: AlertReference | null,
  alias: string,
): SQL {
  const byAlias = sql`${alerts.thirdpartyId} = ${alias}`;
  const named = reference && namedBy(prefixId, reference);
  return sql`select ${alertColumns} from ${ownAlerts(prefixId)}
    and ${named ? sql`(${named} or ${byAlias})` : byAlias}
    order by ${named ? sql`${named} desc,` : sql``} ${alerts.createdAt} desc, ${alerts.id} desc
    limit 1`;
}

function namedBy(prefixId: string, reference: AlertReference): SQL {
  switch (reference.by) {
    case "alert":
      return sql`${alerts.id} = ${reference.id}`;
    case "tiny":
      return sql`(${alerts.id} between ${reference.prefix} and ${reference.prefix.padEnd(26, "Z")})`;
    case "request":
      return sql`${alerts.prefixId} = (select ${namedAlert} from ${logs}
        where ${logs.id} = ${reference.logId} and ${logs.ownerId} = ${callerId(prefixId)})`;
  }
}

export type AlertPage = {
  readonly condition: SQL;
  readonly sort: SQL;
  readonly ascending: boolean;
  readonly limit: number;
  readonly offset: number;
};

/** Selects a page of the integration's alerts, without descriptions. */
export function selectAlertPage(prefixId: string, page: AlertPage): SQL {
  const direction = sql.raw(page.ascending ? "asc" : "desc");
  return sql`select ${alertColumns} from ${ownAlerts(prefixId)} and ${page.condition}
    order by ${page.sort} ${direction}, ${alerts.id} ${direction}
    limit ${page.limit} offset ${page.offset}`;
}

export const selectAlertCount = (prefixId: string, condition: SQL): SQL =>
  sql`select count(*) as count from ${ownAlerts(prefixId)} and ${condition}`;

/** Selects the result of a request of the integration, and the alert it was about. */
export const selectRequest = (prefixId: string, logId: string): SQL =>
  sql`select ${logs.message} as message, ${logs.updatedAt} as settled_at, ${logs.request} as request,
      ${alerts.id} as alert_id, ${alerts.thirdpartyId} as thirdparty_id
    from ${logs} left join ${alerts}
      on ${alerts.accountId} = ${logs.accountId} and ${alerts.prefixId} = ${namedAlert}
    where ${logs.id} = ${logId} and ${logs.ownerId} = ${callerId(prefixId)}`;

/**
 * Selects the heartbeats that the caller may ping and see: those whose receivers are all among its
 * own. With a name, only that one.
 */
export function selectHeartbeats(prefixId: string, name: string | null): SQL {
  const foreign = sql`(select 1 from ${integrationReceivers} as theirs
    where theirs.integration_id = ${integrations.id} and not exists (
      select 1 from ${integrationReceivers} as mine
        where mine.integration_id = ${callerId(prefixId)}
          and mine.receiver_type = theirs.receiver_type and mine.receiver_id = theirs.receiver_id))`;
  return sql`select ${integrations.prefixId} as prefix_id, ${integrations.name} as name,
      ${integrations.enabled} as enabled, ${integrations.options} as options,
      ${integrations.urgency} as urgency,
      exists (select 1 from ${alerts} where ${alerts.accountId} = ${integrations.accountId}
        and ${alerts.thirdpartyId} = ${HEARTBEAT} and ${alerts.sourceId} = ${integrations.id}
        and ${alerts.status} <> 'resolved') as expired
    from ${integrations}
    where ${integrations.accountId} = ${callerAccount(prefixId)}
      and ${integrations.integrationType} = ${HEARTBEAT}
      and (${name} is null or ${integrations.name} = ${name}) and not exists ${foreign}
    order by ${integrations.createdAt}, ${integrations.id} limit 100`;
}
