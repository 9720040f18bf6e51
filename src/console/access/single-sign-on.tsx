// Sign-in through the provider of single sign-on: the redirect to it, the return, and the mailed
// link with which a person proves, once, an address that the provider does not vouch for.
import * as z from "zod";
import type { Identity } from "../../domain/access/access-mail.ts";
import { singleSignOnName } from "../../domain/access/single-sign-on.ts";
import { isRefusal, refuse } from "../../domain/shared/refusal.ts";
import {
  type IdentityProof,
  readIdentityLink,
  signInWithIdentity,
  signInWithProof,
} from "../../features/access/sessions/single-sign-on.ts";
import { card } from "../../kernel/console/card.tsx";
import {
  type CookieName,
  dropCookie,
  putCookie,
  readCookie,
} from "../../kernel/console/cookies.ts";
import { Button, Form } from "../../kernel/console/form.tsx";
import type { Reply } from "../../kernel/console/reply.ts";
import { checkRateLimit } from "../../kernel/http/rate-limit.ts";
import { type ConsolePage, type Guest, openAction, openPage } from "../page.ts";
import {
  completeAuthorization,
  type PendingAuthorization,
  startAuthorization,
} from "./identity-provider.ts";
import { networkOfGuest, signInContext } from "./known-browser.ts";
import { enter, signInPage } from "./sign-in.tsx";

const ERRAND_SECONDS = 600;
const LINK_SECONDS = 1_800;

const NOT_CONFIGURED = refuse("not_found", "single sign-on is not set up on this deployment");

const redirectUriOf = ({ env, url }: Guest) => `${env.PUBLIC_URL || url.origin}/sign-in/back`;

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Parses what a cookie stores; null if that is nothing of the kind. */
function decode<Stored>(cookie: string | null, kind: z.ZodType<Stored>): Stored | null {
  if (cookie === null) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(cookie, "base64url").toString());
    return kind.safeParse(value).data ?? null;
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

const ERRAND: z.ZodType<PendingAuthorization> = z.object({
  state: z.string().min(1),
  nonce: z.string(),
  verifier: z.string(),
  to: z.string(),
});

async function finishSignIn(guest: Guest): Promise<Reply> {
  const { context, env } = guest;
  if (singleSignOnName(env) === null) return NOT_CONFIGURED;
  const errand = decode(takeCookie(guest, "sign_in"), ERRAND);
  const back = await completeAuthorization(env, guest.url, redirectUriOf(guest), errand);
  if (isRefusal(back)) return signInPage(guest, back);
  const { identity, email } = back;
  const result = await signInWithIdentity(signInContext(guest), back);
  if (result.kind === "link_requested") {
    putCookie(context, "link", encode({ ...identity, secret: result.secret }), LINK_SECONDS);
    return LINK_SENT;
  }
  // Of an address that proves nobody, nothing is said.
  const isMember = !isRefusal(result) || result.reason === "forbidden";
  return enter(guest, result, isMember ? (email ?? "") : "", errand?.to ?? "");
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

/** The identity and the secret that the browser stores. */
const STORED: z.ZodType<Identity & { readonly secret: string }> = z.object({
  issuer: z.string(),
  subject: z.string(),
  secret: z.string(),
});

/**
 * Checks the link together with the browser's cookie. Returns the proof, or the page that says why
 * they are invalid.
 */
async function readProof(guest: Guest): Promise<IdentityProof | Reply> {
  const { env, params, context } = guest;
  const stored = decode(readCookie(context, "link"), STORED);
  const read = await readIdentityLink(guest, params.token ?? "", stored);
  if (read.kind === "proof") return read;
  if (read.kind === "expired") return EXPIRED;
  return (await checkRateLimit(env, env.STRANGER_RATE, networkOfGuest(guest))) ?? UNKNOWN;
}

async function showConfirmation(guest: Guest): Promise<Reply> {
  const proof = await readProof(guest);
  if (proof.kind !== "proof") return proof;
  const name = singleSignOnName(guest.env);
  return card(
    200,
    `Sign in with ${name}`,
    <Form to={guest.url.pathname} open kind="fields">
      <p>
        From now on you sign in as {proof.signer.name} ({proof.email}) with {name}.
      </p>
      <Button>Sign in</Button>
    </Form>,
  );
}

async function useLink(guest: Guest): Promise<Reply> {
  const proof = await readProof(guest);
  if (proof.kind !== "proof") return proof;
  dropCookie(guest.context, "link");
  return enter(guest, await signInWithProof(signInContext(guest), proof), proof.email, "");
}

export const singleSignOnPages: readonly ConsolePage[] = [
  openPage("/sign-in/with", startSignIn),
  openPage("/sign-in/back", finishSignIn),
  openPage("/sign-in/link/:token", showConfirmation),
  openAction("/sign-in/link/:token", useLink),
];
