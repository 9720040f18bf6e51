// Shared by the verbs of maintenance windows: the statements of a write, and the decision
// after which the inboxes concerned are updated. An inbox with an outdated configuration would page.
import { eq, type SQLWrapper, sql } from "drizzle-orm";
import { notFound } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import type { Reference } from "../../../kernel/db/references.ts";
import type { Change, Decision } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { integrations, maintenanceWindowIntegrations } from "../../schema/integrations.ts";
import { selectIntegrations, toIntegrationConfiguration } from "../inbox/integration-rows.ts";
import { configureInbox } from "../integrations/configure-inbox.ts";
import type { MaintenanceWindow } from "./contract.ts";
import type { UpdateMaintenanceWindow } from "./parameters.ts";
import { maintenanceWindowRecords } from "./rows.ts";

/** The records that the parameters name. */
export const referencesOf = (body: UpdateMaintenanceWindow): Reference[] => [
  { field: "integration_ids", kind: "integration", ids: body.integration_ids ?? [] },
];

/** The statements that replace a window's integrations. */
export function writeIntegrations(
  accountId: string,
  windowId: string,
  ids: readonly string[],
): SQLWrapper[] {
  return [
    build
      .delete(maintenanceWindowIntegrations)
      .where(eq(maintenanceWindowIntegrations.maintenanceWindowId, windowId)),
    sql`insert into ${maintenanceWindowIntegrations} (account_id, maintenance_window_id, integration_id)
      select ${accountId}, ${windowId}, value from json_each(${JSON.stringify(ids)})`,
  ];
}

type WindowChange = Omit<Change<"MaintenanceWindow">, "records">;

/**
 * The decision of a change, after which the inboxes of these integrations are sent their
 * configuration. Raises their `updated_at`, so that an inbox discards a configuration from before the
 * window in whatever order they arrive.
 */
export function decideWindow(
  { env, actor, now, waitUntil }: Context,
  change: WindowChange,
  integrationIds: readonly string[],
) {
  const concerned = sql`${integrations.accountId} = ${actor.accountId}
    and ${integrations.id} in (select value from json_each(${JSON.stringify(integrationIds)}))`;
  const raise = sql`update ${integrations}
    set updated_at = max(${now}, ${integrations.updatedAt} + 1) where ${concerned}`;
  return {
    ...change,
    records: maintenanceWindowRecords,
    writes: [...change.writes, raise],
    reads: [selectIntegrations(concerned)] as const,
    answer: async ({ after, rows }) => {
      const [configurations] = rows;
      await Promise.all(
        configurations.map((row) =>
          configureInbox(env, toIntegrationConfiguration(row), waitUntil),
        ),
      );
      return after ?? notFound("maintenance_window");
    },
  } satisfies Decision<
    "MaintenanceWindow",
    MaintenanceWindow,
    readonly [ReturnType<typeof selectIntegrations>]
  >;
}
