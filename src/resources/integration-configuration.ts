// Telling an integration's inbox what it has to know. Only an inbox that has received something is told: an
// object lives where it was first called from, and that should be its sender.
import { openSession } from "../db/database.ts";
import { readIntegrationConfiguration } from "../db/integration-rows.ts";
import type { IntegrationConfiguration } from "../domain/integration-configuration.ts";
import type { InboxStub } from "../objects/rpc.ts";
import { integrationInbox } from "../objects/stubs.ts";

type WaitUntil = (work: Promise<unknown>) => void;

/** Pauses before telling again, ms; after that the inbox finds out when it next refreshes. */
const PAUSES_MS = [200, 1_000, 5_000];

/** Reads an integration's configuration and tells its inbox, after a write to whatever the inbox depends on. */
export async function pushConfiguration(
  env: Cloudflare.Env,
  integrationPrefixId: string,
  waitUntil: WaitUntil,
): Promise<void> {
  const db = openSession(env.DB, null, true);
  const configuration = await readIntegrationConfiguration(db, integrationPrefixId);
  if (configuration !== null) await tellInbox(env, configuration, waitUntil);
}

/**
 * Tells an inbox its configuration, once before the caller is answered; should that fail, again in the background.
 * Never fails the caller: what it was asked to write is written.
 */
export async function tellInbox(
  env: Cloudflare.Env,
  configuration: IntegrationConfiguration,
  waitUntil: WaitUntil,
): Promise<void> {
  if (configuration.receivedAt === null) return;
  const inbox = integrationInbox(env, configuration.prefixId);
  try {
    await inbox.configure(configuration);
  } catch {
    waitUntil(tellAgain(inbox, configuration));
  }
}

async function tellAgain(inbox: InboxStub, configuration: IntegrationConfiguration): Promise<void> {
  for (const pause of PAUSES_MS) {
    await scheduler.wait(pause);
    try {
      return await inbox.configure(configuration);
    } catch (error) {
      const message = "an integration's inbox could not be told its configuration";
      const { prefixId } = configuration;
      console.error({ message, prefixId, error: error instanceof Error ? error.name : "unknown" });
    }
  }
}
