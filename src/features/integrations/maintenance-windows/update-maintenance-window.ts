import { eq } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import {
  assertUnchanged,
  nextUpdatedAt,
  retryOnConflict,
} from "../../../kernel/db/optimistic-retry.ts";
import { plainColumns } from "../../../kernel/db/plain-columns.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { resolveWith } from "../../../kernel/db/references.ts";
import type { Context } from "../../change/context.ts";
import { maintenanceWindows } from "../../schema/integrations.ts";
import type { MaintenanceWindow } from "./contract.ts";
import { maintenanceWindowRecords, selectStoredWindow } from "./maintenance-window-records.ts";
import type { UpdateMaintenanceWindow } from "./parameters.ts";
import { intervalOf } from "./window-interval.ts";
import { commitWindow, referencesOf, writeIntegrations } from "./window-writes.ts";

/**
 * Changes a maintenance window (contract 2, Maintenance windows).
 *
 * @returns the window; 404; 422 for unknown integrations or an end that is not after the start
 */
export function updateMaintenanceWindow(
  context: Context,
  identifier: Identifier,
  body: UpdateMaintenanceWindow,
): Promise<MaintenanceWindow | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  return retryOnConflict(async () => {
    const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body), [
      selectStoredWindow(accountId, identifier),
      selectRecord(maintenanceWindowRecords, accountId, identifier),
    ]);
    const [[stored], [before]] = rows;
    if (!stored || !before) return notFound("maintenance_window");
    const { interval, errors } = intervalOf(body, stored);
    if (!resolved.ok) return refuseFields([...errors, ...resolved.errors]);
    if (errors.length > 0) return refuseFields(errors);
    const ids = body.integration_ids ? resolved.idsOf("integration_ids") : stored.integrationIds;
    const columns = {
      ...plainColumns(maintenanceWindows, body),
      ...interval,
      updatedAt: nextUpdatedAt(stored.updatedAt, now),
    };
    const writes = [
      assertUnchanged(maintenanceWindows, stored.id, stored.updatedAt),
      build.update(maintenanceWindows).set(columns).where(eq(maintenanceWindows.id, stored.id)),
      ...(body.integration_ids ? writeIntegrations(accountId, stored.id, ids) : []),
    ];
    const change = { verb: "update", id: stored.id, before, writes };
    return commitWindow(context, change, [...stored.integrationIds, ...ids]);
  });
}
