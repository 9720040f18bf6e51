// A long-lived cookie that records who has signed in with this browser, one signature per person.
// It does not sign anyone in. It exempts the browser from sign-in limits that attempts from
// elsewhere use up, and suppresses the security notice about a new browser. Beside it, a
// guest's place: network, address and browser.

import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import { addressGroup } from "../../domain/access/address-group.ts";
import { DAY } from "../../domain/shared/time.ts";
import type { SignInContext } from "../../features/access/sessions/sign-in.ts";
import { putCookie, readCookie } from "../../kernel/console/cookies.ts";
import type { Environment } from "../../kernel/http/serve.ts";
import { isSameSecret } from "../../kernel/same-secret.ts";
import type { Guest } from "../page.ts";
import { signatureOf } from "./claim.ts";

type RequestContext = Context<Environment>;

/** The longest lifetime that browsers allow for a cookie. */
const MAX_AGE_MS = 400 * DAY;
/** People remembered per browser, latest first. */
const MAX_PEOPLE = 5;

type SignIn = { readonly at: string; readonly signature: string };
type Browser = { readonly id: string; readonly marks: readonly SignIn[] };

/**
 * Parses `<id>.<instant>-<signature>.<instant>-<signature>`. The cookie identifies nobody by
 * itself.
 */
function parseCookie(context: RequestContext): Browser | null {
  const [id = "", ...rest] = (readCookie(context, "browser") ?? "").split(".");
  if (!/^[\w-]{22}$/.test(id)) return null;
  const marks = rest.slice(0, MAX_PEOPLE).map((signIn) => {
    const [, at = "", signature = ""] = /^([0-9a-z]{1,12})-([\w-]{43})$/.exec(signIn) ?? [];
    return { at, signature };
  });
  return { id, marks: marks.filter(({ at }) => at !== "") };
}

const sign = (secret: string, id: string, userId: string, at: string): string =>
  signatureOf(secret, "browsers of the console", `${id} ${userId} ${at}`);

const isSignedFor = (secret: string, id: string, userId: string, { at, signature }: SignIn) =>
  isSameSecret(signature, sign(secret, id, userId, at));

/** Returns the browser's id if the person has signed in with it before, else null. */
function knownBrowser(context: RequestContext, userId: string, now: number): string | null {
  const secret = context.env.LINK_SECRET;
  const browser = parseCookie(context);
  if (!secret || browser === null) return null;
  const { id, marks } = browser;
  const recent = marks.filter(({ at }) => Number.parseInt(at, 36) > now - MAX_AGE_MS);
  return recent.some((signIn) => isSignedFor(secret, id, userId, signIn)) ? id : null;
}

/** Records in the cookie that the person has signed in with this browser. */
export function rememberBrowser(context: RequestContext, userId: string, now: number): void {
  const secret = context.env.LINK_SECRET;
  if (!secret) return;
  const { id, marks } = parseCookie(context) ?? {
    id: randomBytes(16).toString("base64url"),
    marks: [],
  };
  const at = now.toString(36);
  const others = marks.filter((signIn) => !isSignedFor(secret, id, userId, signIn));
  const all = [{ at, signature: sign(secret, id, userId, at) }, ...others];
  const value = [id, ...all.slice(0, MAX_PEOPLE).map((it) => `${it.at}-${it.signature}`)].join(".");
  putCookie(context, "browser", value, MAX_AGE_MS / 1000);
}

/** The client's address, as reported by Cloudflare. */
const addressOf = ({ context }: Guest): string | undefined =>
  context.req.header("cf-connecting-ip");

export const networkOfGuest = (guest: Guest): string => addressGroup(addressOf(guest));

/** A guest's request, as the verbs of signing in take it. */
export const signInContext = (guest: Guest): SignInContext => ({
  env: guest.env,
  db: guest.db,
  now: guest.now,
  place: {
    network: networkOfGuest(guest),
    address: addressOf(guest) ?? "here",
    userAgent: guest.context.req.header("user-agent") ?? "",
    knownBrowserOf: (userId) => knownBrowser(guest.context, userId, guest.now),
  },
});
