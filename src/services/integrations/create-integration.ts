import type { Integration } from "../../contract/integrations/integration.ts";
import type { CreateIntegration } from "../../contract/integrations/integration-parameters.ts";
import { newIntakeKey } from "../../db/access/credentials.ts";
import { plainColumns } from "../../db/records/plain-columns.ts";
import { resolveWith } from "../../db/records/references.ts";
import { integrations } from "../../db/schema/integrations.ts";
import { build } from "../../db/shared/database.ts";
import { newIdentity } from "../../db/shared/identifiers.ts";
import { retryOnConflict } from "../../db/shared/optimistic-retry.ts";
import { type Refusal, refuseFields } from "../../domain/shared/refusal.ts";
import { missingReceivers, receiverReferences, writeReceivers } from "./integration-receivers.ts";
import type { IntegrationContext } from "./integration-records.ts";
import { commitIntegration } from "./integration-writes.ts";
import { newOptions } from "./options/change-options.ts";

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
