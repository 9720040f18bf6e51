// Consumer of pages and releases. A message is only a wake-up: its sender stores it until it is
// confirmed, so duplicated, reordered, delayed and lost messages are harmless.
import { counted } from "../../db/operations/counted.ts";
import { logFault } from "../../db/shared/log-fault.ts";
import { isRefusedContent } from "../../db/shared/outage.ts";
import { reportIfFull } from "../../db/shared/storage/report-full.ts";
import { withTimeout } from "../../db/shared/timeout.ts";
import {
  messageKey,
  type PageMessage,
  type ReleaseMessage,
} from "../../domain/alerts/notifications/page.ts";
import { failPage, GIVEN_UP } from "./fail-page.ts";
import { reach } from "./reach.ts";
import { failRelease, release } from "./release.ts";

/**
 * Deliveries of one message before it is dropped. Its sender sends it again; a message with invalid
 * content is marked as failed.
 */
const MAX_DELIVERIES = 5;

/** Timeout for a batch of pages with all their channels in sequence (ms). */
const REACH_TIMEOUT_MS = 90_000;

export type QueueMessage = PageMessage | ReleaseMessage;

type ReceivedPage = { readonly message: Message<QueueMessage>; readonly body: PageMessage };

/** Handles a batch of pages. Never throws: each message is acknowledged or retried on its own. */
export async function consumePages(
  batch: Pick<MessageBatch<QueueMessage>, "messages">,
  env: Cloudflare.Env,
): Promise<void> {
  const pages: ReceivedPage[] = [];
  const releases: Promise<void>[] = [];
  for (const message of batch.messages) {
    const { body } = message;
    if (isPageMessage(body)) pages.push({ message, body });
    else if (isReleaseMessage(body)) releases.push(handleRelease(message, body, env));
    else {
      console.error({ message: "a queue message is not a page", id: message.id });
      message.ack();
    }
  }
  await Promise.all([...releases, pages.length > 0 ? handlePages(pages, env) : null]);
}

export function isPageMessage(body: unknown): body is PageMessage {
  const value = body as Partial<PageMessage> | null | undefined;
  const about = value?.alert?.id ?? value?.notice?.schedule;
  const texts = [value?.accountId, about, value?.page?.effectId, value?.page?.accountUserId];
  const numbers = [value?.page?.at, value?.stage];
  return texts.every((it) => typeof it === "string") && numbers.every(Number.isFinite);
}

export function isReleaseMessage(body: unknown): body is ReleaseMessage {
  const value = body as Partial<ReleaseMessage> | null | undefined;
  const { accountUserId, channel, kind, dueAt } = value?.release ?? {};
  const texts = [value?.accountId, accountUserId, channel, kind];
  return texts.every((it) => typeof it === "string") && Number.isFinite(dueAt);
}

/** Handles pages together, and after a failure one by one, so that none blocks the others. */
async function handlePages(pages: readonly ReceivedPage[], env: Cloudflare.Env): Promise<void> {
  try {
    const bodies = pages.map((it) => it.body);
    const retryDelays = await withTimeout(REACH_TIMEOUT_MS, reach(bodies, env));
    for (const { message, body } of pages) {
      const delaySeconds = retryDelays.get(messageKey(body));
      if (delaySeconds === undefined) message.ack();
      else message.retry({ delaySeconds });
    }
  } catch (error) {
    if (pages.length > 1) {
      for (const page of pages) await handlePages([page], env);
      return;
    }
    reportIfFull(error);
    logFault("a page could not be handled", error);
    for (const { message, body } of pages) {
      await retryOrDrop(message, error, () => failPage(body, env));
    }
  }
}

async function handleRelease(
  message: Message<QueueMessage>,
  body: ReleaseMessage,
  env: Cloudflare.Env,
): Promise<void> {
  try {
    const delaySeconds = await release(body, env);
    if (delaySeconds === null) message.ack();
    else message.retry({ delaySeconds });
  } catch (error) {
    logFault("a bundle could not be handled", error);
    await retryOrDrop(message, error, () => failRelease(body, GIVEN_UP, env));
  }
}

/**
 * Retries a message. After `MAX_DELIVERIES` the queue's copy is dropped, since its sender sends a
 * new one. A message whose content can never be handled is marked as failed instead.
 */
async function retryOrDrop(
  message: Message<QueueMessage>,
  error: unknown,
  fail: () => Promise<void>,
): Promise<void> {
  counted.count("tocsin_queue_failures_total", {});
  if (message.attempts < MAX_DELIVERIES) {
    message.retry({ delaySeconds: 2 ** message.attempts });
    return;
  }
  if (isRefusedContent(error)) {
    await fail().catch((reason) => logFault("a failed page could not be recorded", reason));
  }
  message.ack();
}
