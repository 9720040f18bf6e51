import { eq } from "drizzle-orm";
import {
  maintenanceWindowRecords,
  selectStoredWindow,
} from "../../../db/integrations/maintenance-window-records.ts";
import { selectRecord } from "../../../db/records/records.ts";
import { maintenanceWindows } from "../../../db/schema/integrations.ts";
import { build } from "../../../db/shared/database.ts";
import { assertUnchanged, retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import { batch } from "../../../db/shared/select.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import { notFound } from "../../../domain/shared/refusal.ts";
import type { Context } from "../../shared/context.ts";
import { commitWindow } from "./window-writes.ts";

/** Deletes a maintenance window; null, or 404. */
export function deleteMaintenanceWindow(
  context: Context,
  identifier: Identifier,
): Promise<Refusal | null> {
  const { db, actor } = context;
  return retryOnConflict(async () => {
    const [[stored], [before]] = await batch(db, [
      selectStoredWindow(actor.accountId, identifier),
      selectRecord(maintenanceWindowRecords, actor.accountId, identifier),
    ]);
    if (!stored || !before) return notFound("maintenance_window");
    const writes = [
      assertUnchanged(maintenanceWindows, stored.id, stored.updatedAt),
      build.delete(maintenanceWindows).where(eq(maintenanceWindows.id, stored.id)),
    ];
    await commitWindow(
      context,
      { verb: "delete", id: stored.id, before, writes },
      stored.integrationIds,
    );
    return null;
  });
}
