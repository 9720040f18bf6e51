// Sends one message over its channel within a timeout, and logs and records the result. The caller
// decides what follows.
import { pauseAfter } from "../../../domain/notifications/attempt-pause.ts";
import type {
  Bundle,
  ChannelMessage,
  NotificationKey,
} from "../../../domain/notifications/page.ts";
import { CANARY_ADDRESS } from "../../../domain/operations/canary.ts";
import type { ProviderOutcomeKind } from "../../../domain/operations/invariants.ts";
import type { Contact } from "../../../domain/people/contact.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { SECOND } from "../../../domain/shared/time.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { batch } from "../../../kernel/db/select.ts";
import { resultWithin } from "../../../kernel/db/timeout.ts";
import { counted } from "../../../kernel/metrics/counted.ts";
import type { Sent } from "../../../products/channel.ts";
import { notePagesSent } from "../../alerts/alerts/setup-progress.ts";
import { selectWatchedAlerts } from "../../alerts/object/watched-account-rows.ts";
import { type RecordedAttempt, recordAttempts } from "../../people/channels/attempt-rows.ts";
import { transportOf } from "../../people/channels/channels.ts";
import { notifyWatchers, operationsObject } from "../../stubs.ts";

/** Attempts on one channel before it is given up; fewer if another channel is left. */
const MAX_ATTEMPTS = 6;
const MAX_ATTEMPTS_OF_MANY = 3;

/** Timeout of a channel with all its providers (ms); shorter than the lease on the row. */
const SEND_TIMEOUT_MS = 16_000;

const TIMED_OUT = "the provider timed out";

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
  const { id, contact, attempts, isLast, tried } = claimed;
  const message = env.STANDBY_OF ? byStandby(claimed.message) : claimed.message;
  const isCanary = contact.to === CANARY_ADDRESS;
  const startedAt = Date.now();
  const sent = await sendWithTimeout(
    isCanary
      ? reportCanary(message, env)
      : transportOf(contact.channel).send(env, contact, message, id, tried),
  );
  if (!isCanary) countAttempt(claimed, sent, startedAt);
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
      const claimedUntil = Date.now() + pauseAfter(attempts, sent.retryAfterMs);
      return { ...base, status: "queued", reason: sent.reason, claimedUntil };
    }
  }
}

/** What a standby sends says so: its alerts may be known otherwise at the primary. */
const byStandby = ({ alert, notice, bundle, ...message }: ChannelMessage): ChannelMessage => ({
  ...message,
  alert: alert && titled(alert),
  notice: notice && {
    ...notice,
    subject: BY_STANDBY + notice.subject,
    ...(notice.broadcast && { broadcast: titled(notice.broadcast) }),
  },
  bundle: bundle && { ...bundle, alerts: eachTitled(bundle.alerts) },
});

const BY_STANDBY = "By the standby: ";

const titled = <What extends { readonly title: string }>(what: What): What => ({
  ...what,
  title: BY_STANDBY + what.title,
});

const eachTitled = ([first, ...others]: Bundle["alerts"]): Bundle["alerts"] => [
  titled(first),
  ...others.map(titled),
];

async function sendWithTimeout(sending: Promise<Sent>): Promise<Sent> {
  const sent = await resultWithin(SEND_TIMEOUT_MS, sending);
  return sent?.result ?? { kind: "temporary", reason: TIMED_OUT };
}

function outcomeOf(sent: Sent): ProviderOutcomeKind {
  if (sent.kind === "permanent" && sent.areCredentialsRefused) return "credentials";
  return sent.kind === "temporary" && sent.reason === TIMED_OUT ? "timeout" : sent.kind;
}

/** Counts an attempt; also how late it was if it is the first one for a person of a new alert. */
function countAttempt(
  { contact: { channel }, message: { page, alert, stage }, attempts }: ClaimedMessage,
  sent: Sent,
  startedAt: number,
): void {
  counted.count("tocsin_attempts_total", { channel, outcome: outcomeOf(sent) });
  const duration = Math.max(0, Date.now() - startedAt) / SECOND;
  counted.observe("tocsin_attempt_seconds", { channel }, duration);
  const isFirst = page.event === "alert.open" && page.layer === 1 && page.pass === 1;
  if (alert === null || !isFirst || stage > 0 || attempts > 1) return;
  const waited = Math.max(0, startedAt - alert.createdAt) / SECOND;
  counted.observe("tocsin_first_attempt_seconds", {}, waited);
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
        notePagesSent(
          attempts.filter(({ status }) => status === "sent"),
          now,
        ),
      ]);
      void notifyWatchers(env, watched);
      return;
    } catch (error) {
      if (tries >= 4) throw error;
      await scheduler.wait(100 * 2 ** tries);
    }
  }
}

/** Reports the arrival of a canary event's message in place of sending it. Never throws. */
async function reportCanary({ alert }: ChannelMessage, env: Cloudflare.Env): Promise<Sent> {
  try {
    await operationsObject(env).canaryArrived(alert?.title ?? "");
  } catch (error) {
    logFault("a canary event could not be reported", error);
  }
  return { kind: "sent", providerId: null };
}
