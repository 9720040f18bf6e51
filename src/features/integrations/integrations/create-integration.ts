import { type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { plainColumns } from "../../../kernel/db/plain-columns.ts";
import { resolveWith } from "../../../kernel/db/references.ts";
import { newIntakeKey } from "../../access/sessions/credentials.ts";
import { integrations } from "../../schema/integrations.ts";
import { newOptions } from "./change-options.ts";
import type { Integration } from "./contract.ts";
import { missingReceivers, receiverReferences, writeReceivers } from "./integration-receivers.ts";
import type { IntegrationContext } from "./integration-records.ts";
import { commitIntegration } from "./integration-writes.ts";
import type { CreateIntegration } from "./parameters.ts";

/**
 * Creates an integration (contract 2, Integrations).
 *
 * @param id the ULID of the new integration
 * @returns the integration; 422 for invalid options, and for unknown receivers or none
 */
export function createIntegration(
  context: IntegrationContext,
  id: string,
  body: CreateIntegration,
): Promise<Integration | Refusal> {
  const { db, env, actor, now } = context;
  const { accountId } = actor;
  return retryOnConflict(async () => {
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
    return commitIntegration(context, { verb: "create", id, before: null, writes });
  });
}
