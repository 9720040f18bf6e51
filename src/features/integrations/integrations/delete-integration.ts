import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { nextUpdatedAt } from "../../../kernel/db/optimistic-retry.ts";
import { oneRecord } from "../../../kernel/db/records.ts";
import { commitUnread } from "../../change/commit.ts";
import { integrations } from "../../schema/integrations.ts";
import { selectIntegration, toIntegrationConfiguration } from "../inbox/integration-rows.ts";
import { type IntegrationContext, integrationRecords } from "./integration-records.ts";
import { applyConfiguration } from "./integration-writes.ts";

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
