import { eq } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import { notFound } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { assertUnchanged, retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { maintenanceWindows } from "../../schema/integrations.ts";
import { maintenanceWindowRecords, selectStoredWindow } from "./maintenance-window-records.ts";
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
