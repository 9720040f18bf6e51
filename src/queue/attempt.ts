// One message given to its channel: sent within a time, judged, recorded, announced. Decides nothing about what
// follows.
import type { Sent } from "../channels/channel.ts";
import { transportOf } from "../channels/channels.ts";
import { statement } from "../db/database.ts";
import { type RecordedAttempt, recordAttempts } from "../db/notification-rows.ts";
import { TooLate, within } from "../db/within.ts";
import type { Contact } from "../domain/contact.ts";
import { prefixIdOf } from "../domain/identifiers.ts";
import type { ChannelMessage } from "../domain/page.ts";

/** Attempts on one channel before it is given up: fewer where there is something else to try. */
const MAX_ATTEMPTS = 6;
const MAX_ATTEMPTS_OF_MANY = 3;

/** How long a provider may take (ms): shorter than the lease on the row. */
const SEND_TIMEOUT_MS = 10_000;

/** A message in hand. `id` is its notification's, of a bundle the first one's. */
export type InHand = {
  readonly id: string;
  readonly contact: Contact;
  readonly message: ChannelMessage;
  /** This one included. */
  readonly attempts: number;
  /** Whether another channel is tried when this one is given up. */
  readonly isLast: boolean;
};

/** What an attempt makes of a notification's row. */
export type Result = Omit<RecordedAttempt, "id">;

/** Sends; never throws. */
export async function attempt(given: InHand, env: Cloudflare.Env): Promise<Result> {
  const { id, contact, message, attempts, isLast } = given;
  const sent = await withinTime(transportOf(contact.channel).send(env, contact, message, id));
  announce(given, sent, env);
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

async function withinTime(sending: Promise<Sent>): Promise<Sent> {
  try {
    return await within(SEND_TIMEOUT_MS, sending);
  } catch (error) {
    if (!(error instanceof TooLate)) throw error;
    return { kind: "temporary", reason: "the provider timed out" };
  }
}

/** One line per attempt: who, on which channel, for what. Names and titles only where pages are logged. */
function announce({ contact, message }: InHand, sent: Sent, env: Cloudflare.Env): void {
  const about = aboutOf(message);
  if (env.LOG_PAGES === "on") {
    console.log(`PAGE ${contact.to} by ${contact.channel} for ${about.spoken}: ${sent.kind}`);
  } else {
    console.log({
      message: "page",
      about: about.id,
      person: message.page.accountUserId,
      channel: contact.channel,
      outcome: sent.kind,
    });
  }
}

function aboutOf(message: ChannelMessage): { id: string; spoken: string } {
  const { page, alert, notice, bundle } = message;
  if (alert === null) return { id: notice?.schedule ?? "", spoken: notice?.subject ?? page.event };
  const id = prefixIdOf("alert", alert.id);
  if (bundle !== null) return { id, spoken: `${bundle.total} alerts (${bundle.kind})` };
  const what = page.layer === null ? page.event : `layer ${page.layer}`;
  const title = alert.title.slice(0, 100);
  return { id, spoken: `"${title}" (${id}, ${alert.destinationName}, ${what})` };
}

/** Records the attempts, insisting: what was sent and not recorded would be sent again. */
export async function record(
  attempts: readonly RecordedAttempt[],
  env: Cloudflare.Env,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await statement(env.DB, recordAttempts(attempts, Date.now())).run();
      return;
    } catch (error) {
      if (tries >= 4) throw error;
      await scheduler.wait(100 * 2 ** tries);
    }
  }
}
