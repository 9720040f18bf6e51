// The queue's consumer of pages: reads the people, makes and claims their notification rows, sends, records, and
// confirms to the alert's object. A message is only a wake-up: the object's outbox holds the page until it is
// confirmed, so copies, reordering, delay and loss change nothing.
import type { Sent } from "../channels/channel.ts";
import { transportOf } from "../channels/channels.ts";
import type { RawRow } from "../db/attributes.ts";
import { statement } from "../db/database.ts";
import {
  claim,
  insertPlanned,
  type PlannedNotification,
  type RecordedAttempt,
  recordAttempts,
  selectStatuses,
  skip,
} from "../db/notification-rows.ts";
import type { Channel } from "../domain/contact.ts";
import { prefixIdOf } from "../domain/identifiers.ts";
import { type PageMessage, type PageReport, senderOf } from "../domain/page.ts";
import { pageSender } from "./page-sender.ts";
import { OVER, planNotifications } from "./plan-notifications.ts";

/** Attempts on one channel before it is given up. */
const MAX_ATTEMPTS = 6;

/** Deliveries of one message before it is left to the outbox to send it again. */
const MAX_DELIVERIES = 5;

/** How long a provider may take (ms): shorter than the lease on the row. */
const SEND_TIMEOUT_MS = 10_000;

type Delivery = { readonly message: Message<PageMessage>; readonly body: PageMessage };

/** Handles a batch of pages. Never throws: each message is acknowledged, or retried by itself. */
export async function consumePages(
  batch: Pick<MessageBatch<PageMessage>, "messages">,
  env: Cloudflare.Env,
): Promise<void> {
  const deliveries: Delivery[] = [];
  for (const message of batch.messages) {
    if (isPageMessage(message.body)) deliveries.push({ message, body: message.body });
    else {
      console.error({ message: "a message was no page at all", id: message.id });
      message.ack();
    }
  }
  if (deliveries.length > 0) await handle(deliveries, env);
}

function isPageMessage(body: PageMessage | null | undefined): body is PageMessage {
  const about = body?.alert?.id ?? body?.notice?.schedule;
  const texts = [body?.accountId, about, body?.page?.effectId, body?.page?.accountUserId];
  return texts.every((text) => typeof text === "string") && Number.isFinite(body?.page?.at);
}

/** What fails together is tried one by one: a page that cannot be handled does not take the others with it. */
async function handle(deliveries: readonly Delivery[], env: Cloudflare.Env): Promise<void> {
  try {
    const again = await reach(
      deliveries.map((it) => it.body),
      env,
    );
    for (const { message, body } of deliveries) {
      const delaySeconds = again.get(body.page.effectId);
      if (delaySeconds === undefined) message.ack();
      else message.retry({ delaySeconds });
    }
  } catch (error) {
    if (deliveries.length > 1) {
      for (const delivery of deliveries) await handle([delivery], env);
      return;
    }
    console.error({ message: "a page could not be handled", error: String(error).slice(0, 200) });
    for (const delivery of deliveries) giveBack(delivery);
  }
}

/** After some tries the queue's copy is dropped: the outbox sends a new one for as long as it takes. */
function giveBack({ message }: Delivery): void {
  if (message.attempts >= MAX_DELIVERIES) message.ack();
  else message.retry({ delaySeconds: 2 ** message.attempts });
}

/** Reaches the people of some pages; returns which pages to try again, and in how many seconds. */
async function reach(
  messages: readonly PageMessage[],
  env: Cloudflare.Env,
): Promise<Map<string, number>> {
  const planned = await planNotifications(messages, env);
  const claimed = await claimRows(planned, env);
  const attempts = await Promise.all(
    planned
      .filter((row) => claimed.attemptsById.has(row.id))
      .map((row) => attempt(row, claimed.attemptsById.get(row.id) ?? 1, env)),
  );
  if (attempts.length > 0) await record(attempts, env);
  const outcomes = new Map([...claimed.outcomes, ...attempts.map((it) => [it.id, it] as const)]);
  await confirm(planned, outcomes, env);
  return unfinished(planned, outcomes);
}

/** Pages to be tried again: when the next attempt is due, or when the lease of whoever has them in hand is over. */
function unfinished(
  planned: readonly PlannedNotification[],
  outcomes: ReadonlyMap<string, RowOutcome>,
): Map<string, number> {
  const again = new Map<string, number>();
  for (const { id, message } of planned) {
    const outcome = outcomes.get(id);
    if (outcome?.status !== "queued") continue;
    const seconds = Math.ceil(((outcome.claimedUntil ?? 0) - Date.now()) / 1000);
    again.set(message.page.effectId, Math.max(1, seconds));
  }
  return again;
}

/** How a row stands. */
type RowOutcome = Pick<RecordedAttempt, "reason" | "claimedUntil"> & { readonly status: string };

type Claimed = {
  readonly attemptsById: ReadonlyMap<string, number>;
  readonly outcomes: ReadonlyMap<string, RowOutcome>;
};

/** Makes the rows, takes in hand those that are to be sent, and tells how all of them stand: one round trip. */
async function claimRows(
  planned: readonly PlannedNotification[],
  env: Cloudflare.Env,
): Promise<Claimed> {
  const now = Date.now();
  const idsOf = (status: PlannedNotification["status"]) =>
    planned.filter((row) => row.status === status).map((row) => row.id);
  const [, , claimed, statuses] = await env.DB.batch<RawRow>([
    statement(env.DB, insertPlanned(planned, now)),
    statement(env.DB, skip(idsOf("skipped"), OVER, now)),
    statement(env.DB, claim(idsOf("queued"), now)),
    statement(env.DB, selectStatuses(planned.map((row) => row.id))),
  ]);
  return {
    attemptsById: new Map(claimed?.results.map((row) => [String(row.id), Number(row.attempts)])),
    outcomes: new Map(
      statuses?.results.map((row) => [
        String(row.id),
        {
          status: String(row.status),
          reason: row.reason === null ? null : String(row.reason),
          claimedUntil: row.claimed_until === null ? null : Number(row.claimed_until),
        },
      ]),
    ),
  };
}

async function attempt(
  row: PlannedNotification,
  attempts: number,
  env: Cloudflare.Env,
): Promise<RecordedAttempt> {
  const contact = { channel: row.channel as Channel, to: row.to ?? "" };
  const sent = await withinTime(
    transportOf(contact.channel).send(env, contact, { ...row.message, bundle: null }, row.id),
  );
  announce(row, sent, env);
  const base = { id: row.id, providerId: null, claimedUntil: null };
  switch (sent.kind) {
    case "sent":
      return { ...base, status: "sent", reason: null, providerId: sent.providerId };
    case "permanent":
      return { ...base, status: "failed", reason: sent.reason };
    case "temporary": {
      if (attempts >= MAX_ATTEMPTS) return { ...base, status: "failed", reason: sent.reason };
      const pause = Math.max(1_000 * 2 ** attempts, sent.retryAfterMs ?? 0);
      const claimedUntil = Date.now() + pause;
      return { ...base, status: "queued", reason: sent.reason, claimedUntil };
    }
  }
}

async function withinTime(sending: Promise<Sent>): Promise<Sent> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Sent>((resolve) => {
    const sent = { kind: "temporary", reason: "the provider did not answer in time" } as const;
    timer = setTimeout(() => resolve(sent), SEND_TIMEOUT_MS);
  });
  try {
    return await Promise.race([sending, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** One line per attempt: who, on which channel, for what. Names and titles only where pages are logged. */
function announce(row: PlannedNotification, sent: Sent, env: Cloudflare.Env): void {
  const { page } = row.message;
  const about = aboutOf(row.message);
  if (env.LOG_PAGES === "on") {
    console.log(`PAGE ${row.to ?? ""} by ${row.channel} for ${about.spoken}: ${sent.kind}`);
  } else {
    console.log({
      message: "page",
      about: about.id,
      person: page.accountUserId,
      channel: row.channel,
      outcome: sent.kind,
    });
  }
}

function aboutOf({ page, alert, notice }: PageMessage): { id: string; spoken: string } {
  if (alert === null) return { id: notice?.schedule ?? "", spoken: notice?.subject ?? page.event };
  const id = prefixIdOf("alert", alert.id);
  const what = page.layer === null ? page.event : `layer ${page.layer}`;
  const title = alert.title.slice(0, 100);
  return { id, spoken: `"${title}" (${id}, ${alert.destinationName}, ${what})` };
}

/** Records the attempts, insisting: what was sent and not recorded would be sent again. */
async function record(attempts: readonly RecordedAttempt[], env: Cloudflare.Env): Promise<void> {
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

/** Tells each object which of its pages have been recorded. */
async function confirm(
  planned: readonly PlannedNotification[],
  outcomes: ReadonlyMap<string, RowOutcome>,
  env: Cloudflare.Env,
): Promise<void> {
  const bySender = new Map<string, PageReport[]>();
  for (const row of planned) {
    const outcome = outcomes.get(row.id);
    if (outcome === undefined || outcome.status === "queued") continue;
    const failed = outcome.status === "failed";
    const report = {
      effectId: row.message.page.effectId,
      failure: failed ? failureOf(row, outcome.reason) : null,
    };
    const name = senderOf(row.message);
    bySender.set(name, [...(bySender.get(name) ?? []), report]);
  }
  await Promise.all([...bySender].map(([name, reports]) => pageSender(env, name).confirm(reports)));
}

function failureOf(row: PlannedNotification, reason: string | null): string {
  if (row.channel === "none") return `Not notified: ${reason ?? "unknown"}`;
  return `Not notified by ${row.channel}: ${reason ?? "unknown"}`;
}
