// Maintenance windows: what a record shows, and what a write reads (contract 2, Maintenance
// windows).
import { sql } from "drizzle-orm";
import type { Alert } from "../../../domain/alerts/alert.ts";
import type { WindowFacts } from "../../../domain/alerts/commands.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { instant, references } from "../../../kernel/db/attributes.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { plainAttributes } from "../../../kernel/db/plain-attributes.ts";
import { oneRecord, type Records } from "../../../kernel/db/records.ts";
import { first, parsed, select } from "../../../kernel/db/select.ts";
import { logs } from "../../schema/alerts.ts";
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

type Request = Readonly<Record<string, unknown>>;

/** Reads the windows of the alert's integration at `now` (epoch ms). Throws if D1 does. */
export async function readWindow(
  db: Connection,
  { accountId, source }: Pick<Alert, "accountId" | "source">,
  now: number,
): Promise<WindowFacts> {
  const columns = {
    until: sql<number | null>`(select max(${maintenanceWindows.endAt})
      from ${maintenanceWindowIntegrations} join ${maintenanceWindows}
        on ${maintenanceWindows.id} = ${maintenanceWindowIntegrations.maintenanceWindowId}
      where ${maintenanceWindowIntegrations.integrationId} = ${source.id}
        and ${maintenanceWindows.startAt} <= ${now} and ${maintenanceWindows.endAt} > ${now})`,
    request: parsed<Request | null>(sql`(select ${logs.request} from ${logs}
      where ${logs.accountId} = ${accountId} and ${logs.id} = ${source.logId})`),
  };
  const row = await first(db, select(columns, sql``));
  const request = row?.request ?? null;
  return { until: row?.until ?? null, log: request && { ...request, data: request.body } };
}
