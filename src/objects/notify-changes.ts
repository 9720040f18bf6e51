// Notifies objects of what triggers noted in D1: who is on call may have changed, somebody was removed from an account.
// By the stubs alone.
import { notifyMemberRemovals } from "./member-removals.ts";
import { notifyOnCallChanges } from "./on-call-changes.ts";

/**
 * Notifies objects of what has changed in an account, or (null) in all of them. Never throws: what
 * could not be notified stays, for the next write and for the sweep.
 */
export async function notifyChanges(env: Cloudflare.Env, accountId: string | null): Promise<void> {
  const notified = await Promise.allSettled([
    notifyMemberRemovals(env, accountId),
    notifyOnCallChanges(env, accountId),
  ]);
  for (const it of notified) {
    if (it.status === "fulfilled") continue;
    const said = String(it.reason).slice(0, 200);
    console.error({ message: "a change of who is on call waits", error: said });
  }
}

/** Whether this isolate has asked for what an earlier one left. */
let isResumed = false;

/**
 * Does once, when an isolate begins, what the one before it may have died with. Deployed the sweep
 * would do it within a minute; `wrangler dev` has none.
 */
export async function resumeNotifying(env: Cloudflare.Env): Promise<void> {
  if (isResumed) return;
  isResumed = true;
  await notifyChanges(env, null);
}
