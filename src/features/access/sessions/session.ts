// Sessions of the console, by the token in a browser's cookie. For actions the isolate caches them for 30 seconds, like API
// keys: signing out takes effect at once in this isolate and within 30 seconds in others. Page views always read them from
// the database.
import type { MemberActor } from "../../../domain/access/actor.ts";
import { DAY, HOUR } from "../../../domain/shared/time.ts";
import { isKnownZone } from "../../../domain/shared/time-zones.ts";
import { type Connection, statement } from "../../../kernel/db/database.ts";
import { logMinorFault } from "../../../kernel/db/log-fault.ts";
import { all } from "../../../kernel/db/select.ts";
import { liveObject } from "../../stubs.ts";
import {
  deleteSession,
  deleteSessionById,
  deleteSessionsOf,
  type ListedSession,
  type Membership,
  readSession,
  type StoredSession,
  selectSessionsOf,
  switchAccount,
  touchSession,
} from "./session-rows.ts";
import { hashOf } from "./sign-in-rows.ts";

export type { ListedSession };

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

/** Caches a session that the primary has just confirmed, for the actions that follow. */
export function cacheSession(session: Session, now: number): void {
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(hashOf(session.token), { session, until: now + CACHE_MS });
}

/** A cached session by its token; null if it is not cached. `now` in epoch ms. */
export function cachedSession(token: string, now: number): Session | null {
  const cached = cache.get(hashOf(token));
  return cached && cached.until > now ? cached.session : null;
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
export type FoundSession = { readonly session: Session; readonly lastSeenAt: number };

/** Reads a session by its token; null if it does not exist any more. `now` in epoch ms. */
export async function findSession(
  db: Connection,
  token: string,
  now: number,
): Promise<FoundSession | null> {
  const stored = await readSession(db, token, now);
  return stored && { session: sessionOf(token, stored), lastSeenAt: stored.lastSeenAt };
}

/** Extends a session that is used; writes at most once an hour. */
export async function extendSession(
  db: D1Database,
  { session, lastSeenAt }: FoundSession,
  now: number,
): Promise<void> {
  if (lastSeenAt >= now - HOUR) return;
  const touch = touchSession(session.token, now, endOf(session.createdAt, now));
  await statement(db, touch).run();
}

/** The sessions of a person that have not ended, the last used one first. */
export const listSessions = (
  db: Connection,
  userId: string,
  now: number,
): Promise<readonly ListedSession[]> => all(db, selectSessionsOf(userId, now));

/** Ends the session of a token. */
export async function signOut(db: Connection, token: string): Promise<void> {
  await statement(db, deleteSession(token)).run();
  forgetSessions((known) => known.token === token);
}

/** Ends one of a person's sessions; without an id, all of them. */
export async function endSessions(
  db: Connection,
  userId: string,
  id: string | null,
): Promise<void> {
  const query = id === null ? deleteSessionsOf(userId, null) : deleteSessionById(userId, id);
  await statement(db, query).run();
  forgetSessions((known) => known.actor.userId === userId && (id === null || known.id === id));
}

/**
 * Has the open consoles of sessions that have ended show nothing more of their account. Never throws, and is not
 * retried: they are closed with the next change in any case.
 */
export const closeEndedConsoles = (env: Cloudflare.Env, accountId: string): Promise<void> =>
  liveObject(env, accountId)
    .sessionsEnded()
    .catch((error: unknown) => {
      logMinorFault("open consoles could not be closed", error);
    });

/** Opens another account in a session; false unless its person is an active member there. */
export async function switchToAccount(
  db: Connection,
  token: string,
  accountUserId: string,
): Promise<boolean> {
  const row = await statement(db, switchAccount(token, accountUserId)).first();
  if (row === null) return false;
  forgetSessions((known) => known.token === token);
  return true;
}
