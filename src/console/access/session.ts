// The session of a request, found by the token in its cookie. For actions the isolate caches it for
// 30 seconds, like an API key: signing out takes effect at once in this isolate and within 30
// seconds in others. Page views always read it from the database.
import type { Context } from "hono";
import type { MemberActor } from "../../domain/access/actor.ts";
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import { DAY, HOUR } from "../../domain/shared/time.ts";
import { isKnownZone } from "../../domain/shared/time-zones.ts";
import {
  type Membership,
  readSession,
  type StoredSession,
  touchSession,
} from "../../features/access/sessions/session-rows.ts";
import { hashOf } from "../../features/access/sessions/sign-in-rows.ts";
import { checkSecret } from "../../kernel/credentials.ts";
import { type Connection, statement } from "../../kernel/db/database.ts";
import { lookUpCredential, type Presented } from "../../kernel/http/failure-limit.ts";
import type { Environment } from "../../kernel/http/serve.ts";

export type Session = {
  readonly id: string;
  /** The cookie's value; never shown or logged. */
  readonly token: string;
  readonly actor: MemberActor;
  /** The person's time zone: a name from the API's list or an IANA name. */
  readonly timeZone: string;
  readonly accountName: string;
  /** Every account that the person is a member of, by name. */
  readonly memberships: readonly Membership[];
  /** True until the first password is replaced. */
  readonly mustChoosePassword: boolean;
  readonly hasPassword: boolean;
  readonly createdAt: number;
};

/** A session ends after this time without use, and at the latest this long after its creation. */
const MAX_IDLE_MS = 30 * DAY;
const MAX_AGE_MS = 180 * DAY;

const CACHE_MS = 30_000;
const MAX_CACHED = 10_000;
const cache = new Map<string, { readonly session: Session; readonly until: number }>();

/** When a session that is used now expires (epoch ms). */
export const endOf = (createdAt: number, now: number): number =>
  Math.min(now + MAX_IDLE_MS, createdAt + MAX_AGE_MS);

/** Removes ended or changed sessions from this isolate's cache. */
export function forgetSessions(matches: (session: Session) => boolean): void {
  for (const [hash, { session }] of cache) if (matches(session)) cache.delete(hash);
}

function sessionOf(token: string, stored: StoredSession): Session {
  const { id, accountUserId, timeZone, memberships, hasPassword } = stored;
  const { admin, billing, broadcaster, communicator } = stored;
  return {
    id,
    token,
    actor: {
      kind: "session",
      accountId: stored.accountId,
      accountUserId,
      userId: stored.userId,
      name: stored.name,
      credentialId: id,
      isOwnCredential: true,
      readOnly: false,
      roles: { admin, billing, broadcaster, communicator },
    },
    timeZone: isKnownZone(timeZone) ? timeZone : "UTC",
    accountName: memberships.find((it) => it.id === accountUserId)?.name ?? "",
    memberships,
    mustChoosePassword: hasPassword && stored.passwordExpired,
    hasPassword,
    createdAt: stored.createdAt,
  };
}

/** A session from its row, and when it was last used (epoch ms). */
export type Found = { readonly session: Session; readonly lastSeenAt: number };

/** Reads a session by its token; null if it does not exist any more. `now` in epoch ms. */
export async function findSession(
  db: Connection,
  token: string,
  now: number,
): Promise<Found | null> {
  const stored = await readSession(db, token, now);
  return stored && { session: sessionOf(token, stored), lastSeenAt: stored.lastSeenAt };
}

/** Extends a session that is used; writes at most once an hour. */
export async function extendSession(
  db: D1Database,
  { session, lastSeenAt }: Found,
  now: number,
): Promise<void> {
  if (lastSeenAt >= now - HOUR) return;
  const touch = touchSession(session.token, now, endOf(session.createdAt, now));
  await statement(db, touch).run();
}

/** A request's session token, as it is looked up. */
export const presentedSession = ({ env, req }: Context<Environment>, token: string): Presented => ({
  env,
  address: req.header("cf-connecting-ip"),
  credential: hashOf(token),
  provenance: checkSecret(env.LINK_SECRET, "session", token),
});

/** Caches a session that the primary has just confirmed, for the actions that follow. */
export function cacheSession(session: Session, now: number): void {
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(hashOf(session.token), { session, until: now + CACHE_MS });
}

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
  const cached = cache.get(hashOf(token));
  if (cached && cached.until > now) return cached.session;
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
