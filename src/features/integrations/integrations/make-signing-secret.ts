import { eq } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import {
  assertUnchanged,
  nextUpdatedAt,
  retryOnConflict,
} from "../../../kernel/db/optimistic-retry.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { batch } from "../../../kernel/db/select.ts";
import { integrationTypeNamed } from "../../../products/registry.ts";
import { commitChange } from "../../change/commit.ts";
import { integrations } from "../../schema/integrations.ts";
import { selectIntegration } from "../inbox/integration-rows.ts";
import { newSigningSecret } from "./change-options.ts";
import type { SigningSecret } from "./contract.ts";
import { type IntegrationContext, integrationRecords } from "./rows.ts";

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
