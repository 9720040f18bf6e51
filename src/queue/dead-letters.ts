// Messages that the consumer could not handle, however often it tried. They end visibly: a `failed` row, a line in the
// alert's story; never silence. What was recorded meanwhile stays as it is.
import { statement } from "../db/database.ts";
import { insertPlanned, recordAttempts, selectEffect } from "../db/notification-rows.ts";
import { prefixIdOf } from "../domain/identifiers.ts";
import { messageKey, type PageMessage, type PageReport, senderOf } from "../domain/page.ts";
import { personObject } from "../objects/stubs.ts";
import { pageSender } from "./page-sender.ts";
import { isPageMessage, isReleaseMessage } from "./pages.ts";
import { nowhere } from "./plan-notifications.ts";
import { buryRelease } from "./release.ts";

const REASON = "it could not be handled, and was given up";

/** Handles a batch of dead letters; what cannot be recorded now is kept for later. */
export async function consumeDeadLetters(
  batch: MessageBatch<unknown>,
  env: Cloudflare.Env,
): Promise<void> {
  for (const message of batch.messages) {
    try {
      const { body } = message;
      if (isPageMessage(body)) await bury(body, env);
      else if (isReleaseMessage(body)) await buryRelease(body, REASON, env);
      else console.error({ message: "a dead letter was no page at all" });
      message.ack();
    } catch (error) {
      console.error({
        message: "a dead letter could not be recorded",
        error: String(error).slice(0, 200),
      });
      message.retry({ delaySeconds: 60 });
    }
  }
}

async function bury(body: PageMessage, env: Cloudflare.Env): Promise<void> {
  const { accountId, alert, page, stage } = body;
  const { effectId } = page;
  const effect = selectEffect(accountId, alert?.id ?? null, effectId);
  const known = (await statement(env.DB, effect).all<{ id: string; status: string }>()).results;
  const recorded = known.some((it) => it.status !== "queued");
  const unfinished = known.filter((it) => it.status === "queued");
  const given = { status: "failed", reason: REASON, providerId: null, claimedUntil: null } as const;
  const now = Date.now();
  if (unfinished.length > 0) {
    const attempts = unfinished.map((it) => ({ id: it.id, ...given }));
    await statement(env.DB, recordAttempts(attempts, now)).run();
  } else if (!recorded) {
    await statement(env.DB, insertPlanned([nowhere(body, "failed", REASON)], now)).run();
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
    message: `Not notified: ${REASON}`,
  } as const;
  return { effectId, lines: recorded ? [] : [line], unreached: !recorded, page };
}
