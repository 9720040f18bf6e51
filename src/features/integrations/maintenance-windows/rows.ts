// Maintenance windows: what a record shows, and what a write reads (contract 2, Maintenance
// windows).
import { sql } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { instant, references } from "../../../kernel/db/attributes.ts";
import { plainAttributes } from "../../../kernel/db/plain-attributes.ts";
import { oneRecord, type Records } from "../../../kernel/db/records.ts";
import { parsed, select } from "../../../kernel/db/select.ts";
import {
  integrations,
  maintenanceWindowIntegrations,
  maintenanceWindows,
} from "../../schema/integrations.ts";

const integrationsOfWindow = sql<
  readonly string[]
>`(select json_group_array(integration_id order by integration_id)
  from ${maintenanceWindowIntegrations}
  where ${maintenanceWindowIntegrations.maintenanceWindowId} = ${maintenanceWindows.id})`;

export const maintenanceWindowRecords: Records<"MaintenanceWindow"> = {
  kind: "maintenance_window",
  shows: "MaintenanceWindow",
  from: maintenanceWindows,
  accountId: maintenanceWindows.accountId,
  id: maintenanceWindows.id,
  prefixId: maintenanceWindows.prefixId,
  attributes: {
    ...plainAttributes("MaintenanceWindow", maintenanceWindows, ["start_at", "end_at"]),
    start_datetime: instant(maintenanceWindows.startAt),
    end_datetime: instant(maintenanceWindows.endAt),
    start_time: instant(maintenanceWindows.startAt),
    end_time: instant(maintenanceWindows.endAt),
    integration_ids: references(integrationsOfWindow, maintenanceWindows.accountId, integrations),
  },
  search: [maintenanceWindows.name],
  total: "maintenance_windows",
};

const storedColumns = {
  id: maintenanceWindows.id,
  updatedAt: maintenanceWindows.updatedAt,
  startAt: maintenanceWindows.startAt,
  endAt: maintenanceWindows.endAt,
  timeZone: maintenanceWindows.timeZone,
  integrationIds: parsed<readonly string[]>(integrationsOfWindow),
};

/** Selects the stored window, as a write reads it. */
export const selectStoredWindow = (accountId: string, identifier: Identifier) =>
  select(
    storedColumns,
    sql`from ${maintenanceWindows} where ${oneRecord(maintenanceWindows, accountId, identifier)}`,
  );
