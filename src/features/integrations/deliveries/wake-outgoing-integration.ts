import type { IntegrationConfiguration } from "../../../domain/integrations/integration-configuration.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { integrationTypeNamed } from "../../../products/registry.ts";
import type { Context } from "../../change/context.ts";
import { watchSchedules } from "../../oncall/schedules/watch-schedules.ts";
import { outgoingObject } from "../../stubs.ts";

/**
 * Wakes the object of an outgoing integration after a change, to deliver or cancel its queue, and
 * reschedules the shift notifications of the account's schedules. Does nothing for other types.
 * Never throws.
 */
export async function wakeOutgoingIntegration(
  context: Context,
  { integrationType, prefixId }: IntegrationConfiguration,
): Promise<void> {
  if (integrationTypeNamed(integrationType)?.outgoing === undefined) return;
  const failed = (error: unknown) => {
    logFault("an outgoing integration could not be refreshed", error, { prefixId });
  };
  await outgoingObject(context.env, prefixId).refresh().catch(failed);
  context.waitUntil(watchSchedules(context).catch(failed));
}
