// Who has signed in: the cookie's token, looked up. For actions it is remembered in the isolate for 30 seconds, like an
// API key: signing out takes effect on them at once here, and within that time elsewhere. Pages ask each time.
import { createHmac, randomBytes } from "node:crypto";
import type { Context } from "hono";
import { readSession, touchSession } from "../../db/access/session-rows.ts";
import { hashOf } from "../../db/access/sign-in-rows.ts";
import type { RawRow } from "../../db/records/attributes.ts";
import { type Connection, statement } from "../../db/shared/database.ts";
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import { DAY, HOUR } from "../../domain/shared/time.ts";
import { isKnownZone } from "../../domain/shared/time-zones.ts";
import type { Actor } from "../../http/access/actor.ts";
import { lookUpCredential } from "../../http/access/failure-limit.ts";
import type { Environment } from "../../http/serve.ts";

type Membership = { readonly id: string; readonly name: string };

export type Session = {
  readonly id: string;
  /** The cookie's: never shown, never logged. */
  readonly token: string;
  readonly actor: Actor;
  /** The person's: a listed or an IANA name. */
  readonly timeZone: string;
  readonly accountName: string;
  /** Every account that they may look at, by name. */
  readonly memberships: readonly Membership[];
  /** True until the one-time password is replaced. */
  readonly mustChoosePassword: boolean;
  readonly hasPassword: boolean;
  readonly createdAt: number;
};

/** A session ends when it was not used so long, and at the latest so long after its beginning. */
const UNUSED_MS = 30 * DAY;
const LONGEST_MS = 180 * DAY;

const REMEMBERED_MS = 30_000;
const MOST_REMEMBERED = 10_000;
const remembered = new Map<string, { readonly session: Session; readonly until: number }>();

export const newToken = (): string => randomBytes(32).toString("base64url");

/** When a session that is used now ends (epoch ms). */
export const endOf = (createdAt: number, now: number): number =>
  Math.min(now + UNUSED_MS, createdAt + LONGEST_MS);

/** What a session's forms carry: follows from the cookie's token, and does not lead back to it. */
export const formToken = (token: string): string =>
  createHmac("sha256", token).update("forms of the console").digest("base64url");

/** Sessions that were ended or changed through this isolate are forgotten at once. */
export function forgetSessions(matches: (session: Session) => boolean): void {
  for (const [hash, { session }] of remembered) if (matches(session)) remembered.delete(hash);
}

function sessionOf(token: string, row: RawRow): Session {
  const memberships = JSON.parse(String(row.memberships)) as Membership[];
  const accountUserId = String(row.account_user_id);
  const timeZone = String(row.time_zone);
  return {
    id: String(row.id),
    token,
    actor: {
      accountId: String(row.account_id),
      accountUserId,
      userId: String(row.user_id),
      name: String(row.name),
      credentialId: String(row.id),
      isOwnCredential: true,
      readOnly: false,
      roles: {
        admin: row.admin === 1,
        billing: row.billing === 1,
        broadcaster: row.broadcaster === 1,
        communicator: row.communicator === 1,
      },
    },
    timeZone: isKnownZone(timeZone) ? timeZone : "UTC",
    accountName: memberships.find(({ id }) => id === accountUserId)?.name ?? "",
    memberships,
    mustChoosePassword: row.has_password === 1 && row.password_expired === 1,
    hasPassword: row.has_password === 1,
    createdAt: Number(row.created_at),
  };
}

/** A session as its row has it, and when it was last used (epoch ms). */
export type Found = { readonly session: Session; readonly lastSeenAt: number };

/** What the database says of a cookie's token; null where there is no session any more. `now` in epoch ms. */
export async function findSession(
  db: Connection,
  token: string,
  now: number,
): Promise<Found | null> {
  const row = await readSession(db, token, now);
  return row && { session: sessionOf(token, row), lastSeenAt: Number(row.last_seen_at) };
}

/** Lets a session last longer that is used, at most once an hour. */
export async function noteUse(
  db: D1Database,
  { session, lastSeenAt }: Found,
  now: number,
): Promise<void> {
  if (lastSeenAt >= now - HOUR) return;
  const touch = touchSession(session.token, now, endOf(session.createdAt, now));
  await statement(db, touch).run();
}

/** Keeps what the primary has just said for the actions that follow. */
export function remember(session: Session, now: number): void {
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(hashOf(session.token), { session, until: now + REMEMBERED_MS });
}

/**
 * The session of a cookie's token, which may be as old as it is remembered; null where there is none any more, or the
 * refusal of an address that sent too many tokens of no session.
 *
 * @param now epoch ms
 */
export async function sessionFor(
  context: Context<Environment>,
  token: string,
  now: number,
): Promise<Session | Refusal | null> {
  const { env, req, executionCtx } = context;
  const held = remembered.get(hashOf(token));
  if (held && held.until > now) return held.session;
  const db = env.DB.withSession("first-primary");
  const found = await lookUpCredential(env, req.header("cf-connecting-ip"), hashOf(token), () =>
    findSession(db, token, now),
  );
  if (isRefusal(found)) return found;
  if (found === null) {
    forgetSessions((known) => known.token === token);
    return null;
  }
  executionCtx.waitUntil(noteUse(env.DB, found, now));
  remember(found.session, now);
  return found.session;
}
