// Reads the configuration of an integration for its inbox: one row, one round trip.
import { sql } from "drizzle-orm";
import type { AlertUrgency } from "../../domain/alerts/alert.ts";
import type {
  IntegrationConfiguration,
  PreviousSecret,
} from "../../domain/integrations/integration-configuration.ts";
import type { RawRow } from "../records/attributes.ts";
import {
  integrationReceivers,
  integrations,
  maintenanceWindowIntegrations,
  maintenanceWindows,
} from "../schema/integrations.ts";
import { type Connection, statement } from "../shared/database.ts";

type ReceiverType = "team" | "router" | "account_user";

/** The ids of an integration's receivers of one type, as an ordered JSON list. */
export const receiversOfIntegration = (type: ReceiverType) =>
  sql<
    readonly string[]
  >`(select json_group_array(receiver_id order by position) from ${integrationReceivers}
    where ${integrationReceivers.integrationId} = ${integrations.id}
      and ${integrationReceivers.receiverType} = ${type})`;

/** The maintenance windows that have not ended by the database's clock, as JSON. */
const windowsOfIntegration = sql`(select json_group_array(
      json_object('startAt', ${maintenanceWindows.startAt}, 'endAt', ${maintenanceWindows.endAt})
      order by ${maintenanceWindows.startAt}, ${maintenanceWindows.id})
    from ${maintenanceWindowIntegrations} join ${maintenanceWindows}
      on ${maintenanceWindows.id} = ${maintenanceWindowIntegrations.maintenanceWindowId}
    where ${maintenanceWindowIntegrations.integrationId} = ${integrations.id}
      and ${maintenanceWindows.endAt} > unixepoch('now', 'subsec') * 1000)`;

/** The columns that `toIntegrationConfiguration` reads, for selects from `integrations`. */
export const integrationConfigurationColumns = sql`${integrations.id} as id,
  ${integrations.prefixId} as prefix_id, ${integrations.accountId} as account_id,
  ${integrations.name} as name, ${integrations.enabled} as enabled,
  ${integrations.urgency} as urgency, ${integrations.integrationType} as integration_type,
  ${integrations.options} as options, ${integrations.secrets} as secrets,
  ${integrations.intakeKey} as intake_key,
  ${receiversOfIntegration("team")} as team_ids,
  ${receiversOfIntegration("router")} as router_ids,
  ${receiversOfIntegration("account_user")} as account_user_ids,
  ${windowsOfIntegration} as maintenance_windows,
  ${integrations.receivedAt} as received_at, ${integrations.region} as region,
  ${integrations.updatedAt} as updated_at`;

type Overlaps = {
  readonly previous_token?: PreviousSecret;
  readonly previous_intake_key?: PreviousSecret;
};

/** Converts a row of `integrationConfigurationColumns`. */
export function toIntegrationConfiguration(row: RawRow): IntegrationConfiguration {
  const { previous_token, previous_intake_key, ...rest } = JSON.parse(
    String(row.secrets),
  ) as Overlaps & Record<string, unknown>;
  const secrets = rest as Record<string, string>;
  return {
    id: String(row.id),
    prefixId: String(row.prefix_id),
    accountId: String(row.account_id),
    name: String(row.name),
    enabled: row.enabled === 1,
    urgency: row.urgency as AlertUrgency,
    integrationType: String(row.integration_type),
    options: JSON.parse(String(row.options)) as Record<string, unknown>,
    tokenSha256: secrets.token_sha256 ?? null,
    secrets: Object.fromEntries(
      Object.entries(secrets).filter(([key]) => !key.endsWith("_sha256")),
    ),
    intakeKey: String(row.intake_key),
    ...(previous_token && { previousToken: previous_token }),
    ...(previous_intake_key && { previousIntakeKey: previous_intake_key }),
    receivers: {
      teamIds: JSON.parse(String(row.team_ids)) as string[],
      routerIds: JSON.parse(String(row.router_ids)) as string[],
      accountUserIds: JSON.parse(String(row.account_user_ids)) as string[],
    },
    maintenanceWindows: JSON.parse(String(row.maintenance_windows)) as {
      startAt: number;
      endAt: number;
    }[],
    receivedAt: row.received_at == null ? null : Number(row.received_at),
    region: row.region == null ? null : String(row.region),
    updatedAt: Number(row.updated_at),
  };
}

/** Reads the configuration of the integration with this `prefix_id`; null when there is none. */
export async function readIntegrationConfiguration(
  db: Connection,
  prefixId: string,
): Promise<IntegrationConfiguration | null> {
  const query = sql`select ${integrationConfigurationColumns} from ${integrations}
    where ${integrations.prefixId} = ${prefixId}`;
  const row = await statement(db, query).first<RawRow>();
  return row ? toIntegrationConfiguration(row) : null;
}
