// Notifies objects of changes that triggers recorded in D1: who is on call may have changed, or a
// person was removed from an account.

import type { MiddlewareHandler } from "hono";
import { logFault } from "../../kernel/db/log-fault.ts";
import type { Environment } from "../../kernel/http/serve.ts";
import { notifyMemberRemovals } from "./member-removals.ts";
import { notifyOnCallChanges } from "./on-call-changes.ts";

/**
 * Notifies objects of the changes in an account, or (null) in all of them. Never throws: a change
 * that could not be notified stays recorded, for the next write and for the sweep.
 */
export async function notifyChanges(env: Cloudflare.Env, accountId: string | null): Promise<void> {
  const notified = await Promise.allSettled([
    notifyMemberRemovals(env, accountId),
    notifyOnCallChanges(env, accountId),
  ]);
  for (const it of notified) {
    if (it.status === "fulfilled") continue;
    logFault("on-call changes could not be notified; they are retried", it.reason);
  }
}

/** Whether this isolate has sent what an earlier one may have left. */
let isResumed = false;

/**
 * Sends, once per isolate and beside the request, the notifications that an earlier isolate may have failed to send. In
 * a deployment the sweep would do so within a minute; `wrangler dev` has no sweep.
 */
export const resumeNotifying: MiddlewareHandler<Environment> = async (context, next) => {
  if (!isResumed) context.executionCtx.waitUntil(notifyChanges(context.env, null));
  isResumed = true;
  await next();
};
