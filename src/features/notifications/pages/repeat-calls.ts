// Repeats a call about an open alert once. The person's object sends the message a minute after the
// call, if the alert still waits for the person. The repetition is a deferred notification: several
// that are due together are one call, and a failed one is followed by the next channel.
import type { ReleaseMessage } from "../../../domain/notifications/page.ts";
import {
  decideRepeatCall,
  isRepeatedCall,
  REPEAT_CALL_MS,
  type RepeatCallMessage,
  repeatCallKey,
  repeatCallMessage,
  repeatedStage,
} from "../../../domain/notifications/repeat-call.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { SECOND } from "../../../domain/shared/time.ts";
import { statement } from "../../../kernel/db/database.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { all } from "../../../kernel/db/select.ts";
import { availableChannels } from "../../people/channels/channels.ts";
import { readRecipients } from "../../people/contacts/recipient-rows.ts";
import { personObject } from "../../stubs.ts";
import { claimPlanned, type PlannedNotification } from "../notifications/rows.ts";
import { type DeferredRow, selectDeferredByKeys, selectEffectStates } from "./bundle-rows.ts";
import { pageMessageOf } from "./deferred-page.ts";
import { idOf } from "./plan-notifications.ts";

/** Deliveries of the queue message before it is dropped: the person's object sends it again. */
const MAX_DELIVERIES = 5;

const personObjectOf = (accountUserId: string, env: Cloudflare.Env) =>
  personObject(env, prefixIdOf("account_user", accountUserId));

/**
 * Registers the repetition of a deferred call before it is made: a crash in between cannot lose it,
 * and a call that is not made is not repeated.
 */
export async function expectRepeatedCalls(
  { accountId, release: { accountUserId, channel } }: ReleaseMessage,
  rows: readonly DeferredRow[],
  env: Cloudflare.Env,
): Promise<void> {
  const at = Date.now() + REPEAT_CALL_MS;
  const timers = rows
    .filter(
      (row) => channel === "voice" && row.event === "alert.open" && !isRepeatedCall(row.stage),
    )
    .map((row) => {
      const page = { ...row, accountUserId };
      return { at, message: repeatCallMessage(accountId, row.alert.id, row.id, page) };
    });
  if (timers.length > 0) await personObjectOf(accountUserId, env).expect(timers);
}

/** Handles one message. Never throws. Safe to repeat. */
export async function handleRepeatCall(
  message: Message<unknown>,
  body: RepeatCallMessage,
  env: Cloudflare.Env,
): Promise<void> {
  try {
    const waitUntil = await repeatCall(body, env);
    if (waitUntil === null) message.ack();
    else {
      const delaySeconds = Math.ceil((waitUntil - Date.now()) / SECOND);
      message.retry({ delaySeconds: Math.max(1, delaySeconds) });
    }
  } catch (error) {
    logFault("a call could not be repeated", error);
    if (message.attempts >= MAX_DELIVERIES) message.ack();
    else message.retry({ delaySeconds: 2 ** message.attempts });
  }
}

/** Plans the second call. Returns when to decide again (epoch ms), or null when finished. */
async function repeatCall(
  { accountId, repeatCall: call }: RepeatCallMessage,
  env: Cloudflare.Env,
): Promise<number | null> {
  const { accountUserId } = call.page;
  const person = personObjectOf(accountUserId, env);
  const row = await readCall(accountId, call, env);
  const decision = row === null ? null : await decide(accountId, call, row, env);
  if (decision?.kind === "wait") return decision.until;
  if (row !== null && decision?.kind === "call") {
    const { dueAt, isPlanned } = decision;
    if (!isPlanned) {
      const planned = planRepeat(accountId, accountUserId, row, dueAt);
      await statement(env.DB, claimPlanned([planned], 0, Date.now())).run();
    }
    const release = { accountUserId, channel: "voice", kind: "burst", dueAt } as const;
    await person.expect([{ at: dueAt, message: { accountId, release } }]);
  }
  await person.done([repeatCallKey(call)]);
  return null;
}

/** The call; null if its notification is gone. */
async function readCall(
  accountId: string,
  { notificationId: id, page: { accountUserId } }: RepeatCallMessage["repeatCall"],
  env: Cloudflare.Env,
): Promise<DeferredRow | null> {
  const [row] = await all(env.DB, selectDeferredByKeys([{ accountId, accountUserId, id }]));
  return row ?? null;
}

async function decide(
  accountId: string,
  { notificationId, page: { accountUserId } }: RepeatCallMessage["repeatCall"],
  row: DeferredRow,
  env: Cloudflare.Env,
) {
  const query = { effectId: row.effectId, accountUserId, workflowId: null };
  const [stored, recipients] = await Promise.all([
    all(env.DB, selectEffectStates(accountId, accountUserId, [row])),
    readRecipients(env.DB, [{ accountId, alert: null, page: query }]),
  ]);
  const request = {
    callId: notificationId,
    repeatId: repeatIdOf(accountId, accountUserId, row),
    stored,
    person: recipients.get(row.effectId)?.person ?? null,
    available: availableChannels(env),
  };
  return decideRepeatCall(request, Date.now());
}

const repeatIdOf = (accountId: string, accountUserId: string, row: DeferredRow): string =>
  idOf(pageMessageOf(accountId, accountUserId, row), `repeat:${row.id}`);

function planRepeat(
  accountId: string,
  accountUserId: string,
  row: DeferredRow,
  dueAt: number,
): PlannedNotification {
  return {
    id: repeatIdOf(accountId, accountUserId, row),
    message: pageMessageOf(accountId, accountUserId, row),
    stage: repeatedStage(row.stage),
    channel: "voice",
    to: row.to,
    status: "queued",
    reason: null,
    aside: { bundle: "burst", dueAt },
  };
}
