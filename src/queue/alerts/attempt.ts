// Sends one message over its channel within a timeout, and logs and records the result. The caller
// decides what follows.
import type { Sent } from "../../channels/channel.ts";
import { transportOf } from "../../channels/channels.ts";
import { selectWatchedAlerts } from "../../db/alerts/live/watched-account-rows.ts";
import {
  type NotificationKey,
  type RecordedAttempt,
  recordAttempts,
} from "../../db/alerts/notifications/notification-rows.ts";
import { batch } from "../../db/shared/select.ts";
import { TimedOut, withTimeout } from "../../db/shared/timeout.ts";
import type { ChannelMessage } from "../../domain/alerts/notifications/page.ts";
import type { Contact } from "../../domain/people/contact.ts";
import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import { notifyWatchers } from "../../objects/shared/stubs.ts";

/** Attempts on one channel before it is given up; fewer if another channel is left. */
const MAX_ATTEMPTS = 6;
const MAX_ATTEMPTS_OF_MANY = 3;

/** Timeout of a channel with all its providers (ms); shorter than the lease on the row. */
const SEND_TIMEOUT_MS = 16_000;

/** A claimed message. `id` is its notification's id; of a bundle, the first one's. */
export type ClaimedMessage = {
  readonly id: string;
  readonly contact: Contact;
  readonly message: ChannelMessage;
  /** Includes this one. */
  readonly attempts: number;
  /** False if another channel is tried after this one is given up. */
  readonly isLast: boolean;
  /** Providers that accepted it before and have not delivered it. */
  readonly tried?: readonly string[];
};

/** The values that an attempt writes to its notification row. */
export type AttemptResult = Omit<RecordedAttempt, keyof NotificationKey>;

/** Sends the message once. Never throws. */
export async function attempt(
  claimed: ClaimedMessage,
  env: Cloudflare.Env,
): Promise<AttemptResult> {
  const { id, contact, message, attempts, isLast, tried } = claimed;
  const sent = await sendWithTimeout(
    transportOf(contact.channel).send(env, contact, message, id, tried),
  );
  logAttempt(claimed, sent, env);
  const base = { providerId: null, claimedUntil: null };
  switch (sent.kind) {
    case "sent":
      return { ...base, status: "sent", reason: null, providerId: sent.providerId };
    case "permanent":
      return { ...base, status: "failed", reason: sent.reason };
    case "temporary": {
      const most = isLast ? MAX_ATTEMPTS : MAX_ATTEMPTS_OF_MANY;
      if (attempts >= most) return { ...base, status: "failed", reason: sent.reason };
      const pause = Math.max(1_000 * 2 ** attempts, sent.retryAfterMs ?? 0);
      const claimedUntil = Date.now() + pause;
      return { ...base, status: "queued", reason: sent.reason, claimedUntil };
    }
  }
}

async function sendWithTimeout(sending: Promise<Sent>): Promise<Sent> {
  try {
    return await withTimeout(SEND_TIMEOUT_MS, sending);
  } catch (error) {
    if (!(error instanceof TimedOut)) throw error;
    return { kind: "temporary", reason: "the provider timed out" };
  }
}

/** Logs one line per attempt. Names and titles are included only if `LOG_PAGES` is on. */
function logAttempt({ contact, message }: ClaimedMessage, sent: Sent, env: Cloudflare.Env): void {
  const subject = subjectOf(message);
  if (env.LOG_PAGES === "on") {
    console.log(`PAGE ${contact.to} by ${contact.channel} for ${subject.text}: ${sent.kind}`);
  } else {
    console.log({
      message: "page",
      about: subject.id,
      person: message.page.accountUserId,
      channel: contact.channel,
      outcome: sent.kind,
    });
  }
}

function subjectOf(message: ChannelMessage): { id: string; text: string } {
  const { page, alert, notice, bundle } = message;
  if (alert === null) return { id: notice?.schedule ?? "", text: notice?.subject ?? page.event };
  const id = prefixIdOf("alert", alert.id);
  if (bundle !== null) return { id, text: `${bundle.total} alerts (${bundle.kind})` };
  const what = page.layer === null ? page.event : `layer ${page.layer}`;
  const title = alert.title.slice(0, 100);
  return { id, text: `"${title}" (${id}, ${alert.destinationName}, ${what})` };
}

/**
 * Records the attempts, with retries: a sent message without a record is sent again. Open consoles
 * that show their alerts are notified.
 */
export async function record(
  attempts: readonly RecordedAttempt[],
  env: Cloudflare.Env,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      const now = Date.now();
      const [watched] = await batch(env.DB, [
        selectWatchedAlerts(attempts, now),
        recordAttempts(attempts, now),
      ]);
      void notifyWatchers(env, watched);
      return;
    } catch (error) {
      if (tries >= 4) throw error;
      await scheduler.wait(100 * 2 ** tries);
    }
  }
}
