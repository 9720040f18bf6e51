// Sign-in through the provider of single sign-on: the redirect to it, the return, and the mailed
// link with which a person proves, once, an address that the provider does not vouch for.
import { createHash, randomBytes } from "node:crypto";
import type { Identity } from "../../domain/access/access-mail.ts";
import { isRefusal, refuse } from "../../domain/shared/refusal.ts";
import { readAccessLink } from "../../features/access/sessions/access-links.ts";
import { readResettableUser } from "../../features/access/sessions/password-reset-rows.ts";
import {
  deleteFirstPassword,
  findIdentity,
  findSignInUser,
  linkIdentity,
  readSignInUser,
  type SignInUser,
} from "../../features/access/sessions/session-rows.ts";
import { countMailRequest } from "../../features/access/sessions/sign-in-rows.ts";
import { accessMailObject } from "../../features/stubs.ts";
import { card } from "../../kernel/console/card.tsx";
import {
  type CookieName,
  dropCookie,
  putCookie,
  readCookie,
} from "../../kernel/console/cookies.ts";
import { Button, Form } from "../../kernel/console/form.tsx";
import type { Reply } from "../../kernel/console/reply.ts";
import { statement } from "../../kernel/db/database.ts";
import { checkRateLimit } from "../../kernel/http/rate-limit.ts";
import { canSendLinks } from "../../products/mail/mail-provider.ts";
import { type ConsolePage, type Guest, openAction, openPage } from "../page.ts";
import {
  completeAuthorization,
  type PendingAuthorization,
  singleSignOnName,
  startAuthorization,
} from "./identity-provider.ts";
import { networkOfGuest } from "./password-check.ts";
import { createSession, signInPage } from "./sign-in.tsx";

const ERRAND_SECONDS = 600;
const LINK_SECONDS = 1_800;

const UNKNOWN_ADDRESS = refuse(
  "unauthenticated",
  "no person here has verified this address; if it is yours, verify it in your settings first",
);
const UNVERIFIED = refuse(
  "unauthenticated",
  "the sign-in provider does not confirm your e-mail address",
);
const TOO_MANY = refuse("too_many", "too many requests; try again in 15 minutes");
const NOT_CONFIGURED = refuse("not_found", "single sign-on is not set up on this deployment");

const redirectUriOf = ({ env, url }: Guest) => `${env.PUBLIC_URL || url.origin}/sign-in/back`;

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Parses a cookie's named texts; null if one of the names is missing. */
function decode(cookie: string | null, names: readonly string[]): Record<string, string> | null {
  if (cookie === null) return null;
  try {
    const value = JSON.parse(Buffer.from(cookie, "base64url").toString()) as Record<
      string,
      unknown
    >;
    const entries = names.map((name) => [name, value?.[name]] as const);
    return entries.every(([, text]) => typeof text === "string")
      ? (Object.fromEntries(entries) as Record<string, string>)
      : null;
  } catch {
    return null;
  }
}

const takeCookie = ({ context }: Guest, name: CookieName): string | null => {
  const cookie = readCookie(context, name);
  if (cookie !== null) dropCookie(context, name);
  return cookie;
};

async function startSignIn(guest: Guest): Promise<Reply> {
  if (singleSignOnName(guest.env) === null) return NOT_CONFIGURED;
  const redirect = await startAuthorization(
    guest.env,
    redirectUriOf(guest),
    guest.query.get("to") ?? "",
  );
  if (isRefusal(redirect)) return signInPage(guest, redirect);
  putCookie(guest.context, "sign_in", encode(redirect.errand), ERRAND_SECONDS);
  return { kind: "leave", to: redirect.url };
}

function takeErrand(guest: Guest): PendingAuthorization | null {
  const fields = decode(takeCookie(guest, "sign_in"), ["state", "nonce", "verifier", "to"]);
  if (fields === null) return null;
  const { state = "", nonce = "", verifier = "", to = "" } = fields;
  return state === "" ? null : { state, nonce, verifier, to };
}

/** Links the identity to the person and signs in. */
async function linkAndSignIn(
  guest: Guest,
  signer: SignInUser,
  who: Identity,
  email: string,
  to: string,
) {
  const { db, now } = guest;
  // Single sign-on replaces the password: a first password that was never replaced is deleted.
  const writes = [linkIdentity(signer.userId, who, now), deleteFirstPassword(signer.userId)];
  await db.batch(writes.map((write) => statement(db, write)));
  return createSession(guest, { signer, email, to, attempt: null });
}

async function finishSignIn(guest: Guest): Promise<Reply> {
  const { db, env } = guest;
  if (singleSignOnName(env) === null) return NOT_CONFIGURED;
  const errand = takeErrand(guest);
  const back = await completeAuthorization(env, guest.url, redirectUriOf(guest), errand);
  if (isRefusal(back)) return signInPage(guest, back);
  const { identity, email, isVouched } = back;
  const to = errand?.to ?? "";
  const linked = await findIdentity(db, identity);
  if (linked !== null) return linkAndSignIn(guest, linked, identity, email ?? "", to);
  if (email === null) return signInPage(guest, UNVERIFIED);
  if (!isVouched) return requestLink(guest, identity, email);
  const signer = await findSignInUser(db, email);
  if (signer === null) return signInPage(guest, UNKNOWN_ADDRESS);
  return linkAndSignIn(guest, signer, identity, email, to);
}

// ── The mailed link ──

const LINK_SENT = card(
  401,
  "Check your e-mail",
  <p>
    Your sign-in provider does not confirm that it verified your e-mail address. If somebody signs
    in here with that address, a link is sent to it. Open the link in this browser within 30
    minutes. You do this only once.
  </p>,
);
const EXPIRED = card(
  410,
  "This link is not valid in this browser",
  <p>
    The link is valid for 30 minutes, once, in the browser in which you started to sign in. Sign in
    again to get another link.
  </p>,
);
const UNKNOWN = card(404, "This link is not valid", <p>Open the link from the e-mail again.</p>);

const hashOf = (text: string) => createHash("sha256").update(text).digest("base64url");

/** Requests a mail to the address. The response does not reveal whether anyone signs in with it. */
async function requestLink(guest: Guest, identity: Identity, email: string): Promise<Reply> {
  const { context, db, env, now } = guest;
  if (!canSendLinks(env)) return signInPage(guest, UNVERIFIED);
  const place = networkOfGuest(guest);
  if (!(await countMailRequest(db, place, now))) return signInPage(guest, TOO_MANY);
  const secret = randomBytes(32).toString("base64url");
  putCookie(context, "link", encode({ ...identity, secret }), LINK_SECONDS);
  const browser = hashOf(secret);
  const object = accessMailObject(env, `identity ${browser}`);
  await object.expect({ kind: "identity", email, place, identity, browser, at: now });
  return LINK_SENT;
}

type Proof = {
  readonly identity: Identity;
  readonly signer: SignInUser;
  readonly email: string;
};

/**
 * Checks the link together with the browser's cookie. Returns the proof, or the page that says why
 * they are invalid.
 */
async function readProof(guest: Guest): Promise<Proof | Reply> {
  const { context, db, env, params } = guest;
  const found = await readAccessLink(env, "identity", params.token ?? "");
  if (found.kind === "unknown") {
    return (await checkRateLimit(env, env.STRANGER_RATE, networkOfGuest(guest))) ?? UNKNOWN;
  }
  const fields = decode(readCookie(context, "link"), ["issuer", "subject", "secret"]);
  if (found.kind === "expired" || fields === null || singleSignOnName(env) === null) return EXPIRED;
  const { issuer = "", subject = "", secret = "" } = fields;
  const { userId, emailId, isFor } = found.link;
  const person = await readResettableUser(db, userId, emailId);
  if (person === null || !isFor([person.email, issuer, subject, hashOf(secret)])) return EXPIRED;
  const signer = await readSignInUser(db, userId);
  return signer === null ? EXPIRED : { identity: { issuer, subject }, signer, email: person.email };
}

const isProof = (proof: Proof | Reply): proof is Proof => "signer" in proof;

async function showConfirmation(guest: Guest): Promise<Reply> {
  const proof = await readProof(guest);
  if (!isProof(proof)) return proof;
  const name = singleSignOnName(guest.env);
  return card(
    200,
    `Sign in with ${name}`,
    <Form to={guest.url.pathname} session={null} kind="fields">
      <p>
        From now on you sign in as {proof.signer.name} ({proof.email}) with {name}.
      </p>
      <Button>Sign in</Button>
    </Form>,
  );
}

async function useLink(guest: Guest): Promise<Reply> {
  const proof = await readProof(guest);
  if (!isProof(proof)) return proof;
  dropCookie(guest.context, "link");
  return linkAndSignIn(guest, proof.signer, proof.identity, proof.email, "");
}

export const singleSignOnPages: readonly ConsolePage[] = [
  openPage("/sign-in/with", startSignIn),
  openPage("/sign-in/back", finishSignIn),
  openPage("/sign-in/link/:token", showConfirmation),
  openAction("/sign-in/link/:token", useLink),
];
