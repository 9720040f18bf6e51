// Signing in as the person of an identity at the provider of single sign-on, and the mailed link with which a person
// proves, once, an address that the provider does not vouch for.
import { createHash, randomBytes } from "node:crypto";
import type { Identity } from "../../../domain/access/access-mail.ts";
import { singleSignOnName } from "../../../domain/access/single-sign-on.ts";
import { type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { statement } from "../../../kernel/db/database.ts";
import { canSendLinks } from "../../../products/mail/mail-provider.ts";
import { accessMailObject } from "../../stubs.ts";
import { readAccessLink } from "./access-links.ts";
import { readResettableUser } from "./password-reset-rows.ts";
import {
  deleteFirstPassword,
  findIdentity,
  findSignInUser,
  linkIdentity,
  readSignInUser,
  type SignInUser,
} from "./session-rows.ts";
import { beginSession, type SignedIn, type SignInContext } from "./sign-in.ts";
import { countMailRequest } from "./sign-in-rows.ts";

const UNKNOWN_ADDRESS = refuse(
  "unauthenticated",
  "no person here has verified this address; if it is yours, verify it in your settings first",
);
const UNVERIFIED = refuse(
  "unauthenticated",
  "the sign-in provider does not confirm your e-mail address",
);
const TOO_MANY = refuse("too_many", "too many requests; try again in 15 minutes");

/** Links the identity to the person and signs in. */
async function linkAndSignIn(
  context: SignInContext,
  signer: SignInUser,
  identity: Identity,
): Promise<SignedIn | Refusal> {
  const { db, now } = context;
  // Single sign-on replaces the password: a first password that was never replaced is deleted.
  const writes = [linkIdentity(signer.userId, identity, now), deleteFirstPassword(signer.userId)];
  await db.batch(writes.map((write) => statement(db, write)));
  return beginSession(context, signer, null);
}

/** Whom the provider has authenticated. */
export type Authenticated = {
  readonly identity: Identity;
  readonly email: string | null;
  /** Whether the provider vouches for the address. */
  readonly isVouched: boolean;
};

/** A mail with a link was asked for; the browser stores the secret, which the link needs. */
type LinkRequested = { readonly kind: "link_requested"; readonly secret: string };

/**
 * Signs in the person of an identity: who is linked to it, or else whose address the provider vouches for.
 * For an address that it does not vouch for, asks for a mail with a link.
 *
 * @returns the session; that a mail was asked for; 401 for an address that is unknown, or without one; 403
 *   without an account; 429 over the limit of mails
 */
export async function signInWithIdentity(
  context: SignInContext,
  { identity, email, isVouched }: Authenticated,
): Promise<SignedIn | LinkRequested | Refusal> {
  const linked = await findIdentity(context.db, identity);
  if (linked !== null) return linkAndSignIn(context, linked, identity);
  if (email === null) return UNVERIFIED;
  if (!isVouched) return requestLink(context, identity, email);
  const signer = await findSignInUser(context.db, email);
  return signer === null ? UNKNOWN_ADDRESS : linkAndSignIn(context, signer, identity);
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("base64url");

/** Requests a mail to the address. The result does not reveal whether anyone signs in with it. */
async function requestLink(
  { env, db, now, place: { network: place } }: SignInContext,
  identity: Identity,
  email: string,
): Promise<LinkRequested | Refusal> {
  if (!canSendLinks(env)) return UNVERIFIED;
  if (!(await countMailRequest(db, place, now))) return TOO_MANY;
  const secret = randomBytes(32).toString("base64url");
  const browser = hashOf(secret);
  const object = accessMailObject(env, `identity ${browser}`);
  await object.expect({ kind: "identity", email, place, identity, browser, at: now });
  return { kind: "link_requested", secret };
}

/** That a person reads the mailbox of an address, in the browser that asked for the link. */
export type IdentityProof = {
  readonly kind: "proof";
  readonly identity: Identity;
  readonly signer: SignInUser;
  readonly email: string;
};

/**
 * Checks a link together with what the browser has stored.
 *
 * @param stored the identity and the secret of the browser; null without them
 */
export async function readIdentityLink(
  { env, db }: Pick<SignInContext, "env" | "db">,
  token: string,
  stored: (Identity & { readonly secret: string }) | null,
): Promise<IdentityProof | { readonly kind: "expired" | "unknown" }> {
  const found = await readAccessLink(env, "identity", token);
  if (found.kind === "unknown") return found;
  const expired = { kind: "expired" } as const;
  if (found.kind === "expired" || stored === null || singleSignOnName(env) === null) return expired;
  const { issuer, subject, secret } = stored;
  const { userId, emailId, isFor } = found.link;
  const person = await readResettableUser(db, userId, emailId);
  if (person === null || !isFor([person.email, issuer, subject, hashOf(secret)])) return expired;
  const signer = await readSignInUser(db, userId);
  if (signer === null) return expired;
  return { kind: "proof", identity: { issuer, subject }, signer, email: person.email };
}

/** Links the proven identity to its person, and signs in; 403 without an account. */
export const signInWithProof = (
  context: SignInContext,
  { signer, identity }: IdentityProof,
): Promise<SignedIn | Refusal> => linkAndSignIn(context, signer, identity);
