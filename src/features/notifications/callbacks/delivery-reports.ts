// Providers' reports on messages, calls and mails. A failure is queued for the consumer, which tries
// another provider or channel and adds a line to the alert's timeline.

import type { NotificationKey } from "../../../domain/notifications/page.ts";
import { markedId } from "../../../domain/notifications/provider-id.ts";
import type { UndeliveredMessage } from "../../../domain/notifications/undelivered.ts";
import { tagged } from "../../../domain/shared/message-versions.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { respond } from "../../../kernel/http/answers.ts";
import { counted } from "../../../kernel/metrics/counted.ts";
import type { ProviderReport } from "../../../products/callback.ts";
import type { MailProvider } from "../../../products/mail/mail-provider.ts";
import { stopNumber } from "../../people/contacts/stop-number.ts";
import { notifyWatchers } from "../../stubs.ts";
import { recordDelivery } from "../pages/delivery-rows.ts";
import { actOnce } from "./once.ts";
import type { AboutNotification, ProviderCallback } from "./provider-request.ts";

/** `POST /callbacks/<provider>/status/:token`, of SMS and calls. */
export async function serveDeliveryReport(request: AboutNotification): Promise<Response> {
  const report = request.provider.readReport(request.body);
  if (report !== null) await recordReport(request, request.notification, report);
  return new Response(null, { status: 204 });
}

/** `POST /callbacks/<provider>`, of mails: the report names the notification. */
export async function serveMailReport(request: ProviderCallback<MailProvider>): Promise<Response> {
  const { provider, body, db, now } = request;
  const report = provider.readReport(body);
  if (report === null) return new Response(null, { status: 204 });
  const record = () => recordReport(request, report.notification, report);
  const claim = provider.claimOf?.(body);
  if (claim === undefined) await record();
  else {
    const done = await actOnce(db, { by: provider.name, what: [claim], now }, record);
    // The provider sends it again.
    if (isRefusal(done)) return respond(done, request.requestId);
  }
  return new Response(null, { status: 204 });
}

/** Records what became of a message or call; a failure leads to another provider or channel. */
export async function recordReport(
  request: ProviderCallback<{ readonly name: string }>,
  notification: NotificationKey,
  { status, id, reason, isRecipientAtFault, isUnsubscribed }: ProviderReport,
): Promise<void> {
  const { provider, env, db, now } = request;
  const providerId = markedId(provider.name, id);
  const stored = { status, providerId, reason };
  const { reported, watched } = await recordDelivery(db, notification, stored, now);
  const [first] = reported;
  // What people wait for comes first. If it fails, the provider's next report does it again.
  if (first && status === "failed") {
    const { accountId, accountUserId, channel } = first;
    const undelivered = {
      accountUserId,
      channel,
      notificationIds: reported.map((it) => it.id),
      reason: reason ?? "",
      at: first.failedAt ?? now,
      isProviderAtFault: !isRecipientAtFault,
    };
    await env.PAGES.send(tagged<UndeliveredMessage>({ accountId, undelivered }));
  }
  if (reported.length > 0) await notifyWatchers(env, watched);
  const isRepeated = typeof first?.failedAt === "number" && first.failedAt !== now;
  if (first && status !== "sent" && !isRepeated) {
    const { channel } = first;
    // A messenger is its own provider.
    const by = channel === "whatsapp" ? channel : provider.name;
    const labels = { channel, provider: by, outcome: status };
    counted.count("tocsin_delivery_reports_total", labels);
  }
  if (first && isUnsubscribed) await stopQuietly(env, db, first.to, now);
}

/** Never throws: a number that is not stopped now is stopped by the next report on it. */
async function stopQuietly(...stop: Parameters<typeof stopNumber>): Promise<void> {
  try {
    await stopNumber(...stop);
  } catch (error) {
    logFault("a number that has unsubscribed could not be stopped", error);
  }
}
