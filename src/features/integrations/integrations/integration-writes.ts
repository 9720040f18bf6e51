// Shared by the verbs of integrations: the commit that sends the configuration to the
// integration's inbox or outgoing object.
import type { IntegrationConfiguration } from "../../../domain/integrations/integration-configuration.ts";
import { notFound } from "../../../domain/shared/refusal.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { integrationTypeNamed } from "../../../products/registry.ts";
import type { Change, Decision } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { watchSchedules } from "../../oncall/schedules/watch-schedules.ts";
import { outgoingObject } from "../../stubs.ts";
import { selectIntegration, toIntegrationConfiguration } from "../inbox/integration-rows.ts";
import { configureInbox } from "./configure-inbox.ts";
import type { Integration } from "./contract.ts";
import { type IntegrationContext, integrationRecords } from "./rows.ts";

/**
 * Wakes the object of an outgoing integration after a change, to deliver or cancel its queue, and
 * reschedules the shift notifications of the account's schedules. Does nothing for other types.
 * Never throws.
 */
async function wakeOutgoingIntegration(
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

/** The decision of a change, after which the integration's new configuration is applied. */
export const decideIntegration = (
  context: IntegrationContext,
  change: Omit<Change<"Integration">, "records">,
) =>
  ({
    ...change,
    records: integrationRecords(context),
    reads: [selectIntegration(context.actor.accountId, { form: "id", value: change.id })] as const,
    answer: async ({ after, rows }) => {
      const [[row]] = rows;
      if (!after || !row) return notFound("integration");
      await applyConfiguration(context, toIntegrationConfiguration(row));
      return after;
    },
  }) satisfies Decision<
    "Integration",
    Integration,
    readonly [ReturnType<typeof selectIntegration>]
  >;

/** Sends a configuration to the integration's objects. Never throws: it is written already. */
export async function applyConfiguration(
  context: IntegrationContext,
  configuration: IntegrationConfiguration,
): Promise<void> {
  await configureInbox(context.env, configuration, context.waitUntil, true);
  await wakeOutgoingIntegration(context, configuration);
}
