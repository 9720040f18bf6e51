import { sql } from "drizzle-orm";
import { statement } from "../../../kernel/db/database.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { notifyChanges } from "../../change/notify-changes.ts";
import {
  selectIntegrations,
  toIntegrationConfiguration,
} from "../../integrations/inbox/integration-rows.ts";
import { configureInbox } from "../../integrations/integrations/configure-inbox.ts";
import { integrations } from "../../schema/integrations.ts";
import type { Readiness } from "./contract.ts";
import type { UpdateReadiness } from "./parameters.ts";
import { readReadiness } from "./read-readiness.ts";
import { setIntegrationsById, setReadinessDigest } from "./rows.ts";

/**
 * Changes whether the account's admins get the weekly digest, from which each may opt out, and
 * whether integrations may be called by their bare ids.
 */
export async function updateReadiness(
  context: Context,
  { weekly_digest, integrations_by_id }: UpdateReadiness,
): Promise<Readiness> {
  const { db, env, actor, now, waitUntil } = context;
  if (weekly_digest !== undefined) {
    await statement(db, setReadinessDigest(actor.accountId, weekly_digest, now)).run();
    waitUntil(notifyChanges(env, actor.accountId));
  }
  if (integrations_by_id !== undefined) await changeIntegrationsById(context, integrations_by_id);
  return readReadiness(context);
}

/**
 * Sends the configuration to all inboxes of the account. Raises their `updated_at`, so that an inbox
 * discards a configuration from before, in whatever order they arrive.
 */
async function changeIntegrationsById(context: Context, isOn: boolean): Promise<void> {
  const { db, env, actor, now, waitUntil } = context;
  const concerned = sql`${integrations.accountId} = ${actor.accountId}`;
  const [, , rows] = await batch(db, [
    setIntegrationsById(actor.accountId, isOn, now),
    sql`update ${integrations} set updated_at = max(${now}, ${integrations.updatedAt} + 1)
      where ${concerned}`,
    selectIntegrations(concerned),
  ]);
  await Promise.all(
    rows.map((row) => configureInbox(env, toIntegrationConfiguration(row), waitUntil)),
  );
}
