// What was put aside for a person on a channel goes out as one message: what came on top of too many at once, or what
// was held through quiet hours. A row per alert all the same; what was answered meanwhile is left out.
import { availableChannels } from "../channels/channels.ts";
import type { RawRow } from "../db/attributes.ts";
import {
  type AsideRow,
  claimAside,
  selectAside,
  selectTried,
  skipAnswered,
  skipRemoved,
  toAsideRow,
  toContact,
} from "../db/bundle-rows.ts";
import { statement } from "../db/database.ts";
import { insertPlanned, type PlannedNotification } from "../db/notification-rows.ts";
import { readReachable } from "../db/reachable-rows.ts";
import { bundleOf } from "../domain/bundle.ts";
import { type Contact, type Reachable, reservesOf } from "../domain/contact.ts";
import { prefixIdOf } from "../domain/identifiers.ts";
import {
  type ChannelMessage,
  NOTHING_TO_MATCH,
  type PageMessage,
  type Release,
  type ReleaseMessage,
  releaseKey,
} from "../domain/page.ts";
import { alertObject, personObject } from "../objects/stubs.ts";
import { attempt, record } from "./attempt.ts";
import { identityOf, OVER } from "./plan-notifications.ts";

/** Why what was put aside is not sent. */
const REMOVED = "the person is no longer in the account";

/** Sends what is due; returns in how many seconds to try again, or null when it is done with. */
export async function release(
  message: ReleaseMessage,
  env: Cloudflare.Env,
): Promise<number | null> {
  const { mine, others } = await takeInHand(message, env);
  const waits = others.map((row) => row.claimedUntil ?? 0);
  for (const rows of byAddress(mine)) {
    const claimedUntil = await send(message, rows, env);
    if (claimedUntil !== null) waits.push(claimedUntil);
  }
  if (waits.length > 0) {
    return Math.max(1, Math.ceil((Math.min(...waits) - Date.now()) / 1000));
  }
  await personOf(message, env).done([releaseKey(message.release)]);
  return null;
}

const personOf = ({ release: { accountUserId } }: ReleaseMessage, env: Cloudflare.Env) =>
  personObject(env, prefixIdOf("account_user", accountUserId));

async function takeInHand(message: ReleaseMessage, env: Cloudflare.Env) {
  const now = Date.now();
  const results = await env.DB.batch<RawRow>(
    [
      skipAnswered(message, OVER, now),
      skipRemoved(message, REMOVED, now),
      claimAside(message, now),
      selectAside(message),
    ].map((query) => statement(env.DB, query)),
  );
  const [claimedRows, allRows] = results.slice(-2);
  const claimed = new Set(claimedRows?.results.map((row) => String(row.id)));
  const all = (allRows?.results ?? []).map(toAsideRow);
  return {
    mine: all.filter((row) => claimed.has(row.id)),
    others: all.filter((row) => !claimed.has(row.id)),
  };
}

function byAddress(rows: readonly AsideRow[]): (readonly AsideRow[])[] {
  return [...Map.groupBy(rows, (row) => row.to).values()];
}

/** One message for all the rows; returns when to try again (epoch ms), null when it was sent or given up. */
async function send(
  message: ReleaseMessage,
  rows: readonly AsideRow[],
  env: Cloudflare.Env,
): Promise<number | null> {
  const contact = { channel: message.release.channel, to: rows[0]?.to ?? "" };
  const said = sayingOf(message, rows);
  const attempts = Math.max(...rows.map((row) => row.attempts));
  const inHand = { id: said.id, contact, message: said.message, attempts, isLast: true };
  const result = await attempt(inHand, env);
  await record(
    rows.map((row) => ({ id: row.id, ...result })),
    env,
  );
  if (result.status === "failed") {
    await goOn(message, rows, result.reason ?? "unknown", env);
  }
  return result.status === "queued" ? result.claimedUntil : null;
}

/** What the channel is to say; one alert alone is said as if it had never been put aside. */
function sayingOf(
  { accountId, release: { accountUserId, kind } }: ReleaseMessage,
  rows: readonly AsideRow[],
): { id: string; message: ChannelMessage } {
  const { bundle, first } = bundleOf(kind, rows);
  const alone = rows.length === 1;
  const alert = alone ? first.alert : { ...first.alert, description: null, destinationName: "" };
  const page = pageMessageOf(accountId, accountUserId, { ...first, alert });
  return { id: first.id, message: { ...page, bundle: alone ? null : bundle } };
}

function pageMessageOf(accountId: string, accountUserId: string, row: AsideRow): PageMessage {
  const { effectId, event, workflowId, layer, pass, at, alert } = row;
  const page = { effectId, event, accountUserId, workflowId, layer, pass, at };
  return {
    accountId,
    page: { ...page, until: null, detail: null },
    alert,
    notice: null,
    stage: 0,
    view: NOTHING_TO_MATCH,
  };
}

/** The channel is given up: those whom nothing else has reached are told on the next one, or their alerts say so. */
export async function goOn(
  message: ReleaseMessage,
  rows: readonly AsideRow[],
  reason: string,
  env: Cloudflare.Env,
): Promise<void> {
  const { accountId } = message;
  const { accountUserId, kind, dueAt } = message.release;
  const person = await readPerson(message, env);
  const { results } = await statement(env.DB, selectTried(accountId, rows)).all<RawRow>();
  const reached = new Set(
    results.filter((row) => row.status !== "failed").map((row) => String(row.effect_id)),
  );
  const left = rows.filter((row) => !reached.has(row.effectId));
  const next = left.length > 0 ? nextContact(person, results.map(toContact), env) : null;
  if (next !== null) {
    const planned = left.map((row) => again(pageMessageOf(accountId, accountUserId, row), next));
    await statement(env.DB, insertPlanned(planned.map(aside), Date.now())).run();
    const { channel } = next;
    const onward: Release = { accountUserId, channel, kind, dueAt };
    const timer = { at: Date.now(), message: { accountId, release: onward } };
    await personOf(message, env).expect([timer]);
  }
  const said = `Not notified by ${message.release.channel}: ${reason} (${person?.name ?? "gone"})`;
  await tellAlerts(message, rows, said, new Set(next === null ? left : []), env);

  function aside(row: PlannedNotification): PlannedNotification {
    return { ...row, aside: { bundle: kind, dueAt } };
  }
}

/** The row of another way. */
function again(message: PageMessage, { channel, to }: Contact): PlannedNotification {
  const identity = identityOf(message, `again:${channel}:${to}`);
  return {
    ...identity,
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
): Promise<Reachable | null> {
  const page = { effectId: accountUserId, accountUserId, workflowId: null };
  const known = await readReachable(env.DB, [{ accountId, page }]);
  return known.get(accountUserId)?.person ?? null;
}

function nextContact(
  person: Reachable | null,
  tried: readonly Contact[],
  env: Cloudflare.Env,
): Contact | null {
  if (!person?.active) return null;
  return reservesOf(person, tried, availableChannels(env), true)[0] ?? null;
}

/** Each alert's story says what failed; `unreached`: whose person nothing is left to reach by. */
async function tellAlerts(
  { release: { accountUserId, channel } }: ReleaseMessage,
  rows: readonly AsideRow[],
  said: string,
  unreached: ReadonlySet<AsideRow>,
  env: Cloudflare.Env,
): Promise<void> {
  const told = rows.map(async (row) => {
    const { effectId, event, workflowId } = row;
    const lines = [{ key: `${effectId}:aside:${channel}`, level: "error", message: said } as const];
    const page = { event, accountUserId, workflowId };
    const report = { effectId, lines, unreached: unreached.has(row), page };
    await alertObject(env, prefixIdOf("alert", row.alert.id)).confirm([report]);
  });
  await Promise.all(told);
}

/** A release that could not be handled, however often it was tried: its rows end visibly. */
export async function buryRelease(
  message: ReleaseMessage,
  reason: string,
  env: Cloudflare.Env,
): Promise<void> {
  const { mine } = await takeInHand(message, env);
  const given = { status: "failed", reason, providerId: null, claimedUntil: null } as const;
  await record(
    mine.map((row) => ({ id: row.id, ...given })),
    env,
  );
  await tellAlerts(message, mine, `Not notified: ${reason}`, new Set(mine), env);
  await personOf(message, env).done([releaseKey(message.release)]);
}
