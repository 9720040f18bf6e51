// The queue's consumer of pages, and of what was put aside for a person. A message is only a wake-up: whoever sent it
// keeps it until it is confirmed, so copies, reordering, delay and loss change nothing.
import { isRefusedContent } from "../db/outage.ts";
import { within } from "../db/within.ts";
import { messageKey, type PageMessage, type ReleaseMessage } from "../domain/page.ts";
import { buryPage, GIVEN_UP } from "./burial.ts";
import { reach } from "./reach.ts";
import { buryRelease, release } from "./release.ts";

/** Deliveries of one message before it is left to its sender to send it again, or buried if it is at fault itself. */
const MAX_DELIVERIES = 5;

/** How long some pages may take together, all their channels one after the other (ms). */
const PATIENCE_MS = 90_000;

export type QueueMessage = PageMessage | ReleaseMessage;

type Delivery = { readonly message: Message<QueueMessage>; readonly body: PageMessage };

/** Handles a batch of pages. Never throws: each message is acknowledged, or retried by itself. */
export async function consumePages(
  batch: Pick<MessageBatch<QueueMessage>, "messages">,
  env: Cloudflare.Env,
): Promise<void> {
  const deliveries: Delivery[] = [];
  const releases: Promise<void>[] = [];
  for (const message of batch.messages) {
    const { body } = message;
    if (isPageMessage(body)) deliveries.push({ message, body });
    else if (isReleaseMessage(body)) releases.push(handleRelease(message, body, env));
    else {
      console.error({ message: "a message was no page at all", id: message.id });
      message.ack();
    }
  }
  await Promise.all([...releases, deliveries.length > 0 ? handle(deliveries, env) : null]);
}

export function isPageMessage(body: unknown): body is PageMessage {
  const given = body as Partial<PageMessage> | null | undefined;
  const about = given?.alert?.id ?? given?.notice?.schedule;
  const texts = [given?.accountId, about, given?.page?.effectId, given?.page?.accountUserId];
  const numbers = [given?.page?.at, given?.stage];
  return texts.every((it) => typeof it === "string") && numbers.every(Number.isFinite);
}

export function isReleaseMessage(body: unknown): body is ReleaseMessage {
  const given = body as Partial<ReleaseMessage> | null | undefined;
  const { accountUserId, channel, kind, dueAt } = given?.release ?? {};
  const texts = [given?.accountId, accountUserId, channel, kind];
  return texts.every((it) => typeof it === "string") && Number.isFinite(dueAt);
}

/** What fails together is tried one by one: a page that cannot be handled does not take the others with it. */
async function handle(deliveries: readonly Delivery[], env: Cloudflare.Env): Promise<void> {
  try {
    const bodies = deliveries.map((it) => it.body);
    const again = await within(PATIENCE_MS, reach(bodies, env));
    for (const { message, body } of deliveries) {
      const delaySeconds = again.get(messageKey(body));
      if (delaySeconds === undefined) message.ack();
      else message.retry({ delaySeconds });
    }
  } catch (error) {
    if (deliveries.length > 1) {
      for (const delivery of deliveries) await handle([delivery], env);
      return;
    }
    console.error({ message: "a page could not be handled", error: String(error).slice(0, 200) });
    for (const { message, body } of deliveries) {
      await giveBack(message, error, () => buryPage(body, env));
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
    console.error({
      message: "a bundle could not be handled",
      error: String(error).slice(0, 200),
    });
    await giveBack(message, error, () => buryRelease(body, GIVEN_UP, env));
  }
}

/**
 * After some tries the queue's copy is dropped: its sender sends a new one for as long as it takes. What can never be
 * handled, whatever comes back up, ends visibly instead.
 */
async function giveBack(
  message: Message<QueueMessage>,
  error: unknown,
  bury: () => Promise<void>,
): Promise<void> {
  if (message.attempts < MAX_DELIVERIES) {
    message.retry({ delaySeconds: 2 ** message.attempts });
    return;
  }
  if (isRefusedContent(error)) {
    await bury().catch((reason) =>
      console.error({ message: "a page could not be buried", error: String(reason).slice(0, 200) }),
    );
  }
  message.ack();
}
