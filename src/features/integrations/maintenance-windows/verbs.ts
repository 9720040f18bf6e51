import { eq } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { assertUnchanged, nextUpdatedAt } from "../../../kernel/db/optimistic-retry.ts";
import { plainColumns } from "../../../kernel/db/plain-columns.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { resolveWith } from "../../../kernel/db/references.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { Decision } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { maintenanceWindows } from "../../schema/integrations.ts";
import type { CreateMaintenanceWindow, UpdateMaintenanceWindow } from "./parameters.ts";
import { maintenanceWindowRecords, selectStoredWindow } from "./rows.ts";
import { intervalOf } from "./window-interval.ts";
import { decideWindow, referencesOf, writeIntegrations } from "./window-writes.ts";

/**
 * Creates a maintenance window (contract 2, Maintenance windows).
 *
 * @param id the ULID of the new window
 * @returns the window; 422 for unknown integrations or an end that is not after the start
 */
export async function createMaintenanceWindow(
  context: Context,
  id: string,
  body: CreateMaintenanceWindow,
): Promise<Decision<"MaintenanceWindow"> | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
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
  return decideWindow(context, { verb: "create", id, before: null, writes }, ids);
}

/**
 * Changes a maintenance window (contract 2, Maintenance windows).
 *
 * @returns the window; 404; 422 for unknown integrations or an end that is not after the start
 */
export async function updateMaintenanceWindow(
  context: Context,
  identifier: Identifier,
  body: UpdateMaintenanceWindow,
): Promise<Decision<"MaintenanceWindow"> | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
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
  return decideWindow(context, change, [...stored.integrationIds, ...ids]);
}

type WindowDeletion = Decision<"MaintenanceWindow", null, ReturnType<typeof decideWindow>["reads"]>;

/** Deletes a maintenance window; null, or 404. */
export async function deleteMaintenanceWindow(
  context: Context,
  identifier: Identifier,
): Promise<WindowDeletion | Refusal> {
  const { db, actor } = context;
  const [[stored], [before]] = await batch(db, [
    selectStoredWindow(actor.accountId, identifier),
    selectRecord(maintenanceWindowRecords, actor.accountId, identifier),
  ]);
  if (!stored || !before) return notFound("maintenance_window");
  const writes = [
    assertUnchanged(maintenanceWindows, stored.id, stored.updatedAt),
    build.delete(maintenanceWindows).where(eq(maintenanceWindows.id, stored.id)),
  ];
  const decision = decideWindow(
    context,
    { verb: "delete", id: stored.id, before, writes },
    stored.integrationIds,
  );
  return {
    ...decision,
    answer: async (committed) => {
      await decision.answer(committed);
      return null;
    },
  };
}
