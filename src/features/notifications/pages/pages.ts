// Consumer of pages and releases. A message is only a wake-up: its sender stores it until it is
// confirmed, so duplicated, reordered, delayed and lost messages are harmless.
import { messageKey, type ReleaseMessage } from "../../../domain/notifications/page.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { isRefusedContent } from "../../../kernel/db/outage.ts";
import { withTimeout } from "../../../kernel/db/timeout.ts";
import { counted } from "../../../kernel/metrics/counted.ts";
import { reportIfFull } from "../../../kernel/metrics/report-full.ts";
import { failPage, GIVEN_UP } from "./fail-page.ts";
import { reach } from "./reach.ts";
import type { ReceivedOf } from "./read-messages.ts";
import { failRelease, release } from "./release.ts";

/**
 * Deliveries of one message before it is dropped. Its sender sends it again; a message with invalid
 * content is marked as failed.
 */
const MAX_DELIVERIES = 5;

/** Timeout for a batch of pages with all their channels in sequence (ms). */
const REACH_TIMEOUT_MS = 90_000;

type ReceivedPage = ReceivedOf<"page">;

/** Handles pages and releases. Never throws: each message is acknowledged or retried on its own. */
export async function consumePages(
  received: readonly (ReceivedPage | ReceivedOf<"release">)[],
  env: Cloudflare.Env,
): Promise<void> {
  const pages = received.filter((it) => it.kind === "page");
  const releases = received.filter((it) => it.kind === "release");
  await Promise.all([
    ...releases.map(({ message, body }) => handleRelease(message, body, env)),
    pages.length > 0 ? handlePages(pages, env) : null,
  ]);
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
  message: Message<unknown>,
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
  message: Message<unknown>,
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
