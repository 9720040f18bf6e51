// `POST /integrations/:id/test`: sends a test event through the whole pipeline (contract 2,
// Integrations).
import * as z from "zod";
import type { IntegrationTest } from "../../contract/integrations/integration-preview.ts";
import { toIntegrationConfiguration } from "../../db/integrations/integration-rows.ts";
import { insertDeliveries, selectDelivery } from "../../db/integrations/outgoing-rows.ts";
import type { RawRow } from "../../db/records/attributes.ts";
import { statement } from "../../db/shared/database.ts";
import { newId } from "../../db/shared/identifiers.ts";
import type { Announcement } from "../../domain/integrations/announcement.ts";
import type { IntegrationConfiguration } from "../../domain/integrations/integration-configuration.ts";
import { isRefusal, notFound, refuse } from "../../domain/shared/refusal.ts";
import { type Answer, found } from "../../http/answers.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../http/route.ts";
import { exactly } from "../../http/shown.ts";
import { integrationInbox, outgoingObject } from "../../objects/shared/stubs.ts";
import { readHeld, toHeld } from "./integration-records.ts";

// ── Routes ──

/** Queues a test message of an outgoing integration. */
async function queueTest(
  { env, db, now }: ApiRequest,
  { id, accountId, prefixId, name, enabled }: IntegrationConfiguration,
): Promise<Answer> {
  if (!enabled) return refuse("conflict", "the integration is disabled");
  const effectId = `test:${newId(now)}`;
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
    said: { about: "test", name },
  };
  const queries = [
    insertDeliveries(accountId, [{ integrationId: id, announcement }], now),
    selectDelivery(id, effectId),
  ];
  const results = await db.batch<RawRow>(queries.map((query) => statement(db, query)));
  await outgoingObject(env, prefixId).look();
  const deliveryId = String(results[1]?.results[0]?.id);
  return found<IntegrationTest>({ log_id: null, thirdparty_id: null, delivery_id: deliveryId });
}

/**
 * Sends a test event to the integration's inbox, authorized by the caller's role, not the sender's
 * token.
 */
async function sendTest(request: ApiRequest): Promise<Answer> {
  const row = await readHeld(request);
  if (isRefusal(row)) return row;
  const configuration = toIntegrationConfiguration(row);
  const { prefixId, name } = configuration;
  if (toHeld(row).type?.outgoing !== undefined) return queueTest(request, configuration);
  const { now, env, origin, requestId } = request;
  const thirdpartyId = `test-${newId(now)}`;
  const event = {
    event_type: "create",
    Id: thirdpartyId,
    Title: `Test of ${name}`,
    Description: "A test event: whoever gets this would get this integration's alerts.",
    Tags: ["test"],
  };
  const received = await integrationInbox(env, prefixId)
    .receive({
      method: "POST",
      url: `${origin}/integration/${prefixId}`,
      headers: [["content-type", "application/json"]],
      body: new TextEncoder().encode(JSON.stringify(event)),
      remoteIp: null,
      proof: "caller",
      readAs: "webhook",
    })
    .catch((error: unknown) => {
      console.error({ message: "an inbox failed", requestId, error: String(error).slice(0, 200) });
      return refuse("unavailable", "the integration cannot be reached; try again");
    });
  if (received.kind === "unknown") return notFound("integration");
  if (received.kind === "accepted") {
    return found<IntegrationTest>({
      log_id: received.logId,
      thirdparty_id: thirdpartyId,
      delivery_id: null,
    });
  }
  const isDisabled = received.reason === "not_supported";
  return isDisabled ? refuse("conflict", "the integration is disabled") : received;
}

export const integrationTestEventRoutes: readonly DeclaredRoute[] = [
  route({
    method: "POST",
    path: "/integrations/:id/test",
    operation: "testIntegration",
    summary: "Send a test event",
    description: `Sends a test event through the integration, as a sender would: it creates an alert, notifies people and appears in the log. Find the alert by its \`thirdparty_id\`. An outgoing integration sends a test message; the delivery shows the outcome.`,
    shows: exactly("IntegrationTest"),
    refuses: ["conflict", "unavailable"],
    body: z.object({}),
    handle: sendTest,
  }),
];
