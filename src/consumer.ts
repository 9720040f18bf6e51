// Dispatches queue batches to their consumers.
import { SECOND } from "./domain/shared/time.ts";
import { handleClose } from "./features/notifications/pages/close-messages.ts";
import { consumeDeadLetters } from "./features/notifications/pages/dead-letters.ts";
import { consumePages } from "./features/notifications/pages/pages.ts";
import { type Received, readMessages } from "./features/notifications/pages/read-messages.ts";
import { handleRepeatCall } from "./features/notifications/pages/repeat-calls.ts";
import {
  handleUnconfirmed,
  handleUndelivered,
} from "./features/notifications/pages/undelivered.ts";
import { reportProbe, reportProofs } from "./features/operations/audits/arrivals.ts";
import { sendSmsProof } from "./features/operations/audits/sms-proofs.ts";
import { sendWelcome } from "./features/people/invitations/welcomes.ts";
import { sendAccessMail } from "./features/people/mails/access-mails.ts";
import { sendSecurityMail } from "./features/people/mails/security-mails.ts";
import { counted } from "./kernel/metrics/counted.ts";
import { reportSoon } from "./kernel/metrics/report-counts.ts";

/** What goes on after the batch. */
type Later = Pick<ExecutionContext, "waitUntil">;

/** Handles a batch of any queue of this worker, and counts it. */
export async function consume(
  batch: MessageBatch<unknown>,
  env: Cloudflare.Env,
  later: Later,
): Promise<void> {
  try {
    await dispatch(batch, env, later);
  } catch (error) {
    counted.count("tocsin_queue_failures_total", {});
    throw error;
  } finally {
    await reportSoon(env, later);
  }
}

async function dispatch(
  batch: MessageBatch<unknown>,
  env: Cloudflare.Env,
  later: Later,
): Promise<void> {
  switch (batch.queue) {
    case "tocsin-pages":
      for (const { timestamp } of batch.messages) {
        const age = Math.max(0, Date.now() - timestamp.getTime()) / SECOND;
        counted.observe("tocsin_queue_age_seconds", {}, age);
      }
      return consumeAll(batch, env, later);
    case "tocsin-pages-dead":
      counted.count("tocsin_dead_letters_total", {}, batch.messages.length);
      return consumeDeadLetters(batch, env);
    default:
      throw new Error(`no consumer for the queue ${batch.queue}`);
  }
}

/**
 * Handles the main queue: pages, mails (welcome, access, security), delivery failures, repeated
 * calls, the end of answered messages, and what proves that messages arrive.
 */
async function consumeAll(
  batch: MessageBatch<unknown>,
  env: Cloudflare.Env,
  later: Later,
): Promise<void> {
  const received = readMessages(batch);
  const pages = received.filter((it) => it.kind === "page" || it.kind === "release");
  const others = received.filter((it) => it.kind !== "page" && it.kind !== "release");
  await Promise.all([
    consumePages(pages, env),
    ...others.map((it) => consumeOther(it, env, later)),
  ]);
}

/** Handles a message by itself. */
async function consumeOther(
  { kind, body, message }: Exclude<Received, { readonly kind: "page" | "release" }>,
  env: Cloudflare.Env,
  later: Later,
): Promise<void> {
  switch (kind) {
    case "welcome":
      await sendWelcome(body.welcome, env);
      break;
    case "accessMail":
      await sendAccessMail(body.accessMail, env);
      break;
    case "securityMail":
      await sendSecurityMail(body.securityMail, env);
      break;
    case "probe":
      later.waitUntil(reportProofs(body, env));
      await reportProbe(body, env);
      break;
    case "smsProof":
      await sendSmsProof(body, env);
      break;
    case "undelivered":
      return handleUndelivered(message, body, env);
    case "unconfirmed":
      return handleUnconfirmed(message, body, env);
    case "close":
      return handleClose(message, body, env);
    case "repeatCall":
      return handleRepeatCall(message, body, env);
  }
  message.ack();
}
