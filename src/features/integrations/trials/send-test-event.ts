import type { Announcement } from "../../../domain/integrations/announcement.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { newDatedId, newId } from "../../../kernel/db/identifiers.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { first } from "../../../kernel/db/select.ts";
import { integrationTypeNamed } from "../../../products/registry.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { insertDeliveries } from "../../outgoing/delivery-rows.ts";
import { integrationInbox, outgoingObject } from "../../stubs.ts";
import { deliveryRecords } from "../deliveries/rows.ts";
import {
  type IntegrationRow,
  selectIntegration,
  toIntegrationConfiguration,
} from "../inbox/integration-rows.ts";
import { readSetUps } from "../integrations/read-set-ups.ts";
import type { IntegrationTest } from "./contract.ts";
import { sampleRequest } from "./sample-request.ts";

/** The scheme and host of senders' URLs, and the id under which failures are logged. */
type TestContext = Context & { readonly origin: string; readonly requestId: string };

const DISABLED = refuse("conflict", "the integration is disabled");

/**
 * Sends a test event through the whole pipeline: to the integration's inbox, in the sender's own
 * format, authorized by the actor instead of the sender's token or signature; of an outgoing
 * integration, to its receiver (contract 2, Integrations).
 *
 * @returns where the result appears; 404; 409 if the integration is disabled; 503 if its inbox
 *   cannot be reached
 */
export async function sendTestEvent(
  context: TestContext,
  identifier: Identifier,
): Promise<IntegrationTest | Refusal> {
  const { db, actor } = context;
  const integration = await first(db, selectIntegration(actor.accountId, identifier));
  if (!integration) return notFound("integration");
  return integrationTypeNamed(integration.integrationType)?.outgoing === undefined
    ? sendToInbox(context, integration)
    : queueTestMessage(context, integration);
}

/** Queues a test message of an outgoing integration. */
async function queueTestMessage(
  context: TestContext,
  { id: integrationId, accountId, prefixId, name, enabled }: IntegrationRow,
): Promise<IntegrationTest | Refusal> {
  const { env, now } = context;
  if (!enabled) return DISABLED;
  const id = newDatedId(now);
  const effectId = `test:${id}`;
  const announcement: Announcement = {
    effectId,
    event: "integration.test",
    at: now,
    lane: effectId,
    sequence: 0,
    alertId: null,
    audience: { teamIds: [], routerIds: [], accountUserIds: [] },
    from: null,
    trail: [],
    payload: { about: "test", name },
  };
  const writes = [insertDeliveries(accountId, [{ id, integrationId, announcement }], now)];
  const change = { verb: "create", records: deliveryRecords, id, before: null, writes };
  const { after } = await commitChange(context, change);
  if (!after) return notFound("integration");
  await outgoingObject(env, prefixId).refresh();
  return { log_id: null, thirdparty_id: null, delivery_id: id };
}

async function sendToInbox(
  { env, now, origin, requestId }: TestContext,
  integration: IntegrationRow,
): Promise<IntegrationTest | Refusal> {
  const { prefixId, name, integrationType } = integration;
  const thirdpartyId = `test-${newId(now)}`;
  const { sample } = (await readSetUps(env))(integrationType);
  const address = `${origin}/integration/${prefixId}`;
  const request = sampleRequest(address, sample, toIntegrationConfiguration(integration));
  const received = await integrationInbox(env, prefixId)
    .receive({
      ...request,
      remoteIp: null,
      proof: "caller",
      test: { integration: name, thirdpartyId },
    })
    .catch((error: unknown) => {
      logFault("an inbox failed", error, { requestId });
      return refuse("unavailable", "the integration cannot be reached; try again");
    });
  if (received.kind === "unknown") return notFound("integration");
  if (received.kind === "accepted") {
    return { log_id: received.logId, thirdparty_id: thirdpartyId, delivery_id: null };
  }
  return received.reason === "not_supported" ? DISABLED : received;
}
