// The session claim: a signed cookie that repeats the session's person, account and roles. With it,
// a page's data are read in the same round trip as the session's row. It grants nothing: the page
// is only sent if the row that was read with it equals the claim.
import { createHmac } from "node:crypto";
import type { Context } from "hono";
import { DAY } from "../../domain/shared/time.ts";
import type { Session } from "../../features/access/sessions/session.ts";
import { dropCookie, putCookie, readCookie } from "../../kernel/console/cookies.ts";
import type { Environment } from "../../kernel/http/serve.ts";
import { isSameSecret } from "../../kernel/same-secret.ts";

type RequestContext = Context<Environment>;

export type SessionClaim = {
  readonly session: Session;
  /** When the primary last confirmed the session (epoch ms). */
  readonly confirmedAt: number;
};

/** An older claim is ignored. */
const MAX_AGE_MS = 7 * DAY;
/** Browsers reject cookies above 4096 bytes. Without a claim a page takes two round trips. */
const MAX_COOKIE_LENGTH = 3800;

/** Every attribute that a page may depend on, always in the same order. */
const claimedOf = ({ token: _, ...claimed }: Session) => claimed;
const textOf = (session: Session): string => JSON.stringify(claimedOf(session));

/** Signs a text for a purpose, with a key of its own. */
export function signatureOf(secret: string, purpose: string, text: string): string {
  const key = createHmac("sha256", secret).update(purpose).digest();
  return createHmac("sha256", key).update(text).digest("base64url");
}

const PURPOSE = "claims of the console";

/** Reads the claim for a session token; null without one that we signed. */
export function readClaim(
  context: RequestContext,
  token: string,
  now: number,
): SessionClaim | null {
  const secret = context.env.LINK_SECRET;
  const cookie = readCookie(context, "claim");
  if (!secret || cookie === null) return null;
  const [payload = "", signature = ""] = cookie.split(".");
  const expected = signatureOf(secret, PURPOSE, `${token} ${payload}`);
  if (!isSameSecret(signature, expected)) return null;
  const { confirmedAt, ...claimed } = JSON.parse(Buffer.from(payload, "base64url").toString());
  return confirmedAt > now - MAX_AGE_MS ? { session: { ...claimed, token }, confirmedAt } : null;
}

/** Whether a session equals its claim in every attribute. */
export const isAsClaimed = (session: Session, claim: SessionClaim): boolean =>
  textOf(session) === textOf(claim.session);

/** Sets the claim cookie for a session that the primary has just confirmed. */
export function putClaim(context: RequestContext, session: Session, now: number): void {
  const secret = context.env.LINK_SECRET;
  if (!secret) return;
  const text = JSON.stringify({ ...claimedOf(session), confirmedAt: now });
  const payload = Buffer.from(text).toString("base64url");
  const signature = signatureOf(secret, PURPOSE, `${session.token} ${payload}`);
  const cookie = `${payload}.${signature}`;
  if (cookie.length > MAX_COOKIE_LENGTH) dropCookie(context, "claim");
  else putCookie(context, "claim", cookie, MAX_AGE_MS / 1000);
}
