// Deliveries: the messages of outgoing integrations, with their outcome (contract 2, Integrations).
// Failed and cancelled deliveries can be retried; the body that the receiver got is never shown.
import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { requeueDelivery } from "../../db/integrations/outgoing-rows.ts";
import {
  commonAttributes,
  instant,
  number,
  type RawRow,
  reference,
  string,
} from "../../db/records/attributes.ts";
import { identified, type Records } from "../../db/records/records.ts";
import { alerts } from "../../db/schema/alerts.ts";
import { deliveries, integrations } from "../../db/schema/integrations.ts";
import { statement } from "../../db/shared/database.ts";
import { isRefusal, notFound, refuse } from "../../domain/shared/refusal.ts";
import { type Answer, found } from "../../http/answers.ts";
import { listRecords, pathIdentifier, readRecord, readRoutes } from "../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../http/route.ts";
import { many, one } from "../../http/shown.ts";
import { outgoingObject } from "../../objects/shared/stubs.ts";

// ── Shape and rows ──

const deliveryRecords: Records<"Delivery"> = {
  kind: "delivery",
  shows: "Delivery",
  from: deliveries,
  accountId: deliveries.accountId,
  id: deliveries.id,
  prefixId: deliveries.prefixId,
  attributes: {
    ...commonAttributes(deliveries),
    integration_id: reference(deliveries.integrationId, deliveries.accountId, integrations),
    alert_id: reference(deliveries.alertId, deliveries.accountId, alerts),
    event: string(deliveries.event),
    status: string(deliveries.status),
    attempts: number(deliveries.attempts),
    response_code: number(deliveries.responseCode),
    reason: string(deliveries.reason),
    queued_at: instant(deliveries.queuedAt),
    attempted_at: instant(deliveries.attemptedAt),
    next_attempt_at: instant(deliveries.nextAt),
    delivered_at: instant(deliveries.deliveredAt),
    failed_at: instant(deliveries.failedAt),
  },
  search: [],
  total: "deliveries",
};

const integrationPlace = {
  kind: "integration",
  from: integrations,
  accountId: integrations.accountId,
  id: integrations.id,
  prefixId: integrations.prefixId,
} as const;

// ── Routes ──

async function listOfIntegration(request: ApiRequest): Promise<Answer> {
  const identifier = pathIdentifier(request, "integration");
  if (isRefusal(identifier)) return identifier;
  return listRecords(request, deliveryRecords, {
    below: {
      parent: integrationPlace,
      identifier,
      scope: (id: SQL) => sql`${deliveries.integrationId} = (${id})`,
    },
  });
}

async function retry(request: ApiRequest): Promise<Answer> {
  const identifier = pathIdentifier(request, "delivery");
  if (isRefusal(identifier)) return identifier;
  const { db, actor, env, now } = request;
  const query = sql`select ${deliveries.id} as id, ${deliveries.status} as status,
      ${integrations.prefixId} as name, ${integrations.enabled} as enabled
    from ${deliveries} join ${integrations} on ${integrations.id} = ${deliveries.integrationId}
    where ${deliveries.accountId} = ${actor.accountId} and ${identified(deliveryRecords, identifier)}`;
  const row = await statement(db, query).first<RawRow>();
  if (!row) return notFound("delivery");
  if (row.enabled !== 1) return refuse("conflict", "the integration is disabled; enable it first");
  if (row.status === "delivered") return refuse("conflict", "the delivery has succeeded");
  await statement(db, requeueDelivery(String(row.id), now)).run();
  await outgoingObject(env, String(row.name)).look();
  const record = await readRecord(db, deliveryRecords, actor.accountId, identifier);
  return isRefusal(record) ? record : found(record);
}

export const deliveryRoutes: readonly DeclaredRoute[] = [
  ...readRoutes("/deliveries", "Delivery", deliveryRecords),
  route({
    method: "GET",
    path: "/integrations/:id/deliveries",
    operation: "listIntegrationDeliveries",
    summary: "List an integration's deliveries",
    shows: many(deliveryRecords),
    handle: listOfIntegration,
  }),
  route({
    method: "POST",
    path: "/deliveries/:id/retry",
    operation: "retryDelivery",
    summary: "Retry a delivery",
    description: `Queues a failed or cancelled delivery again: it is attempted immediately and retried for another day. A queued delivery is attempted immediately. The \`webhook-id\` does not change.`,
    shows: one(deliveryRecords),
    refuses: ["conflict"],
    body: z.object({}),
    handle: retry,
  }),
];
