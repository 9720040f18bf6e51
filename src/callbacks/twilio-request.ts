// What the addresses that Twilio calls have in common: 404 where there is no token to verify by, 403 for what Twilio
// did not sign, and the form of what it did.
import type { Context } from "hono";
import { openSession } from "../db/database.ts";
import { isRefusal, refuse } from "../domain/refusal.ts";
import { respond } from "../http/answers.ts";
import { readBytes } from "../http/body.ts";
import type { Environment } from "../http/serve.ts";
import { countFailure } from "../http/strangers.ts";
import { isSignedByTwilio } from "./twilio-signature.ts";

export type TwilioRequest = {
  readonly env: Cloudflare.Env;
  /** Reads the primary: what was decided a moment ago is seen. */
  readonly db: D1DatabaseSession;
  readonly form: URLSearchParams;
  /** The notification's in the path, where there is one. */
  readonly id: string;
  readonly now: number;
};

const UNKNOWN = refuse("not_found", "no such endpoint");
const NOT_SIGNED = refuse("forbidden", "this is not signed by Twilio");

/** A route that hands on what Twilio signed. */
export function fromTwilio(handle: (request: TwilioRequest) => Promise<Response>) {
  return async (context: Context<Environment>): Promise<Response> => {
    const { env, req } = context;
    const requestId = context.get("requestId");
    if (!env.TWILIO_AUTH_TOKEN) return respond(UNKNOWN, requestId);
    const bytes = await readBytes(req.raw);
    if (isRefusal(bytes)) return respond(bytes, requestId);
    const form = new URLSearchParams(new TextDecoder().decode(bytes));
    const signature = req.header("x-twilio-signature") ?? "";
    if (!isSignedByTwilio(env.TWILIO_AUTH_TOKEN, addressOf(env, req.url), form, signature)) {
      const over = await countFailure(env, req.header("cf-connecting-ip"));
      return respond(over ?? NOT_SIGNED, requestId);
    }
    const db = openSession(env.DB, null, true);
    const id = (req.param("id") ?? "").toUpperCase();
    return handle({ env, db, form, id, now: Date.now() });
  };
}

/** The address as Twilio knows it: behind a proxy the request's own may be another. */
function addressOf({ PUBLIC_URL }: Cloudflare.Env, requested: string): string {
  if (!PUBLIC_URL) return requested;
  const { pathname, search } = new URL(requested);
  return `${PUBLIC_URL.replace(/\/+$/, "")}${pathname}${search}`;
}

export const xml = (text: string) =>
  new Response(text, { headers: { "Content-Type": "text/xml; charset=utf-8" } });
