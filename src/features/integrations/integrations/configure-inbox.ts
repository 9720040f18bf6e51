// Sends an integration's configuration to its inbox object, from its creation on: the first event
// may come while the database is down.
import type { IntegrationConfiguration } from "../../../domain/integrations/integration-configuration.ts";
import { integrationTypeNamed } from "../../../products/registry.ts";
import { integrationInbox } from "../../stubs.ts";

type WaitUntil = (work: Promise<unknown>) => void;

/**
 * Pauses before retries, ms. After the last, the inbox gets the configuration at its next refresh.
 */
const PAUSES_MS = [200, 1_000, 5_000];

/**
 * Sends the configuration once before the response, and retries in the background on failure. Never
 * throws: the caller's write has already committed. `isSeen`: somebody has changed the
 * integration itself.
 */
export async function configureInbox(
  env: Cloudflare.Env,
  configuration: IntegrationConfiguration,
  waitUntil: WaitUntil,
  isSeen = false,
): Promise<void> {
  // A type that only sends receives nothing.
  if (integrationTypeNamed(configuration.integrationType)?.outgoing) return;
  // A stub that has failed may fail ever after: each attempt takes a new one.
  const configure = () =>
    integrationInbox(env, configuration.prefixId, configuration.region).configure(
      configuration,
      isSeen,
    );
  try {
    await configure();
  } catch {
    waitUntil(retryConfigure(configure, configuration.prefixId));
  }
}

async function retryConfigure(configure: () => Promise<void>, prefixId: string): Promise<void> {
  for (const pause of PAUSES_MS) {
    await scheduler.wait(pause);
    try {
      return await configure();
    } catch (error) {
      const message = "an integration's inbox did not receive its configuration";
      console.error({ message, prefixId, error: error instanceof Error ? error.name : "unknown" });
    }
  }
}
