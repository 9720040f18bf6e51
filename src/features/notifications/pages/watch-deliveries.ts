// Sees to it that a page which a provider accepted is reported as delivered in time; if not, it
// fails and is sent by the next provider, or on the next channel. Only where a channel has several
// providers. The reminder is a delayed queue message: it costs no row, and without it the page stays
// as it is while the alert escalates.

import type { PageEvent } from "../../../domain/alerts/alert.ts";
import type { ReportedChannel } from "../../../domain/notifications/delivery-deadline.ts";
import type { NotificationKey } from "../../../domain/notifications/page.ts";
import type { UnconfirmedMessage } from "../../../domain/notifications/undelivered.ts";
import type { Channel } from "../../../domain/people/contact.ts";
import { tagged } from "../../../domain/shared/message-versions.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { reportDeadline } from "../../people/channels/expected-report.ts";
import type { AttemptResult } from "./attempt.ts";

/** An attempt to send one message. */
export type WatchedAttempt = {
  readonly channel: Channel;
  readonly event: PageEvent;
  /** The notifications of the message, all of one person. */
  readonly keys: readonly [NotificationKey, ...NotificationKey[]];
  readonly result: AttemptResult;
};

const isReportedChannel = (channel: Channel): channel is ReportedChannel =>
  channel === "sms" || channel === "voice" || channel === "email";

function reminderOf(
  { channel, event, keys, result }: WatchedAttempt,
  env: Cloudflare.Env,
): UnconfirmedMessage | null {
  if (result.status !== "sent" || event !== "alert.open" || !isReportedChannel(channel)) {
    return null;
  }
  const seconds = reportDeadline(env, channel, result.providerId);
  if (seconds === null) return null;
  const [{ accountId, accountUserId }] = keys;
  const notificationIds = keys.map(({ id }) => id);
  return { accountId, unconfirmed: { accountUserId, channel, notificationIds, seconds } };
}

/** Sets the reminders of sent pages. Never throws: the pages are sent already. */
export async function watchDeliveries(
  attempts: readonly WatchedAttempt[],
  env: Cloudflare.Env,
): Promise<void> {
  const reminders = attempts.flatMap((it) => reminderOf(it, env) ?? []);
  if (reminders.length === 0) return;
  try {
    await env.PAGES.sendBatch(
      reminders.map((body) => ({
        body: tagged(body),
        delaySeconds: body.unconfirmed.seconds,
      })),
    );
  } catch (error) {
    logFault("delivery reports are not waited for", error);
  }
}
