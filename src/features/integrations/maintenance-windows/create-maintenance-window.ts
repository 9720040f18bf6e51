import { type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { plainColumns } from "../../../kernel/db/plain-columns.ts";
import { resolveWith } from "../../../kernel/db/references.ts";
import type { Context } from "../../change/context.ts";
import { maintenanceWindows } from "../../schema/integrations.ts";
import type { MaintenanceWindow } from "./contract.ts";
import type { CreateMaintenanceWindow } from "./parameters.ts";
import { intervalOf } from "./window-interval.ts";
import { commitWindow, referencesOf, writeIntegrations } from "./window-writes.ts";

/**
 * Creates a maintenance window (contract 2, Maintenance windows).
 *
 * @param id the ULID of the new window
 * @returns the window; 422 for unknown integrations or an end that is not after the start
 */
export function createMaintenanceWindow(
  context: Context,
  id: string,
  body: CreateMaintenanceWindow,
): Promise<MaintenanceWindow | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  return retryOnConflict(async () => {
    const { resolved } = await resolveWith(db, accountId, referencesOf(body), []);
    const { interval, errors } = intervalOf(body, null);
    if (!resolved.ok) return refuseFields([...errors, ...resolved.errors]);
    if (errors.length > 0) return refuseFields(errors);
    const row = {
      ...newIdentity("maintenance_window", now, id),
      accountId,
      ...plainColumns(maintenanceWindows, body),
      name: body.name,
      ...interval,
    };
    const ids = resolved.idsOf("integration_ids");
    const writes = [
      build.insert(maintenanceWindows).values(row),
      ...writeIntegrations(accountId, row.id, ids),
    ];
    return commitWindow(context, { verb: "create", id, before: null, writes }, ids);
  });
}
