// Pages that the consumer could not handle, however often it tried. They end visibly: a `failed` row, a line in the
// alert's story; never silence. What was recorded meanwhile stays as it is.
import { createHash } from "node:crypto";
import { statement } from "../db/database.ts";
import { insertPlanned, recordAttempts, selectEffect } from "../db/notification-rows.ts";
import { identifierOf, prefixIdOf } from "../domain/identifiers.ts";
import { type PageMessage, senderOf } from "../domain/page.ts";
import { pageSender } from "./page-sender.ts";

const REASON = "it could not be handled, and was given up";

/** Handles a batch of dead letters; what cannot be recorded now is kept for later. */
export async function consumeDeadLetters(
  batch: MessageBatch<PageMessage>,
  env: Cloudflare.Env,
): Promise<void> {
  for (const message of batch.messages) {
    try {
      await bury(message.body, env);
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
  const effectId = body?.page?.effectId;
  if (typeof effectId !== "string" || !(body?.alert?.id ?? body?.notice?.schedule)) {
    console.error({ message: "a dead letter was no page at all" });
    return;
  }
  const digest = createHash("sha256").update(`${effectId}:none`).digest();
  const id = identifierOf(body.page.at, digest);
  const prefixId = prefixIdOf("notification", id);
  const row = { id, prefixId, message: body, channel: "none", to: null, status: "failed" } as const;
  const effect = selectEffect(body.accountId, body.alert?.id ?? null, effectId);
  const known = (await statement(env.DB, effect).all<{ id: string; status: string }>()).results;
  const recorded = known.some((it) => it.status !== "queued");
  const unfinished = known.filter((it) => it.status === "queued");
  const given = { status: "failed", reason: REASON, providerId: null, claimedUntil: null } as const;
  const now = Date.now();
  if (unfinished.length > 0) {
    const attempts = unfinished.map((it) => ({ id: it.id, ...given }));
    await statement(env.DB, recordAttempts(attempts, now)).run();
  } else if (!recorded) {
    await statement(env.DB, insertPlanned([{ ...row, reason: REASON }], now)).run();
  }
  const failure = recorded ? null : `Not notified: ${REASON}`;
  await pageSender(env, senderOf(body)).confirm([{ effectId, failure }]);
}
