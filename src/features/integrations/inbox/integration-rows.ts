// Reads the configuration of an integration for its inbox: one row, one round trip.
import { type SQL, sql } from "drizzle-orm";
import type {
  IntegrationConfiguration,
  PreviousSecret,
} from "../../../domain/integrations/integration-configuration.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { oneRecord } from "../../../kernel/db/records.ts";
import {
  first,
  parsed,
  type RowOf,
  type Select,
  select,
  truth,
} from "../../../kernel/db/select.ts";
import { allReceiversOfIntegration } from "../../outgoing/delivery-rows.ts";
import {
  integrations,
  maintenanceWindowIntegrations,
  maintenanceWindows,
} from "../../schema/integrations.ts";
import { accounts } from "../../schema/people.ts";

/** The maintenance windows that have not ended by the database's clock, as JSON. */
const windowsOfIntegration = sql`(select json_group_array(
      json_object('startAt', ${maintenanceWindows.startAt}, 'endAt', ${maintenanceWindows.endAt})
      order by ${maintenanceWindows.startAt}, ${maintenanceWindows.id})
    from ${maintenanceWindowIntegrations} join ${maintenanceWindows}
      on ${maintenanceWindows.id} = ${maintenanceWindowIntegrations.maintenanceWindowId}
    where ${maintenanceWindowIntegrations.integrationId} = ${integrations.id}
      and ${maintenanceWindows.endAt} > unixepoch('now', 'subsec') * 1000)`;

/** Whether the row's id is enough to post to it: its own setting and the account's. */
export const acceptsIdNow = sql`(${integrations.acceptsId} and (select ${accounts.integrationsById}
  from ${accounts} where ${accounts.id} = ${integrations.accountId}))`;

/** The secrets of a row: options by key, hashed or not, and what a rotation left valid. */
type StoredSecrets = {
  readonly token_sha256?: string;
  readonly previous_token?: PreviousSecret;
  readonly previous_intake_key?: PreviousSecret;
} & Readonly<Record<string, unknown>>;

const integrationColumns = {
  id: integrations.id,
  prefixId: integrations.prefixId,
  accountId: integrations.accountId,
  name: integrations.name,
  enabled: integrations.enabled,
  urgency: integrations.urgency,
  integrationType: integrations.integrationType,
  options: integrations.options,
  secrets: parsed<StoredSecrets>(integrations.secrets),
  intakeKey: integrations.intakeKey,
  acceptsId: truth(acceptsIdNow),
  acceptsGet: integrations.acceptsGet,
  addressVersion: integrations.addressVersion,
  previousAddressUntil: integrations.previousAddressUntil,
  receivers: allReceiversOfIntegration,
  maintenanceWindows: parsed<IntegrationConfiguration["maintenanceWindows"]>(windowsOfIntegration),
  receivedAt: integrations.receivedAt,
  region: integrations.region,
  updatedAt: integrations.updatedAt,
};

/** A stored integration: its configuration and all of its secrets. */
export type IntegrationRow = RowOf<typeof integrationColumns>;

export const selectIntegrations = (condition: SQL): Select<IntegrationRow> =>
  select(integrationColumns, sql`from ${integrations} where ${condition}`);

export const selectIntegration = (accountId: string, identifier: Identifier) =>
  selectIntegrations(oneRecord(integrations, accountId, identifier));

/** Selects the integration whose inbox has this name. */
export const selectIntegrationNamed = (prefixId: string) =>
  selectIntegrations(sql`${integrations.prefixId} = ${prefixId}`);

/** The configuration of a stored integration, for its inbox. */
export function toIntegrationConfiguration(row: IntegrationRow): IntegrationConfiguration {
  const { secrets: stored, ...columns } = row;
  const { token_sha256: tokenSha256 = null, previous_token, previous_intake_key } = stored;
  const secrets: Record<string, string> = {};
  for (const [key, value] of Object.entries(stored)) {
    if (typeof value === "string" && !key.endsWith("_sha256")) secrets[key] = value;
  }
  return {
    ...columns,
    tokenSha256,
    secrets,
    ...(previous_token && { previousToken: previous_token }),
    ...(previous_intake_key && { previousIntakeKey: previous_intake_key }),
  };
}

/** Reads the configuration of the integration with this `prefix_id`; null when there is none. */
export async function readIntegrationConfiguration(
  db: Connection,
  prefixId: string,
): Promise<IntegrationConfiguration | null> {
  const row = await first(db, selectIntegrationNamed(prefixId));
  return row && toIntegrationConfiguration(row);
}
