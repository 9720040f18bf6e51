// Telling an integration's inbox what it has to know. Only an inbox that has received something is told: an
// object lives where it was first called from, and that should be its sender.
import type { IntegrationConfiguration } from "../../domain/integrations/integration-configuration.ts";
import type { InboxStub } from "../../objects/shared/rpc.ts";
import { integrationInbox } from "../../objects/shared/stubs.ts";

type WaitUntil = (work: Promise<unknown>) => void;

/** Pauses before telling again, ms; after that the inbox finds out when it next refreshes. */
const PAUSES_MS = [200, 1_000, 5_000];

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
