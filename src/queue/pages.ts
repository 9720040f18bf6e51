// The queue's consumer of pages: reads the people, makes and claims their notification rows, sends, records, and
// confirms to the alert's object. A message is only a wake-up: the object's outbox holds the page until it is
// confirmed, so copies, reordering, delay and loss change nothing.
import { createHash } from "node:crypto";
import type { Sent } from "../channels/channel.ts";
import { availableChannels, transportOf } from "../channels/channels.ts";
import type { RawRow } from "../db/attributes.ts";
import { statement } from "../db/database.ts";
import {
  claim,
  insertPlanned,
  type PlannedNotification,
  type RecordedAttempt,
  recordAttempts,
  selectReachable,
  selectStatuses,
} from "../db/notification-rows.ts";
import { type Channel, planContacts, type Reachable } from "../domain/contact.ts";
import { identifierOf, prefixIdOf } from "../domain/identifiers.ts";
import type { PageMessage, PageReport } from "../domain/page.ts";
import { alertObject } from "../objects/stubs.ts";

/** Attempts on one channel before it is given up. */
const MAX_ATTEMPTS = 6;

/** Deliveries of one message before it is left to the outbox to send it again. */
const MAX_DELIVERIES = 5;

/** How long a provider may take (ms): shorter than the lease on the row. */
const SEND_TIMEOUT_MS = 10_000;

type Delivery = { readonly message: Message<PageMessage>; readonly body: PageMessage };

/** Handles a batch of pages. Never throws: each message is acknowledged, or retried by itself. */
export async function consumePages(
  batch: MessageBatch<PageMessage>,
  env: Cloudflare.Env,
): Promise<void> {
  const deliveries = batch.messages.map((message) => ({ message, body: message.body }));
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
    console.error({ message: "pages could not be handled", error: String(error).slice(0, 200) });
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
  const planned = plan(messages, await readRows(messages, env), env);
  const claimed = await claimRows(planned, env);
  const attempts = await Promise.all(
    planned
      .filter((row) => claimed.attemptsById.has(row.id))
      .map((row) => attempt(row, claimed.attemptsById.get(row.id) ?? 1, env)),
  );
  if (attempts.length > 0) await record(attempts, env);
  await confirm(planned, claimed.statuses, attempts, env);
  const again = new Map<string, number>();
  for (const { id, claimedUntil } of attempts) {
    const row = planned.find((it) => it.id === id);
    if (row && claimedUntil !== null) {
      const seconds = Math.max(1, Math.ceil((claimedUntil - Date.now()) / 1000));
      again.set(row.message.page.effectId, seconds);
    }
  }
  return again;
}

async function readRows(messages: readonly PageMessage[], env: Cloudflare.Env): Promise<RawRow[]> {
  return (await statement(env.DB, selectReachable(messages)).all<RawRow>()).results;
}

function plan(
  messages: readonly PageMessage[],
  rows: readonly RawRow[],
  env: Cloudflare.Env,
): PlannedNotification[] {
  const available = availableChannels(env);
  const byEffect = new Map(rows.map((row) => [String(row.effect_id), row]));
  const distinct = new Map(messages.map((message) => [message.page.effectId, message]));
  return [...distinct.values()].flatMap((message) =>
    planOne(message, byEffect.get(message.page.effectId) ?? {}, available),
  );
}

/** Readers' rows that are as new as the page, and say that nobody is to be asked any more. */
function isOver(message: PageMessage, row: RawRow): boolean {
  const seen = Number(row.workflow_version ?? -1);
  return seen >= message.alert.version && row.workflow_state !== "open";
}

function planOne(
  message: PageMessage,
  row: RawRow,
  available: ReadonlySet<Channel>,
): PlannedNotification[] {
  if (isOver(message, row)) {
    const reason = "the alert no longer needs an answer from this destination";
    return [notification(message, "none", null, "skipped", reason)];
  }
  const person: Reachable = {
    accountUserId: message.page.accountUserId,
    name: String(row.name ?? ""),
    active: row.state === "active",
    emails: JSON.parse(String(row.emails ?? "[]")) as string[],
  };
  const contacts = planContacts(person, available);
  if (contacts.kind === "unreachable") {
    const who = person.name === "" ? message.page.accountUserId : person.name;
    return [notification(message, "none", null, "failed", `${who} ${contacts.reason}`)];
  }
  return contacts.contacts.map(({ channel, to }) =>
    notification(message, channel, to, "queued", null),
  );
}

/** A row whose id follows from the effect and the channel, so that every copy makes the same one. */
function notification(
  message: PageMessage,
  channel: string,
  to: string | null,
  status: PlannedNotification["status"],
  reason: string | null,
): PlannedNotification {
  const digest = createHash("sha256").update(`${message.page.effectId}:${channel}`).digest();
  const id = identifierOf(message.page.at, digest);
  return { id, prefixId: prefixIdOf("notification", id), message, channel, to, status, reason };
}

type Claimed = {
  readonly attemptsById: ReadonlyMap<string, number>;
  readonly statuses: ReadonlyMap<
    string,
    { readonly status: string; readonly reason: string | null }
  >;
};

async function claimRows(
  planned: readonly PlannedNotification[],
  env: Cloudflare.Env,
): Promise<Claimed> {
  const now = Date.now();
  const ids = planned.map((row) => row.id);
  const [, claimed, statuses] = await env.DB.batch<RawRow>([
    statement(env.DB, insertPlanned(planned, now)),
    statement(env.DB, claim(ids, now)),
    statement(env.DB, selectStatuses(ids)),
  ]);
  return {
    attemptsById: new Map(claimed?.results.map((row) => [String(row.id), Number(row.attempts)])),
    statuses: new Map(
      statuses?.results.map((row) => [
        String(row.id),
        { status: String(row.status), reason: row.reason === null ? null : String(row.reason) },
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
    transportOf(contact.channel).send(env, contact, row.message, row.id),
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
      const claimedUntil = Date.now() + 1_000 * 2 ** attempts;
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
  const { page, alert } = row.message;
  const id = prefixIdOf("alert", alert.id);
  if (env.LOG_PAGES === "on") {
    const what = `"${alert.title.slice(0, 100)}" (${id}, ${alert.destinationName}, layer ${page.layer})`;
    console.log(`PAGE ${row.to ?? ""} by ${row.channel} for ${what}: ${sent.kind}`);
  } else {
    console.log({
      message: "page",
      alert: id,
      person: page.accountUserId,
      channel: row.channel,
      outcome: sent.kind,
    });
  }
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

/** Tells each alert's object which of its pages have been recorded. */
async function confirm(
  planned: readonly PlannedNotification[],
  statuses: Claimed["statuses"],
  attempts: readonly RecordedAttempt[],
  env: Cloudflare.Env,
): Promise<void> {
  const byAlert = new Map<string, PageReport[]>();
  for (const row of planned) {
    const outcome = attempts.find((it) => it.id === row.id) ?? statuses.get(row.id);
    if (outcome === undefined || outcome.status === "queued") continue;
    const failed = outcome.status === "failed";
    const report = {
      effectId: row.message.page.effectId,
      failure: failed ? failureOf(row, outcome.reason) : null,
    };
    const name = prefixIdOf("alert", row.message.alert.id);
    byAlert.set(name, [...(byAlert.get(name) ?? []), report]);
  }
  await Promise.all([...byAlert].map(([name, reports]) => alertObject(env, name).confirm(reports)));
}

function failureOf(row: PlannedNotification, reason: string | null): string {
  if (row.channel === "none") return `Not notified: ${reason ?? "unknown"}`;
  return `Not notified by ${row.channel}: ${reason ?? "unknown"}`;
}
