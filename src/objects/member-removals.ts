// Notifies running alerts that somebody they ask was removed from the account. The row that says so is written with the
// removal and leaves only afterwards.
import { statement } from "../db/database.ts";
import {
  deleteMemberRemovals,
  type MemberRemoval,
  readMemberRemovals,
} from "../db/member-removal-rows.ts";
import { alertObject } from "./stubs.ts";

/** Removals that are read at a time, and alerts that are notified at a time. */
const MOST = 20;

/** Notifies the alerts of an account's removals, or (null) of those of all accounts. Throws when one fails. */
export async function notifyMemberRemovals(
  env: Cloudflare.Env,
  accountId: string | null,
): Promise<void> {
  for (;;) {
    const removals = await readMemberRemovals(env.DB, accountId, MOST);
    if (removals.length === 0) return;
    for (const removal of removals) await notify(env, removal);
    const ids = removals.map(({ accountUserId }) => accountUserId);
    await statement(env.DB, deleteMemberRemovals(ids)).run();
    if (removals.length < MOST) return;
  }
}

async function notify(env: Cloudflare.Env, removal: MemberRemoval): Promise<void> {
  const { accountId, accountUserId, name, alerts } = removal;
  for (let i = 0; i < alerts.length; i += MOST) {
    const some = alerts.slice(i, i + MOST);
    const members = [{ accountUserId, name }];
    await Promise.all(some.map((it) => alertObject(env, it).removeMembers(accountId, members)));
  }
}
