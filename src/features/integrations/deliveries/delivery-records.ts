// Deliveries, the messages of outgoing integrations: what a record shows, and what a retry reads.
// The body that the receiver got is never shown.
import { sql } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import {
  commonAttributes,
  instant,
  number,
  reference,
  string,
} from "../../../kernel/db/attributes.ts";
import { oneRecord, type Records } from "../../../kernel/db/records.ts";
import { select } from "../../../kernel/db/select.ts";
import { alerts } from "../../schema/alerts.ts";
import { deliveries, integrations } from "../../schema/integrations.ts";

export const deliveryRecords: Records<"Delivery"> = {
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

/** A stored delivery with its integration, as a retry reads it. */
export const selectStoredDelivery = (accountId: string, identifier: Identifier) =>
  select(
    {
      id: deliveries.id,
      status: deliveries.status,
      integrationPrefixId: integrations.prefixId,
      integrationEnabled: integrations.enabled,
    },
    sql`from ${deliveries} join ${integrations} on ${integrations.id} = ${deliveries.integrationId}
      where ${oneRecord(deliveries, accountId, identifier)}`,
  );
