import { eq } from "drizzle-orm";
import type { SigningSecret } from "../../../contract/integrations/integration-credentials.ts";
import { selectIntegration } from "../../../db/integrations/integration-rows.ts";
import { selectRecord } from "../../../db/records/records.ts";
import { integrations } from "../../../db/schema/integrations.ts";
import { build } from "../../../db/shared/database.ts";
import {
  assertUnchanged,
  nextUpdatedAt,
  retryOnConflict,
} from "../../../db/shared/optimistic-retry.ts";
import { batch } from "../../../db/shared/select.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { integrationTypeNamed } from "../../../integrations/registry.ts";
import { commitChange } from "../../shared/commit.ts";
import { type IntegrationContext, integrationRecords } from "../integration-records.ts";
import { newSigningSecret } from "../options/change-options.ts";

/**
 * Replaces the secret that signs an outgoing integration's requests, at once.
 *
 * @returns the new secret, which is not shown again; 404; 409 for an integration that does not
 *   sign its requests
 */
export function makeSigningSecret(
  context: IntegrationContext,
  identifier: Identifier,
): Promise<SigningSecret | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  const records = integrationRecords(context);
  return retryOnConflict(async () => {
    const [[stored], [before]] = await batch(db, [
      selectIntegration(accountId, identifier),
      selectRecord(records, accountId, identifier),
    ]);
    if (!stored || !before) return notFound("integration");
    const { id, integrationType, secrets, updatedAt } = stored;
    if (integrationTypeNamed(integrationType)?.outgoing?.signs !== true) {
      return refuse("conflict", "this integration does not sign its requests");
    }
    const secret = newSigningSecret();
    const columns = {
      secrets: { ...secrets, secret },
      updatedAt: nextUpdatedAt(updatedAt, now),
    };
    const writes = [
      assertUnchanged(integrations, id, updatedAt),
      build.update(integrations).set(columns).where(eq(integrations.id, id)),
    ];
    await commitChange(context, { verb: "rotate", records, id, before, writes });
    return { secret };
  });
}
