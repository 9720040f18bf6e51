// The end of a page that can never be handled: a `failed` row, a line in its alert's story, a word to its sender. What
// was recorded meanwhile stays as it is.
import { statement } from "../db/database.ts";
import { insertPlanned, recordAttempts, selectEffect } from "../db/notification-rows.ts";
import { prefixIdOf } from "../domain/identifiers.ts";
import { messageKey, type PageMessage, type PageReport, senderOf } from "../domain/page.ts";
import { personObject } from "../objects/stubs.ts";
import { pageSender } from "./page-sender.ts";
import { nowhere } from "./plan-notifications.ts";

export const GIVEN_UP = "processing failed repeatedly and was abandoned";

/** Ends a page visibly. Throws when that cannot be recorded now. */
export async function buryPage(body: PageMessage, env: Cloudflare.Env): Promise<void> {
  const { accountId, alert, page, stage } = body;
  const { effectId } = page;
  const effect = selectEffect(accountId, alert?.id ?? null, effectId);
  const known = (await statement(env.DB, effect).all<{ id: string; status: string }>()).results;
  const recorded = known.some((it) => it.status !== "queued");
  const unfinished = known.filter((it) => it.status === "queued");
  const given = {
    status: "failed",
    reason: GIVEN_UP,
    providerId: null,
    claimedUntil: null,
  } as const;
  const now = Date.now();
  if (unfinished.length > 0) {
    const attempts = unfinished.map((it) => ({ id: it.id, ...given }));
    await statement(env.DB, recordAttempts(attempts, now)).run();
  } else if (!recorded) {
    await statement(env.DB, insertPlanned([nowhere(body, "failed", GIVEN_UP)], now)).run();
  }
  await pageSender(env, senderOf(body)).confirm([reportOf(body, recorded)]);
  if (stage > 0) {
    await personObject(env, prefixIdOf("account_user", page.accountUserId)).done([
      messageKey(body),
    ]);
  }
}

function reportOf({ page }: PageMessage, recorded: boolean): PageReport {
  const { effectId } = page;
  const line = {
    key: `${effectId}:dead`,
    level: "error",
    message: `Not notified: ${GIVEN_UP}`,
  } as const;
  return { effectId, lines: recorded ? [] : [line], unreached: !recorded, page };
}
