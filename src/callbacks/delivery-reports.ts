// Status reports from Twilio on messages and calls. A failure is queued for the consumer, which
// tries another channel and adds a line to the alert's timeline.
import { twilioReason } from "../channels/phone/twilio.ts";
import { type DeliveryReport, recordDelivery } from "../db/alerts/notifications/delivery-rows.ts";
import { blockNumber } from "../db/people/phone-rows.ts";
import type { UndeliveredMessage } from "../domain/alerts/notifications/undelivered.ts";
import { own } from "../domain/shared/own.ts";
import { notifyWatchers } from "../objects/shared/stubs.ts";
import { fromTwilio } from "./twilio-request.ts";

/** The recipient has sent STOP. */
const UNSUBSCRIBED = 21610;

/** By Twilio's status names of messages and calls; any other status is ignored. */
const STATUSES: Readonly<Record<string, DeliveryReport["status"]>> = {
  queued: "sent",
  sending: "sent",
  sent: "sent",
  delivered: "delivered",
  undelivered: "failed",
  failed: "failed",
  initiated: "sent",
  ringing: "sent",
  completed: "delivered",
  busy: "failed",
  "no-answer": "failed",
  canceled: "failed",
};

const REASONS: Readonly<Record<string, string>> = {
  busy: "the line was busy",
  "no-answer": "the call was not answered",
  canceled: "the call was cancelled",
  failed: "Twilio could not deliver the message",
  undelivered: "the message was not delivered",
};

/** `POST /callbacks/twilio/status/:account/:person/:id`. */
export const serveDeliveryReport = fromTwilio(async ({ env, db, form, notification, now }) => {
  const twilioStatus = form.get("MessageStatus") ?? form.get("CallStatus") ?? "";
  const providerId = form.get("MessageSid") ?? form.get("CallSid") ?? "";
  const status = own(STATUSES, twilioStatus);
  if (status !== undefined) {
    const code = Number(form.get("ErrorCode") || 0);
    const reason = code > 0 ? twilioReason(code) : (own(REASONS, twilioStatus) ?? null);
    const report = { status, providerId, reason: status === "failed" ? reason : null };
    const { reported, watched } = await recordDelivery(db, notification, report, now);
    if (reported.length > 0) await notifyWatchers(env, watched);
    const [first] = reported;
    if (first && code === UNSUBSCRIBED) await blockNumber(db, first.to, true, now);
    if (first && status === "failed") {
      const { accountId, accountUserId, channel } = first;
      const notificationIds = reported.map((it) => it.id);
      const undelivered = {
        accountUserId,
        channel,
        notificationIds,
        reason: reason ?? "",
        at: now,
      };
      await env.PAGES.send({ accountId, undelivered } satisfies UndeliveredMessage);
    }
  }
  return new Response(null, { status: 204 });
});
