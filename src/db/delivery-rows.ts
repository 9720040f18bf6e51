// What providers report of messages they took: delivered, or not after all. A report may come before the sending is
// recorded, twice, or out of order; what has ended stays.
import { sql } from "drizzle-orm";
import type { PageEvent } from "../domain/alert.ts";
import type { PageReport } from "../domain/page.ts";
import { type Connection, statement } from "./database.ts";
import { notifications } from "./schema/alerts.ts";

export type DeliveryReport = {
  readonly status: "sent" | "delivered" | "failed";
  /** The provider's id of the message: of one that was sent twice, a failure counts for the one that was recorded. */
  readonly providerId: string;
  readonly reason: string | null;
};

/** Whose a failed message was, for the alert's story. */
export type Reported = {
  readonly alertId: string | null;
  readonly effectId: string;
  readonly to: string;
  readonly page: PageReport["page"];
};

/** Records a report; null when there is nothing that it changes. */
export async function recordDelivery(
  db: Connection,
  notificationId: string,
  { status, providerId, reason }: DeliveryReport,
  now: number,
): Promise<Reported | null> {
  const query = sql`update ${notifications} set status = ${status}, reason = ${reason},
      provider_id = coalesce(provider_id, ${providerId}), claimed_until = null, updated_at = ${now},
      sent_at = coalesce(sent_at, ${now}),
      delivered_at = ${status === "delivered" ? now : null},
      failed_at = ${status === "failed" ? now : null}
    where id = ${notificationId} and channel in ('sms', 'voice')
      and status in ('queued', ${status === "sent" ? "queued" : "sent"})
      and (${status} <> 'failed' or coalesce(provider_id, ${providerId}) = ${providerId})
    returning alert_id, effect_id, "to", event, account_user_id, workflow_id`;
  const row = await statement(db, query).first<Record<string, unknown>>();
  if (row === null) return null;
  return {
    alertId: row.alert_id === null ? null : String(row.alert_id),
    effectId: String(row.effect_id),
    to: String(row.to),
    page: {
      event: row.event as PageEvent,
      accountUserId: String(row.account_user_id),
      workflowId: row.workflow_id === null ? null : String(row.workflow_id),
    },
  };
}
