// The maintenance windows of the integration that an alert came from.
import { sql } from "drizzle-orm";
import type { Alert } from "../../../domain/alerts/alert.ts";
import type { WindowFacts } from "../../../domain/alerts/commands.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { first, parsed, select } from "../../../kernel/db/select.ts";
import { logs } from "../../schema/alerts.ts";
import { maintenanceWindowIntegrations, maintenanceWindows } from "../../schema/integrations.ts";

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
