// Password reset: a link mailed to a verified address, and the new password. Asking is answered the same for every address,
// after the same work; the queue consumer that sends the mail looks up the address.

import { createHash } from "node:crypto";
import { passwordFault } from "../../../domain/access/password.ts";
import { singleSignOnName } from "../../../domain/access/single-sign-on.ts";
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { canSendLinks } from "../../../products/mail/mail-provider.ts";
import { accessMailObject } from "../../stubs.ts";
import { readAccessLink } from "./access-links.ts";
import { type ResettableUser, readResettableUser, replacePassword } from "./password-reset-rows.ts";
import { passwordWork } from "./password-work.ts";
import { hashPassword, matchesPassword } from "./passwords.ts";
import { forgetSessions } from "./session.ts";
import { readSignInUser } from "./session-rows.ts";
import { beginSession, type SignedIn, type SignInContext } from "./sign-in.ts";
import { countMailRequest } from "./sign-in-rows.ts";
import { runWithinLimits } from "./within-limits.ts";

const MAX_ADDRESS = 254;

const TOO_MANY = refuse("too_many", "too many requests; try again in 15 minutes");
const SAME = refuse("invalid", "password must differ from your current password", "password");

/** Whether this deployment can mail the link. */
export const canMailReset = (env: Cloudflare.Env): boolean => canSendLinks(env);

/** The Durable Object of an address; its name contains a hash, not the address. */
const mailObjectOf = (env: Cloudflare.Env, email: string) =>
  accessMailObject(env, `password ${createHash("sha256").update(email).digest("hex")}`);

/**
 * Asks for the mail, which is sent if somebody signs in with the address.
 *
 * @param email in lower case
 * @returns null; 429 over the limit of the network
 */
export async function requestPasswordMail(
  { env, db, now, place: { network: place } }: SignInContext,
  email: string,
): Promise<Refusal | null> {
  if (!(await countMailRequest(db, place, now))) return TOO_MANY;
  if (email !== "" && email.length <= MAX_ADDRESS) {
    await mailObjectOf(env, email).expect({ kind: "password", email, place, at: now });
  }
  return null;
}

/** `needs_none`: the person signs in with single sign-on, and has no password. */
export type PasswordLink =
  | { readonly kind: "person"; readonly person: ResettableUser }
  | { readonly kind: "expired" | "unknown" | "needs_none" };

/** The person whom a link lets choose a password, or why it does not. */
export async function readPasswordLink(
  { env, db }: Pick<SignInContext, "env" | "db">,
  token: string,
): Promise<PasswordLink> {
  const found = await readAccessLink(env, "password", token);
  if (found.kind !== "link") return found;
  const { userId, emailId, isFor } = found.link;
  const person = await readResettableUser(db, userId, emailId);
  if (person === null || !isFor([person.email, person.passwordHash ?? ""])) {
    return { kind: "expired" };
  }
  if (person.passwordHash === null && singleSignOnName(env) !== null) return { kind: "needs_none" };
  return { kind: "person", person };
}

/** A password that was replaced: the session that began, or why none did. */
export type PasswordReset = {
  readonly kind: "replaced";
  /** Whether the person had signed in before. */
  readonly hasSignedIn: boolean;
  readonly session: SignedIn | Refusal;
};

/**
 * Replaces the password of a link's person, ends all their sessions, and signs them in.
 *
 * @param again the password, entered again
 * @returns what became of it; that the link has expired meanwhile; 422 for an unfit password, 429 over the
 *   limits on attempts
 */
export async function resetPassword(
  context: SignInContext,
  person: ResettableUser,
  password: string,
  again: string,
): Promise<PasswordReset | { readonly kind: "expired" } | Refusal> {
  const { env, db, now } = context;
  const { userId, emailId, passwordHash: kept } = person;
  const work = passwordWork(env);
  const signer = await readSignInUser(db, userId);
  if (signer === null) return { kind: "expired" };
  const fault = passwordFault(password, again, signer);
  if (fault) return fault;
  // Limited per link, so that nobody else can block it.
  const attempt = { who: userId, place: { kind: "browser", name: emailId } } as const;
  const newHash = await runWithinLimits(db, attempt, async () =>
    kept !== null && (await matchesPassword(password, kept, work))
      ? null
      : hashPassword(password, undefined, work),
  );
  if (isRefusal(newHash)) return newHash;
  if (newHash === null) return SAME;
  if (!(await replacePassword(db, person, newHash, now))) return { kind: "expired" };
  forgetSessions((known) => known.actor.userId === userId);
  const session = await beginSession(context, signer, attempt);
  return { kind: "replaced", hasSignedIn: signer.hasSignedIn, session };
}
