// Integrations: receive events from third parties and define the receivers of their alerts
// (contract 2, Integrations). Every write updates the configuration in the integration's inbox.
// Secrets are never shown.
import { eq, type SQLWrapper } from "drizzle-orm";
import type { Integration } from "../../contract/integrations/integration.ts";
import {
  CreateIntegration,
  UpdateIntegration,
} from "../../contract/integrations/integration-parameters.ts";
import { toIntegrationConfiguration } from "../../db/integrations/integration-rows.ts";
import type { RawRow } from "../../db/records/attributes.ts";
import { oneRecord, presentRecord, selectOne } from "../../db/records/records.ts";
import { resolveWith } from "../../db/records/references.ts";
import { integrations } from "../../db/schema/integrations.ts";
import { build, statement } from "../../db/shared/database.ts";
import { newIdentity } from "../../db/shared/identifiers.ts";
import {
  assertUnchanged,
  nextUpdatedAt,
  retryOnConflict,
} from "../../db/shared/optimistic-retry.ts";
import type { Identifier } from "../../domain/shared/identifiers.ts";
import { type FieldError, isRefusal, notFound, refuseFields } from "../../domain/shared/refusal.ts";
import { type Answer, created, found, nothing } from "../../http/answers.ts";
import { pathIdentifier, readRoutes } from "../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route, updateRoutes } from "../../http/route.ts";
import { made, noBody, one } from "../../http/shown.ts";
import { integrationTypeNamed } from "../../integrations/registry.ts";
import { configureInbox } from "../../services/integrations/configure-inbox.ts";
import { type KeptOptions, mergeOptions } from "./integration-options.ts";
import { missingReceivers, receiverReferences, writeReceivers } from "./integration-receivers.ts";
import { integrationRecords, selectHeld, toHeld } from "./integration-records.ts";
import { newIntakeKey } from "./integration-rotation.ts";
import { tellOutgoing, withOutgoing } from "./outgoing-options.ts";

// ── Rows ──

/** The columns that the parameters set; omitted parameters leave theirs unchanged. */
function columnsOf(body: UpdateIntegration) {
  return {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.enabled !== undefined && { enabled: body.enabled }),
    ...(body.urgency !== undefined && { urgency: body.urgency }),
    ...(body.meta !== undefined && { meta: body.meta }),
  };
}

/** Writes and reads the record in one round trip, then sends the configuration to the inbox. */
async function writeAndConfigure(
  request: ApiRequest<unknown>,
  writes: readonly SQLWrapper[],
  identifier: Identifier,
): Promise<Integration> {
  const { db, env, actor, waitUntil } = request;
  const records = integrationRecords(request);
  const reads = [
    selectOne(records, actor.accountId, identifier),
    selectHeld(actor.accountId, identifier),
  ];
  const results = await db.batch<RawRow>([...writes, ...reads].map((it) => statement(db, it)));
  const [shown, configurationRow] = results.slice(-2).map((result) => result.results[0] as RawRow);
  await configureInbox(env, toIntegrationConfiguration(configurationRow as RawRow), waitUntil);
  return presentRecord(records, shown as RawRow);
}

// ── Rules ──

const NO_OPTIONS: KeptOptions = { options: {}, secrets: {} };

// ── Routes ──

async function create(request: ApiRequest<CreateIntegration>): Promise<Answer> {
  const { db, actor, now, body, recordId } = request;
  const { accountId } = actor;
  const type = body.integration_type_id;
  const merged = mergeOptions(type, NO_OPTIONS, body.options);
  const { options, secrets, errors } = withOutgoing(type, merged, request.env);
  const { resolved } = await resolveWith(db, accountId, receiverReferences(body), []);
  const faults = [...errors, ...missingReceivers(body, {})];
  if (!resolved.ok) return refuseFields([...faults, ...resolved.errors]);
  if (faults.length > 0) return refuseFields(faults);
  const identity = newIdentity("integration", now, recordId);
  const row = {
    ...identity,
    accountId,
    ...columnsOf(body),
    name: body.name,
    urgency: body.urgency,
    integrationType: type.name,
    options,
    secrets,
    intakeKey: newIntakeKey(identity.id),
  };
  const writes = [
    build.insert(integrations).values(row),
    ...writeReceivers(accountId, row.id, body, resolved),
  ];
  const shown = await writeAndConfigure(request, writes, { form: "id", value: row.id });
  await tellOutgoing(request, type, row.prefixId);
  return created(shown);
}

async function update(
  request: ApiRequest<UpdateIntegration>,
  identifier: Identifier,
): Promise<Answer> {
  const { db, actor, now, body } = request;
  const { accountId } = actor;
  const read = selectHeld(accountId, identifier);
  const { resolved, rows } = await resolveWith(db, accountId, receiverReferences(body), [read]);
  const row = rows[0]?.[0];
  if (!row) return notFound("integration");
  const stored = toHeld(row);
  const type = body.integration_type_id ?? stored.type;
  const merged = type && withOutgoing(type, mergeOptions(type, stored, body.options), request.env);
  const faults: FieldError[] = [
    ...(merged?.errors ?? []),
    ...missingReceivers(body, stored.receivers),
  ];
  if (!resolved.ok) return refuseFields([...faults, ...resolved.errors]);
  if (faults.length > 0) return refuseFields(faults);
  const columns = {
    ...columnsOf(body),
    ...(type &&
      merged && { integrationType: type.name, options: merged.options, secrets: merged.secrets }),
    updatedAt: nextUpdatedAt(stored.updatedAt, now),
  };
  const writes = [
    assertUnchanged(integrations, stored.id, stored.updatedAt),
    build.update(integrations).set(columns).where(eq(integrations.id, stored.id)),
    ...writeReceivers(accountId, stored.id, body, resolved),
  ];
  const shown = await writeAndConfigure(request, writes, identifier);
  await tellOutgoing(request, type, String(shown.prefix_id));
  return found(shown);
}

/** Keeps the integration's alerts, and makes its inbox reject further events. */
async function remove(request: ApiRequest): Promise<Answer> {
  const { db, env, actor, waitUntil } = request;
  const identifier = pathIdentifier(request, "integration");
  if (isRefusal(identifier)) return identifier;
  const deletion = build
    .delete(integrations)
    .where(oneRecord(integrations, actor.accountId, identifier));
  const [target] = await db.batch<RawRow>([
    statement(db, selectHeld(actor.accountId, identifier)),
    statement(db, deletion),
  ]);
  const row = target?.results[0];
  if (!row) return notFound("integration");
  const last = toIntegrationConfiguration(row);
  const closed = { ...last, enabled: false, updatedAt: nextUpdatedAt(last.updatedAt, request.now) };
  await configureInbox(env, closed, waitUntil);
  await tellOutgoing(request, integrationTypeNamed(last.integrationType), last.prefixId);
  return nothing;
}

export const integrationRoutes: readonly DeclaredRoute[] = [
  ...readRoutes("/integrations", "Integration", integrationRecords),
  route({
    method: "POST",
    path: "/integrations",
    operation: "createIntegration",
    summary: "Create an integration",
    shows: made(integrationRecords),
    body: CreateIntegration,
    furtherChecks: (body, { env }) => {
      const type = body.integration_type_id;
      const merged = type && mergeOptions(type, NO_OPTIONS, body.options ?? {});
      const options = type && merged ? withOutgoing(type, merged, env).errors : [];
      const faults = [...options, ...missingReceivers(body, {})];
      return { faults, references: receiverReferences(body) };
    },
    makes: integrationRecords,
    handle: (request) => retryOnConflict(() => create(request)),
  }),
  ...updateRoutes({
    path: "/integrations/:id",
    operation: "updateIntegration",
    summary: "Update an integration",
    shows: one(integrationRecords),
    body: UpdateIntegration,
    furtherChecks: (body) => ({ references: receiverReferences(body) }),
    handle: async (request) => {
      const identifier = pathIdentifier(request, "integration");
      if (isRefusal(identifier)) return identifier;
      return retryOnConflict(() => update(request, identifier));
    },
  }),
  route({
    method: "DELETE",
    path: "/integrations/:id",
    operation: "deleteIntegration",
    summary: "Delete an integration",
    shows: noBody,
    handle: remove,
  }),
];
