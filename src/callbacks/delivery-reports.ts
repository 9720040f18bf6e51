// Providers' reports on messages and calls. A failure is queued for the consumer, which tries
// another provider or channel and adds a line to the alert's timeline.
import { recordDelivery } from "../db/alerts/notifications/delivery-rows.ts";
import { blockNumber } from "../db/people/phone-rows.ts";
import type { UndeliveredMessage } from "../domain/alerts/notifications/undelivered.ts";
import { markedId } from "../domain/alerts/providers/provider-id.ts";
import type { ProviderRequest } from "./provider-request.ts";

/** `POST /callbacks/<provider>/status/:account/:person/:id`. */
export async function serveDeliveryReport(request: ProviderRequest): Promise<Response> {
  const { provider, env, db, body, notification, now } = request;
  const report = provider.readReport(body);
  if (report !== null) {
    const { status, id, reason, isRecipientAtFault, isUnsubscribed } = report;
    const providerId = markedId(provider.name, id);
    const reported = await recordDelivery(db, notification, { status, providerId, reason }, now);
    const [first] = reported;
    if (first && isUnsubscribed) await blockNumber(db, first.to, true, now);
    if (first && status === "failed") {
      const { accountId, accountUserId, channel } = first;
      const notificationIds = reported.map((it) => it.id);
      const undelivered = {
        accountUserId,
        channel,
        notificationIds,
        reason: reason ?? "",
        at: now,
        isProviderAtFault: !isRecipientAtFault,
      };
      await env.PAGES.send({ accountId, undelivered } satisfies UndeliveredMessage);
    }
  }
  return new Response(null, { status: 204 });
}
