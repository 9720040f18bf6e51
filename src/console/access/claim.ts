// What a browser says that its session stands for: a cookie beside the session's, signed by us. It lets a page be read
// in the same trip as the session itself, and decides nothing: what was read on its word is shown only if the session's
// row, read with it, says the same of person, account and roles, word for word.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Context } from "hono";
import { DAY } from "../../domain/shared/time.ts";
import type { Environment } from "../../http/serve.ts";
import { dropCookie, putCookie, readCookie } from "./cookies.ts";
import type { Session } from "./session.ts";

type Here = Context<Environment>;

export type Claim = {
  readonly session: Session;
  /** When the primary last said so (epoch ms). */
  readonly confirmedAt: number;
};

/** A claim older than this is not even tried. */
const TRIED_MS = 7 * DAY;
/** Browsers keep no cookie of more than 4096 bytes; a person of so many accounts waits for two trips. */
const MOST_CHARACTERS = 3800;

/** Everything a page may depend on, always in the same order. */
const claimedOf = ({ token: _, ...claimed }: Session) => claimed;
const textOf = (session: Session): string => JSON.stringify(claimedOf(session));

function signatureOf(secret: string, token: string, payload: string): Buffer {
  const key = createHmac("sha256", secret).update("claims of the console").digest();
  return createHmac("sha256", key).update(`${token} ${payload}`).digest();
}

/** The claim that comes with this session's token; null where there is none of ours. */
export function readClaim(context: Here, token: string, now: number): Claim | null {
  const secret = context.env.LINK_SECRET;
  const cookie = readCookie(context, "claim");
  if (!secret || cookie === null) return null;
  const [payload = "", signature = ""] = cookie.split(".");
  const sent = Buffer.from(signature, "base64url");
  const expected = signatureOf(secret, token, payload);
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return null;
  const { confirmedAt, ...claimed } = JSON.parse(Buffer.from(payload, "base64url").toString());
  return confirmedAt > now - TRIED_MS ? { session: { ...claimed, token }, confirmedAt } : null;
}

/** Whether the session is what was claimed, in everything. */
export const isAsClaimed = (session: Session, claim: Claim): boolean =>
  textOf(session) === textOf(claim.session);

/** Gives the browser the claim of a session that the primary has just told of. */
export function putClaim(context: Here, session: Session, now: number): void {
  const secret = context.env.LINK_SECRET;
  if (!secret) return;
  const text = JSON.stringify({ ...claimedOf(session), confirmedAt: now });
  const payload = Buffer.from(text).toString("base64url");
  const signature = signatureOf(secret, session.token, payload).toString("base64url");
  const cookie = `${payload}.${signature}`;
  if (cookie.length > MOST_CHARACTERS) dropCookie(context, "claim");
  else putCookie(context, "claim", cookie, TRIED_MS / 1000);
}
