// The session of a request, found by the token in its cookie.
import type { Context } from "hono";
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import {
  cachedSession,
  cacheSession,
  extendSession,
  findSession,
  forgetSessions,
  type Session,
} from "../../features/access/sessions/session.ts";
import { checkSecret, hashOfSecret } from "../../kernel/credentials.ts";
import { lookUpCredential, type Presented } from "../../kernel/http/failure-limit.ts";
import type { Environment } from "../../kernel/http/serve.ts";

export const presentedSession = ({ env, req }: Context<Environment>, token: string): Presented => ({
  env,
  address: req.header("cf-connecting-ip"),
  credential: hashOfSecret(token),
  provenance: checkSecret(env.LINK_SECRET, "session", token),
});

/**
 * Returns a token's session, from the cache if it is there; null if it does not exist any more.
 * Refuses an address that sent too many unknown tokens.
 *
 * @param now epoch ms
 */
export async function sessionFor(
  context: Context<Environment>,
  token: string,
  now: number,
): Promise<Session | Refusal | null> {
  const { env, executionCtx } = context;
  const cached = cachedSession(token, now);
  if (cached !== null) return cached;
  const db = env.DB.withSession("first-primary");
  const presented = presentedSession(context, token);
  const found = await lookUpCredential(presented, () => findSession(db, token, now));
  if (isRefusal(found)) return found;
  if (found === null) {
    forgetSessions((known) => known.token === token);
    return null;
  }
  executionCtx.waitUntil(extendSession(env.DB, found, now));
  cacheSession(found.session, now);
  return found.session;
}
