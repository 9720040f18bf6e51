// Notifies running alerts that a person they ask was removed from the account. A row is written
// with the removal and deleted after the notification.

import { statement } from "../../kernel/db/database.ts";
import { alertObject } from "../stubs.ts";
import {
  deleteMemberRemovals,
  type MemberRemoval,
  readMemberRemovals,
} from "./member-removal-rows.ts";

/** Number of removals read at a time, and of alerts notified at a time. */
const BATCH_SIZE = 20;

/** Notifies alerts of an account's removals, or (null) of all accounts'. Throws if any fails. */
export async function notifyMemberRemovals(
  env: Cloudflare.Env,
  accountId: string | null,
): Promise<void> {
  for (;;) {
    const removals = await readMemberRemovals(env.DB, accountId, BATCH_SIZE);
    if (removals.length === 0) return;
    for (const removal of removals) await notify(env, removal);
    const ids = removals.map(({ accountUserId }) => accountUserId);
    await statement(env.DB, deleteMemberRemovals(ids)).run();
    if (removals.length < BATCH_SIZE) return;
  }
}

async function notify(env: Cloudflare.Env, removal: MemberRemoval): Promise<void> {
  const { accountId, accountUserId, name, alerts } = removal;
  for (let i = 0; i < alerts.length; i += BATCH_SIZE) {
    const some = alerts.slice(i, i + BATCH_SIZE);
    const members = [{ accountUserId, name }];
    await Promise.all(some.map((it) => alertObject(env, it).removeMembers(accountId, members)));
  }
}
