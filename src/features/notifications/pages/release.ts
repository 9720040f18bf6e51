// Sends the deferred notifications of a person on one channel as a single message: those over the
// rate limit (`burst`), and those held through quiet hours (`digest`). Each alert has its own row;
// alerts answered in the meantime are left out.
import { bundlePages } from "../../../domain/notifications/bundle.ts";
import {
  nextAttempt,
  triedProviders,
  type UndeliveredAttempt,
} from "../../../domain/notifications/next-attempt.ts";
import {
  type ChannelMessage,
  type PageMessage,
  type Release,
  type ReleaseMessage,
  releaseKey,
} from "../../../domain/notifications/page.ts";
import {
  type Contact,
  contactKey,
  type NotificationRecipient,
} from "../../../domain/people/contact.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { statement } from "../../../kernel/db/database.ts";
import { all, batch } from "../../../kernel/db/select.ts";
import { availableChannels } from "../../people/channels/channels.ts";
import { providerNames } from "../../people/channels/expected-report.ts";
import { readRecipients } from "../../people/contacts/recipient-rows.ts";
import { alertObject, personObject } from "../../stubs.ts";
import { claimPlanned, type PlannedNotification } from "../notifications/rows.ts";
import { type AttemptResult, attempt, record } from "./attempt.ts";
import {
  claimDeferred,
  type DeferredRow,
  selectDeferred,
  selectEffectStates,
  skipAnswered,
  skipRemoved,
} from "./bundle-rows.ts";
import { pageMessageOf } from "./deferred-page.ts";
import { idOf, NO_LONGER_NEEDED } from "./plan-notifications.ts";
import { expectRepeatedCalls } from "./repeat-calls.ts";
import { type WatchedAttempt, watchDeliveries } from "./watch-deliveries.ts";

/** Reason of notifications to a removed person. */
const REMOVED = "the person is no longer in the account";

/** Sends the due notifications. Returns the retry delay in seconds, or null when finished. */
export async function release(
  message: ReleaseMessage,
  env: Cloudflare.Env,
): Promise<number | null> {
  const { mine, others } = await claimRows(message, env);
  const waits = others.map((row) => row.claimedUntil ?? 0);
  for (const rows of groupByAddress(mine)) {
    const claimedUntil = await send(message, rows, env);
    if (claimedUntil !== null) waits.push(claimedUntil);
  }
  if (waits.length > 0) {
    return Math.max(1, Math.ceil((Math.min(...waits) - Date.now()) / 1000));
  }
  await personObjectOf(message, env).done([releaseKey(message.release)]);
  return null;
}

const personObjectOf = ({ release: { accountUserId } }: ReleaseMessage, env: Cloudflare.Env) =>
  personObject(env, prefixIdOf("account_user", accountUserId));

const keyOf = ({ accountId, release: { accountUserId } }: ReleaseMessage, { id }: DeferredRow) => ({
  accountId,
  accountUserId,
  id,
});

async function claimRows(message: ReleaseMessage, env: Cloudflare.Env) {
  const now = Date.now();
  const [, , claimedRows, rows] = await batch(env.DB, [
    skipAnswered(message, NO_LONGER_NEEDED, now),
    skipRemoved(message, REMOVED, now),
    claimDeferred(message, now),
    selectDeferred(message),
  ]);
  const claimed = new Set(claimedRows.map(({ id }) => id));
  return {
    mine: rows.filter((row) => claimed.has(row.id)),
    others: rows.filter((row) => !claimed.has(row.id)),
  };
}

function groupByAddress(rows: readonly DeferredRow[]): (readonly DeferredRow[])[] {
  return [...Map.groupBy(rows, (row) => row.to).values()];
}

/** Sends one message for all rows. Returns when to retry (epoch ms), or null when finished. */
async function send(
  message: ReleaseMessage,
  rows: readonly DeferredRow[],
  env: Cloudflare.Env,
): Promise<number | null> {
  const contact = { channel: message.release.channel, to: rows[0]?.to ?? "" };
  const content = contentOf(message, rows);
  const attempts = Math.max(...rows.map((row) => row.attempts));
  const tried = await readTriedProviders(message, rows, contact, env);
  await expectRepeatedCalls(message, rows, env);
  const inHand = { id: content.id, contact, message: content.message, attempts, isLast: true };
  const result = await attempt({ ...inHand, tried }, env);
  await record(
    rows.map((row) => ({ ...keyOf(message, row), ...result })),
    env,
  );
  await watchDeliveries(watchedOf(message, rows, result), env);
  if (result.status === "failed") {
    await tryNextChannel(message, rows, { reason: result.reason ?? "unknown" }, env);
  }
  return result.status === "queued" ? result.claimedUntil : null;
}

/** The providers that accepted these pages before; none where a channel has but one. */
async function readTriedProviders(
  { accountId, release: { accountUserId, channel } }: ReleaseMessage,
  rows: readonly DeferredRow[],
  contact: Contact,
  env: Cloudflare.Env,
): Promise<readonly string[]> {
  if (providerNames(env, channel).length < 2) return [];
  const attempts = await all(env.DB, selectEffectStates(accountId, accountUserId, rows));
  return triedProviders(attempts, contact);
}

/** The message to watch: its notifications of open alerts. */
function watchedOf(
  message: ReleaseMessage,
  rows: readonly DeferredRow[],
  result: AttemptResult,
): WatchedAttempt[] {
  const { channel } = message.release;
  const event = "alert.open" as const;
  const [first, ...more] = rows
    .filter((row) => row.event === event)
    .map((it) => keyOf(message, it));
  return first === undefined ? [] : [{ channel, event, keys: [first, ...more], result }];
}

/** The content of the message. A single alert reads as if it had never been deferred. */
function contentOf(
  { accountId, release: { accountUserId, kind } }: ReleaseMessage,
  rows: readonly DeferredRow[],
): { id: string; message: ChannelMessage } {
  const { bundle, first } = bundlePages(kind, rows);
  const alone = rows.length === 1;
  const alert = alone ? first.alert : { ...first.alert, description: null, destinationName: "" };
  const page = pageMessageOf(accountId, accountUserId, { ...first, alert });
  return { id: first.id, message: { ...page, bundle: alone ? null : bundle } };
}

/** Why a message was not delivered, as text; and whether another provider may reach its address. */
export type Failure = { readonly reason: string; readonly isProviderAtFault?: boolean };

/**
 * Gives up the attempt: people not reached otherwise are notified by the next provider or on the
 * next channel. The alerts' timelines record the failure.
 */
export async function tryNextChannel(
  message: ReleaseMessage,
  rows: readonly DeferredRow[],
  { reason, isProviderAtFault = false }: Failure,
  env: Cloudflare.Env,
): Promise<void> {
  const { accountId } = message;
  const { accountUserId, kind, dueAt } = message.release;
  const person = await readPerson(message, env);
  const states = await all(env.DB, selectEffectStates(accountId, accountUserId, rows));
  const reached = new Set(
    states.filter(({ status }) => status !== "failed").map(({ effectId }) => effectId),
  );
  const pending = rows.filter((row) => !reached.has(row.effectId));
  const contact = { channel: message.release.channel, to: rows[0]?.to ?? "" };
  const failed = { contact, attempts: states, isProviderAtFault };
  const next = pending.length > 0 ? nextContact(person, failed, env) : null;
  if (next !== null) {
    const planned = pending.map((row) =>
      planRow(pageMessageOf(accountId, accountUserId, row), next, attemptsAt(next, row)),
    );
    await statement(env.DB, claimPlanned(planned.map(deferRow), 0, Date.now())).run();
    const { channel } = next;
    const onward: Release = { accountUserId, channel, kind, dueAt };
    const timer = { at: Date.now(), message: { accountId, release: onward } };
    await personObjectOf(message, env).expect([timer]);
  }
  const text = `Not notified by ${message.release.channel}: ${reason} (${person?.name ?? "gone"})`;
  await reportToAlerts(message, rows, text, new Set(next === null ? pending : []), env);

  function attemptsAt(to: Contact, { effectId }: DeferredRow): number {
    const ofEffect = states.filter((it) => it.effectId === effectId);
    return ofEffect.filter((it) => contactKey(it) === contactKey(to)).length;
  }

  function deferRow(row: PlannedNotification): PlannedNotification {
    return { ...row, aside: { bundle: kind, dueAt } };
  }
}

/** The notification row for another address, or the same one after so many attempts. */
function planRow(
  message: PageMessage,
  { channel, to }: Contact,
  attempts: number,
): PlannedNotification {
  const key = `again:${channel}:${to}`;
  return {
    id: idOf(message, attempts === 0 ? key : `${key}:${attempts}`),
    message,
    stage: 0,
    channel,
    to,
    status: "queued",
    reason: null,
    aside: null,
  };
}

async function readPerson(
  { accountId, release: { accountUserId } }: ReleaseMessage,
  env: Cloudflare.Env,
): Promise<NotificationRecipient | null> {
  const page = { effectId: accountUserId, accountUserId, workflowId: null };
  const recipients = await readRecipients(env.DB, [{ accountId, alert: null, page }]);
  return recipients.get(accountUserId)?.person ?? null;
}

function nextContact(
  person: NotificationRecipient | null,
  failed: Omit<UndeliveredAttempt, "providers">,
  env: Cloudflare.Env,
): Contact | null {
  if (!person?.active) return null;
  const providers = providerNames(env, failed.contact.channel);
  return nextAttempt(person, { ...failed, providers }, availableChannels(env));
}

/** Adds the failure to each alert's timeline. `unreached`: rows without a channel left. */
async function reportToAlerts(
  { accountId, release: { accountUserId, channel } }: ReleaseMessage,
  rows: readonly DeferredRow[],
  text: string,
  unreached: ReadonlySet<DeferredRow>,
  env: Cloudflare.Env,
): Promise<void> {
  const reports = rows.map(async (row) => {
    const { id, effectId, event, workflowId } = row;
    const lines = [
      { key: `${effectId}:aside:${channel}:${id}`, level: "error", message: text } as const,
    ];
    const page = { event, accountUserId, workflowId };
    const report = { effectId, lines, unreached: unreached.has(row), page };
    await alertObject(env, prefixIdOf("alert", row.alert.id)).confirm([report], accountId);
  });
  await Promise.all(reports);
}

/** Fails a release that could not be delivered: its rows are marked as failed. */
export async function failRelease(
  message: ReleaseMessage,
  reason: string,
  env: Cloudflare.Env,
): Promise<void> {
  const { mine } = await claimRows(message, env);
  const failure = { status: "failed", reason, providerId: null, claimedUntil: null } as const;
  await record(
    mine.map((row) => ({ ...keyOf(message, row), ...failure })),
    env,
  );
  await reportToAlerts(message, mine, `Not notified: ${reason}`, new Set(mine), env);
  await personObjectOf(message, env).done([releaseKey(message.release)]);
}
