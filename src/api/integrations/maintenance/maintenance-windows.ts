// Maintenance windows: times in which an integration's alerts are stored but page nobody (contract
// 2, Maintenance windows). Every write updates the inboxes concerned: an inbox with an outdated
// configuration would page.
import { eq, type SQLWrapper, sql } from "drizzle-orm";
import type { MaintenanceWindow } from "../../../contract/integrations/maintenance-window.ts";
import {
  CreateMaintenanceWindow,
  UpdateMaintenanceWindow,
} from "../../../contract/integrations/maintenance-window-parameters.ts";
import {
  integrationConfigurationColumns,
  toIntegrationConfiguration,
} from "../../../db/integrations/integration-rows.ts";
import {
  commonAttributes,
  instant,
  type RawRow,
  references,
  string,
} from "../../../db/records/attributes.ts";
import { presentRecord, type Records, selectOne } from "../../../db/records/records.ts";
import { type Reference, resolveWith } from "../../../db/records/references.ts";
import {
  integrations,
  maintenanceWindowIntegrations,
  maintenanceWindows,
} from "../../../db/schema/integrations.ts";
import { build, statement } from "../../../db/shared/database.ts";
import { newIdentity } from "../../../db/shared/identifiers.ts";
import {
  assertUnchanged,
  nextUpdatedAt,
  retryOnConflict,
} from "../../../db/shared/optimistic-retry.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { type Answer, created, found, nothing } from "../../../http/answers.ts";
import { notFound, oneRecord, pathIdentifier, readRoutes } from "../../../http/records.ts";
import { type ApiRequest, type Route, route, updateRoutes } from "../../../http/route.ts";
import { made, noBody, one } from "../../../http/shown.ts";
import { tellInbox } from "../integration-configuration.ts";
import { intervalOf } from "./maintenance-window-parameters.ts";

// ── Rows ──

const integrationsOfWindow = sql<
  readonly string[]
>`(select json_group_array(integration_id order by integration_id)
  from ${maintenanceWindowIntegrations}
  where ${maintenanceWindowIntegrations.maintenanceWindowId} = ${maintenanceWindows.id})`;

const maintenanceWindowRecords: Records<"MaintenanceWindow"> = {
  kind: "maintenance_window",
  shows: "MaintenanceWindow",
  from: maintenanceWindows,
  accountId: maintenanceWindows.accountId,
  id: maintenanceWindows.id,
  prefixId: maintenanceWindows.prefixId,
  attributes: {
    ...commonAttributes(maintenanceWindows),
    name: string(maintenanceWindows.name),
    description: string(maintenanceWindows.description),
    start_datetime: instant(maintenanceWindows.startAt),
    end_datetime: instant(maintenanceWindows.endAt),
    start_time: instant(maintenanceWindows.startAt),
    end_time: instant(maintenanceWindows.endAt),
    time_zone: string(maintenanceWindows.timeZone),
    integration_ids: references(integrationsOfWindow, maintenanceWindows.accountId, integrations),
  },
  search: [maintenanceWindows.name],
  total: "maintenance_windows",
};

/** The stored window, as a write reads it. */
type StoredWindow = {
  readonly id: string;
  readonly updatedAt: number;
  readonly startAt: number;
  readonly endAt: number;
  readonly timeZone: string;
  readonly integrationIds: readonly string[];
};

const selectStoredWindow = (accountId: string, identifier: Identifier) =>
  sql`select ${maintenanceWindows.id} as id, ${maintenanceWindows.updatedAt} as updated_at,
      ${maintenanceWindows.startAt} as start_at, ${maintenanceWindows.endAt} as end_at,
      ${maintenanceWindows.timeZone} as time_zone, ${integrationsOfWindow} as integration_ids
    from ${maintenanceWindows} where ${oneRecord(maintenanceWindows, accountId, identifier)}`;

function toStoredWindow(row: RawRow): StoredWindow {
  return {
    id: String(row.id),
    updatedAt: Number(row.updated_at),
    startAt: Number(row.start_at),
    endAt: Number(row.end_at),
    timeZone: String(row.time_zone),
    integrationIds: JSON.parse(String(row.integration_ids)) as string[],
  };
}

/** The columns that the parameters set; omitted parameters leave theirs unchanged. */
function columnsOf(body: UpdateMaintenanceWindow) {
  return {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.description !== undefined && { description: body.description }),
    ...(body.meta !== undefined && { meta: body.meta }),
  };
}

function writeIntegrations(
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

// ── Rules ──

const referencesOf = (body: UpdateMaintenanceWindow): Reference[] => [
  { field: "integration_ids", kind: "integration", ids: body.integration_ids ?? [] },
];

// ── Routes ──

/**
 * Writes, and sends the configuration to the inboxes of these integrations. Raises their
 * `updated_at`, so that an inbox discards a configuration from before the window in whatever order
 * they arrive.
 */
async function writeAndConfigure(
  request: ApiRequest<unknown>,
  writes: readonly SQLWrapper[],
  integrationIds: readonly string[],
  identifier: Identifier,
): Promise<MaintenanceWindow | null> {
  const { db, env, actor, now, waitUntil } = request;
  const concerned = sql`${integrations.accountId} = ${actor.accountId}
    and ${integrations.id} in (select value from json_each(${JSON.stringify(integrationIds)}))`;
  const queries = [
    ...writes,
    sql`update ${integrations} set updated_at = max(${now}, ${integrations.updatedAt} + 1)
      where ${concerned}`,
    sql`select ${integrationConfigurationColumns} from ${integrations} where ${concerned}`,
    selectOne(maintenanceWindowRecords, actor.accountId, identifier),
  ];
  const results = await db.batch<RawRow>(queries.map((query) => statement(db, query)));
  const [configurations, shown] = results.slice(-2).map((result) => result.results);
  const updates = (configurations ?? []).map((row) =>
    tellInbox(env, toIntegrationConfiguration(row), waitUntil),
  );
  await Promise.all(updates);
  return shown?.[0] ? presentRecord(maintenanceWindowRecords, shown[0]) : null;
}

async function create(request: ApiRequest<CreateMaintenanceWindow>): Promise<Answer> {
  const { db, actor, now, body, recordId } = request;
  const { accountId } = actor;
  const { resolved } = await resolveWith(db, accountId, referencesOf(body), []);
  const { interval, errors } = intervalOf(body, null);
  if (!resolved.ok) return refuseFields([...errors, ...resolved.errors]);
  if (errors.length > 0) return refuseFields(errors);
  const row = {
    ...newIdentity("maintenance_window", now, recordId),
    accountId,
    ...columnsOf(body),
    name: body.name,
    ...interval,
  };
  const ids = resolved.idsOf("integration_ids");
  const writes = [
    build.insert(maintenanceWindows).values(row),
    ...writeIntegrations(accountId, row.id, ids),
  ];
  return created(await writeAndConfigure(request, writes, ids, { form: "id", value: row.id }));
}

async function update(
  request: ApiRequest<UpdateMaintenanceWindow>,
  identifier: Identifier,
): Promise<Answer> {
  const { db, actor, now, body } = request;
  const { accountId } = actor;
  const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body), [
    selectStoredWindow(accountId, identifier),
  ]);
  const row = rows[0]?.[0];
  if (!row) return notFound("maintenance_window");
  const stored = toStoredWindow(row);
  const { interval, errors } = intervalOf(body, stored);
  if (!resolved.ok) return refuseFields([...errors, ...resolved.errors]);
  if (errors.length > 0) return refuseFields(errors);
  const ids = body.integration_ids ? resolved.idsOf("integration_ids") : stored.integrationIds;
  const columns = {
    ...columnsOf(body),
    ...interval,
    updatedAt: nextUpdatedAt(stored.updatedAt, now),
  };
  const writes = [
    assertUnchanged(maintenanceWindows, stored.id, stored.updatedAt),
    build.update(maintenanceWindows).set(columns).where(eq(maintenanceWindows.id, stored.id)),
    ...(body.integration_ids ? writeIntegrations(accountId, stored.id, ids) : []),
  ];
  const concerned = [...stored.integrationIds, ...ids];
  return found(await writeAndConfigure(request, writes, concerned, identifier));
}

async function remove(request: ApiRequest, identifier: Identifier): Promise<Answer> {
  const { db, actor } = request;
  const row = await statement(db, selectStoredWindow(actor.accountId, identifier)).first<RawRow>();
  if (!row) return notFound("maintenance_window");
  const stored = toStoredWindow(row);
  const writes = [
    assertUnchanged(maintenanceWindows, stored.id, stored.updatedAt),
    build.delete(maintenanceWindows).where(eq(maintenanceWindows.id, stored.id)),
  ];
  await writeAndConfigure(request, writes, stored.integrationIds, identifier);
  return nothing;
}

/** Runs a write to the window in the path, with optimistic retry. */
const onWindow =
  <Body>(write: (request: ApiRequest<Body>, identifier: Identifier) => Promise<Answer>) =>
  async (request: ApiRequest<Body>): Promise<Answer> => {
    const identifier = pathIdentifier(request, "maintenance_window");
    if (isRefusal(identifier)) return identifier;
    return retryOnConflict(() => write(request, identifier));
  };

export const maintenanceWindowRoutes: readonly Route[] = [
  ...readRoutes("/maintenance_windows", "MaintenanceWindow", maintenanceWindowRecords),
  route({
    method: "POST",
    path: "/maintenance_windows",
    operation: "createMaintenanceWindow",
    summary: "Create a maintenance window",
    shows: made(maintenanceWindowRecords),
    allow: "admin",
    body: CreateMaintenanceWindow,
    furtherChecks: (body) => ({
      faults: body.start_datetime && body.end_datetime ? intervalOf(body, null).errors : [],
      references: referencesOf(body),
    }),
    makes: maintenanceWindowRecords,
    handle: (request) => retryOnConflict(() => create(request)),
  }),
  ...updateRoutes({
    path: "/maintenance_windows/:id",
    operation: "updateMaintenanceWindow",
    summary: "Update a maintenance window",
    shows: one(maintenanceWindowRecords),
    allow: "admin",
    body: UpdateMaintenanceWindow,
    furtherChecks: (body) => ({ references: referencesOf(body) }),
    handle: onWindow(update),
  }),
  route({
    method: "DELETE",
    path: "/maintenance_windows/:id",
    operation: "deleteMaintenanceWindow",
    summary: "Delete a maintenance window",
    shows: noBody,
    refuses: ["conflict"],
    allow: "admin",
    handle: onWindow(remove),
  }),
];
