// Dispatches queue batches to their consumers.
import { counted } from "../db/operations/counted.ts";
import { isAccessMailMessage } from "../domain/access/access-mail.ts";
import { isSecurityMailMessage } from "../domain/access/security-notice.ts";
import { isCloseMessage } from "../domain/alerts/notifications/close-message.ts";
import { isRepeatCallMessage } from "../domain/alerts/notifications/repeat-call.ts";
import {
  isUnconfirmedMessage,
  isUndeliveredMessage,
} from "../domain/alerts/notifications/undelivered.ts";
import { isProbeMessage } from "../domain/operations/probe.ts";
import { isSmsProofMessage } from "../domain/operations/sms-proof-message.ts";
import { isWelcomeMessage } from "../domain/people/welcome.ts";
import { SECOND } from "../domain/shared/time.ts";
import { reportSoon } from "../objects/operations/report-counts.ts";
import { sendAccessMail } from "./access/access-mails.ts";
import { sendSecurityMail } from "./access/security-mails.ts";
import { handleClose } from "./alerts/delivery/close-messages.ts";
import { handleRepeatCall } from "./alerts/delivery/repeat-calls.ts";
import { handleUnconfirmed, handleUndelivered } from "./alerts/delivery/undelivered.ts";
import { consumePages, type QueueMessage } from "./alerts/pages.ts";
import { reportProbe, reportProofs } from "./operations/arrivals.ts";
import { sendSmsProof } from "./operations/sms-proofs.ts";
import { sendWelcome } from "./people/welcomes.ts";
import { consumeDeadLetters } from "./shared/dead-letters.ts";
import { takeReadable } from "./shared/unreadable-messages.ts";

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
  const pages: Message<unknown>[] = [];
  const others: Promise<void>[] = [];
  for (const message of takeReadable(batch)) {
    const { body } = message;
    if (isWelcomeMessage(body)) {
      others.push(sendWelcome(body.welcome, env).then(() => message.ack()));
    } else if (isAccessMailMessage(body)) {
      others.push(sendAccessMail(body.accessMail, env).then(() => message.ack()));
    } else if (isSecurityMailMessage(body)) {
      others.push(sendSecurityMail(body.securityMail, env).then(() => message.ack()));
    } else if (isProbeMessage(body)) {
      others.push(reportProbe(body, env).then(() => message.ack()));
      later.waitUntil(reportProofs(body, env));
    } else if (isSmsProofMessage(body)) {
      others.push(sendSmsProof(body, env).then(() => message.ack()));
    } else if (isUndeliveredMessage(body)) others.push(handleUndelivered(message, body, env));
    else if (isUnconfirmedMessage(body)) others.push(handleUnconfirmed(message, body, env));
    else if (isCloseMessage(body)) others.push(handleClose(message, body, env));
    else if (isRepeatCallMessage(body)) others.push(handleRepeatCall(message, body, env));
    else pages.push(message);
  }
  await Promise.all([consumePages({ messages: pages as Message<QueueMessage>[] }, env), ...others]);
}
