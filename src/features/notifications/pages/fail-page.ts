// Ends a page that can never be delivered: writes a `failed` row, adds a line to the alert's
// timeline and confirms the page to its sender. Rows that are already recorded stay unchanged.

import {
  messageKey,
  type PageMessage,
  type PageReport,
  sendingObjectName,
} from "../../../domain/notifications/page.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { statement } from "../../../kernel/db/database.ts";
import { all } from "../../../kernel/db/select.ts";
import { recordAttempts } from "../../people/channels/attempt-rows.ts";
import { personObject } from "../../stubs.ts";
import { claimPlanned, selectEffect } from "../notifications/rows.ts";
import { pageSender } from "./page-sender.ts";
import { rowWithoutChannel } from "./plan-notifications.ts";

export const GIVEN_UP = "processing failed repeatedly and was abandoned";

/** Marks the page as failed. Throws if that cannot be recorded now. */
export async function failPage(body: PageMessage, env: Cloudflare.Env): Promise<void> {
  const { page, stage } = body;
  const rows = await all(env.DB, selectEffect(body));
  const recorded = rows.some((it) => it.status !== "queued");
  const unfinished = rows.filter((it) => it.status === "queued");
  const failure = {
    status: "failed",
    reason: GIVEN_UP,
    providerId: null,
    claimedUntil: null,
  } as const;
  const now = Date.now();
  if (unfinished.length > 0) {
    const attempts = unfinished.map((it) => ({ ...it, ...failure }));
    await statement(env.DB, recordAttempts(attempts, now)).run();
  } else if (!recorded) {
    await statement(
      env.DB,
      claimPlanned([rowWithoutChannel(body, "failed", GIVEN_UP)], 0, now),
    ).run();
  }
  await pageSender(env, sendingObjectName(body)).confirm(
    [reportOf(body, recorded)],
    body.accountId,
  );
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
