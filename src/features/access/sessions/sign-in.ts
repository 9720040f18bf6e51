// Signing in with a password, and the session that begins.

import { deviceName } from "../../../domain/access/device-name.ts";
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { newSecret } from "../../../kernel/credentials.ts";
import { type Connection, statement } from "../../../kernel/db/database.ts";
import { passwordWork } from "./password-work.ts";
import { checkPassword } from "./passwords.ts";
import { securityNotices } from "./security-notices.ts";
import { endOf } from "./session.ts";
import {
  findSignInUser,
  insertSession,
  type SignInUser,
  useFirstPassword,
} from "./session-rows.ts";
import type { SignInAttempt } from "./sign-in-rows.ts";
import { runWithinLimits } from "./within-limits.ts";

const MAX_PASSWORD = 256;

const WRONG_CREDENTIALS = refuse(
  "unauthenticated",
  "the e-mail address or the password is incorrect",
);
const NO_ACCOUNT = refuse(
  "forbidden",
  "you are not a member of any account; approve your invitation first with the link in its e-mail",
);

/** Where somebody signs in. */
type SignInPlace = {
  /** The group of the client's network address. */
  readonly network: string;
  /** The client's network address, for a notice. */
  readonly address: string;
  readonly userAgent: string;
  /** The browser's id if the person has signed in with it before, else null. */
  readonly knownBrowserOf: (userId: string) => string | null;
};

/** A request of somebody who is not signed in. */
export type SignInContext = {
  readonly env: Cloudflare.Env;
  readonly db: Connection;
  /** Epoch ms. */
  readonly now: number;
  readonly place: SignInPlace;
};

/** A session that has begun: the cookie's value, and its person. */
export type SignedIn = {
  readonly kind: "signed_in";
  readonly token: string;
  readonly userId: string;
};

/**
 * Begins a session of an authenticated person, and notifies them if the browser is new.
 *
 * @param attempt the attempt that succeeded; deleted together with the failures before it
 * @returns the session; 403 for somebody who is a member of no account
 */
export async function beginSession(
  { env, db, now, place }: SignInContext,
  { userId, accountUserId, hasSignedIn }: SignInUser,
  attempt: SignInAttempt | null,
): Promise<SignedIn | Refusal> {
  if (accountUserId === null) return NO_ACCOUNT;
  const token = newSecret(env.LINK_SECRET, "session");
  const { userAgent, address } = place;
  const isNew = Boolean(env.LINK_SECRET) && hasSignedIn && place.knownBrowserOf(userId) === null;
  const detail = `${deviceName(userAgent)}, from ${address}`;
  const notices = await securityNotices(
    env,
    { userId, accountId: null, byUserId: null },
    isNew ? [{ kind: "sign_in", detail }] : [],
    now,
  );
  const session = { token, userId, accountUserId, browser: userAgent, expiresAt: endOf(now, now) };
  await insertSession(db, session, attempt, notices, now);
  return { kind: "signed_in", token, userId };
}

/**
 * The keys that an attempt is limited by.
 *
 * @param userId the person whose known browser this may be; null for an unknown address
 */
function attemptOf(place: SignInPlace, userId: string | null, email: string): SignInAttempt {
  const browser = userId === null ? null : place.knownBrowserOf(userId);
  return {
    who: userId ?? email,
    place:
      browser === null
        ? { kind: "network", name: place.network }
        : { kind: "browser", name: browser },
  };
}

const EXPIRED = { kind: "first_password_expired" } as const;

/**
 * Signs in with a password, within the limits on attempts.
 *
 * @param email in lower case
 * @returns the session; that the first password has expired; 401 for a wrong address or password, 403
 *   without an account, 429 over the limits
 */
export async function signInWithPassword(
  context: SignInContext,
  email: string,
  password: string,
): Promise<SignedIn | typeof EXPIRED | Refusal> {
  const { env, db, now, place } = context;
  if (email === "" || password === "" || password.length > MAX_PASSWORD) return WRONG_CREDENTIALS;
  const signer = await findSignInUser(db, email);
  const { passwordHash: hash = null, firstPasswordUntil: until = null } = signer ?? {};
  const isExpired = until !== null && until <= now;
  const attempt = attemptOf(place, signer?.userId ?? null, email);
  const isRight = await runWithinLimits(db, attempt, () =>
    checkPassword(password, hash, isExpired, passwordWork(env)),
  );
  if (isRefusal(isRight)) return isRight;
  if (!isRight || signer === null || hash === null) return WRONG_CREDENTIALS;
  if (isExpired) return EXPIRED;
  if (until !== null) {
    const used = await statement(db, useFirstPassword(signer.userId, hash, now)).first();
    if (used === null) return EXPIRED;
  }
  return beginSession(context, signer, attempt);
}
