// The routes of deliveries: the messages of outgoing integrations, with their outcome (contract 2,
// Integrations).
import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { found } from "../../../kernel/http/answers.ts";
import { listRecords, onRecord, readRoutes } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { many, one } from "../../../kernel/http/shown.ts";
import { deliveries } from "../../schema/integrations.ts";
import { integrationRecords } from "../integrations/rows.ts";
import { deliveryRecords } from "./rows.ts";
import { retryDelivery } from "./verbs.ts";

export const deliveryRoutes = [
  ...readRoutes("/deliveries", "Delivery", deliveryRecords),
  route({
    method: "GET",
    path: "/integrations/:id/deliveries",
    operation: "listIntegrationDeliveries",
    allow: "everyone",
    summary: "List an integration's deliveries",
    shows: many(deliveryRecords),
    handle: onRecord("integration", (request, identifier) =>
      listRecords(request, deliveryRecords, {
        below: {
          parent: integrationRecords(request),
          identifier,
          scope: (id: SQL) => sql`${deliveries.integrationId} = (${id})`,
        },
      }),
    ),
  }),
  route({
    method: "POST",
    path: "/deliveries/:id/retry",
    operation: "retryDelivery",
    allow: "admin",
    summary: "Retry a delivery",
    description: `Queues a failed or cancelled delivery again: it is attempted immediately and retried for another day. A queued delivery is attempted immediately. The \`webhook-id\` does not change.`,
    shows: one(deliveryRecords),
    refuses: ["conflict"],
    body: z.object({}),
    handle: onRecord("delivery", async (request, identifier) =>
      found(await retryDelivery(request, identifier)),
    ),
  }),
];
