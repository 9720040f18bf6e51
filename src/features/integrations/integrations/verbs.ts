import { eq } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { newIntakeKey } from "../../../kernel/credentials.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { assertUnchanged, nextUpdatedAt } from "../../../kernel/db/optimistic-retry.ts";
import { plainColumns } from "../../../kernel/db/plain-columns.ts";
import { oneRecord, selectRecord } from "../../../kernel/db/records.ts";
import { resolveWith } from "../../../kernel/db/references.ts";
import { integrationTypeNamed } from "../../../products/registry.ts";
import type { Decision } from "../../change/change.ts";
import { commitUnread } from "../../change/commit.ts";
import { integrations } from "../../schema/integrations.ts";
import { selectIntegration, toIntegrationConfiguration } from "../inbox/integration-rows.ts";
import { changeOptions, newOptions } from "./change-options.ts";
import {
  missingReceivers,
  receiverReferences,
  receiversOf,
  writeReceivers,
} from "./integration-receivers.ts";
import { applyConfiguration, decideIntegration } from "./integration-writes.ts";
import type { CreateIntegration, UpdateIntegration } from "./parameters.ts";
import { type IntegrationContext, integrationRecords } from "./rows.ts";

/**
 * Creates an integration (contract 2, Integrations).
 *
 * @param id the ULID of the new integration
 * @returns the integration; 422 for invalid options, and for unknown receivers or none
 */
export async function createIntegration(
  context: IntegrationContext,
  id: string,
  body: CreateIntegration,
): Promise<Decision<"Integration"> | Refusal> {
  const { db, env, actor, now } = context;
  const { accountId } = actor;
  const type = body.integration_type_id;
  const { options, secrets, errors } = newOptions(type, body.options, env);
  const { resolved } = await resolveWith(db, accountId, receiverReferences(body), []);
  const faults = [...errors, ...missingReceivers(body, {})];
  if (!resolved.ok) return refuseFields([...faults, ...resolved.errors]);
  if (faults.length > 0) return refuseFields(faults);
  const row = {
    ...newIdentity("integration", now, id),
    accountId,
    acceptsGet: type.acceptsGet ?? false,
    ...plainColumns(integrations, body, "options"),
    name: body.name,
    urgency: body.urgency,
    integrationType: type.name,
    options,
    secrets,
    intakeKey: newIntakeKey(env.LINK_SECRET, id),
  };
  const writes = [
    build.insert(integrations).values(row),
    ...writeReceivers(accountId, id, body, resolved),
  ];
  return decideIntegration(context, { verb: "create", id, before: null, writes });
}

/**
 * Changes an integration (contract 2, Integrations). A new type keeps the options that it declares
 * too, and brings its own `accepts_get`.
 *
 * @returns the integration; 404; 422 for invalid options, and for unknown receivers or none
 */
export async function updateIntegration(
  context: IntegrationContext,
  identifier: Identifier,
  body: UpdateIntegration,
): Promise<Decision<"Integration"> | Refusal> {
  const { db, env, actor, now } = context;
  const { accountId } = actor;
  const { resolved, rows } = await resolveWith(db, accountId, receiverReferences(body), [
    selectIntegration(accountId, identifier),
    selectRecord(integrationRecords(context), accountId, identifier),
  ]);
  const [[stored], [before]] = rows;
  if (!stored || !before) return notFound("integration");
  const { id, updatedAt } = stored;
  const type = body.integration_type_id ?? integrationTypeNamed(stored.integrationType);
  const changed = type && changeOptions(type, stored, body.options, env);
  const faults = [...(changed?.errors ?? []), ...missingReceivers(body, receiversOf(stored))];
  if (!resolved.ok) return refuseFields([...faults, ...resolved.errors]);
  if (faults.length > 0) return refuseFields(faults);
  const isOtherType = type !== null && type.name !== stored.integrationType;
  const columns = {
    // Whether GET is accepted belongs to the type, unless the body says otherwise.
    ...(isOtherType && { acceptsGet: type.acceptsGet ?? false }),
    ...plainColumns(integrations, body, "options"),
    ...(changed && {
      integrationType: type.name,
      options: changed.options,
      secrets: changed.secrets,
    }),
    updatedAt: nextUpdatedAt(updatedAt, now),
  };
  const writes = [
    assertUnchanged(integrations, id, updatedAt),
    build.update(integrations).set(columns).where(eq(integrations.id, id)),
    ...writeReceivers(accountId, id, body, resolved),
  ];
  return decideIntegration(context, { verb: "update", id, before, writes });
}

/**
 * Deletes an integration, and makes its inbox reject further events; its alerts remain. Null, or
 * 404.
 */
export async function deleteIntegration(
  context: IntegrationContext,
  identifier: Identifier,
): Promise<Refusal | null> {
  const { accountId } = context.actor;
  const records = integrationRecords(context);
  const writes = [build.delete(integrations).where(oneRecord(integrations, accountId, identifier))];
  const { rows } = await commitUnread(context, { verb: "delete", records, identifier, writes }, [
    selectIntegration(accountId, identifier),
  ]);
  const [[row]] = rows;
  if (!row) return notFound("integration");
  const last = toIntegrationConfiguration(row);
  const updatedAt = nextUpdatedAt(last.updatedAt, context.now);
  await applyConfiguration(context, { ...last, enabled: false, updatedAt });
  return null;
}
