// Shared by the Twilio callbacks: 404 without a token to verify with, 403 without a valid
// signature, else the parsed form.
import type { Context as HonoContext } from "hono";
import type { NotificationKey } from "../db/alerts/notifications/notification-rows.ts";
import { openSession } from "../db/shared/database.ts";
import type { PhoneActor } from "../domain/access/actor.ts";
import { isRefusal, type Refusal, refuse } from "../domain/shared/refusal.ts";
import { countFailure } from "../http/access/failure-limit.ts";
import { respond } from "../http/answers.ts";
import { readBytes } from "../http/parameters/body.ts";
import type { Environment } from "../http/serve.ts";
import type { Context } from "../services/shared/context.ts";
import { isSignedByTwilio } from "./twilio-signature.ts";

export type TwilioRequest = {
  readonly env: Cloudflare.Env;
  /** Reads from the primary, so that the latest writes are seen. */
  readonly db: D1DatabaseSession;
  readonly form: URLSearchParams;
  /** The notification in the path; empty texts if it names none. */
  readonly notification: NotificationKey;
  readonly now: number;
  /** Extends the lifetime of work beyond the response. */
  readonly waitUntil: (work: Promise<unknown>) => void;
};

/** The context of a verb that the owner of a number performs. */
export function phoneContext(
  { env, db, now, waitUntil }: Pick<TwilioRequest, "env" | "db" | "now" | "waitUntil">,
  { accountId, accountUserId, name }: Omit<PhoneActor, "kind">,
): Context<PhoneActor> {
  const actor = { kind: "phone", accountId, accountUserId, name } as const;
  return { env, db, actor, now, stillAllowed: [], waitUntil };
}

const UNKNOWN = refuse("not_found", "no such endpoint");
const NOT_SIGNED = refuse("forbidden", "this is not signed by Twilio");

/** Wraps a handler that gets only requests signed by Twilio. */
export function fromTwilio(handle: (request: TwilioRequest) => Promise<Response>) {
  return async (context: HonoContext<Environment>): Promise<Response> => {
    const { env, req } = context;
    const requestId = context.get("requestId");
    if (!env.TWILIO_AUTH_TOKEN) return respond(UNKNOWN, requestId);
    const bytes = await readBytes(req.raw);
    if (isRefusal(bytes)) return respond(bytes, requestId);
    const form = new URLSearchParams(new TextDecoder().decode(bytes));
    const signature = req.header("x-twilio-signature") ?? "";
    if (!isSignedByTwilio(env.TWILIO_AUTH_TOKEN, signedUrlOf(env, req.url), form, signature)) {
      const refusal = await countFailure(env, req.header("cf-connecting-ip"));
      return respond(refusal ?? NOT_SIGNED, requestId);
    }
    const db = openSession(env.DB, null, true);
    const inPath = (name: string) => (req.param(name) ?? "").toUpperCase();
    const notification = {
      accountId: inPath("account"),
      accountUserId: inPath("person"),
      id: inPath("id"),
    };
    const waitUntil = (work: Promise<unknown>) => context.executionCtx.waitUntil(work);
    return handle({ env, db, form, notification, now: Date.now(), waitUntil });
  };
}

/** The URL as Twilio signed it; behind a proxy the request's own URL may differ. */
function signedUrlOf({ PUBLIC_URL }: Cloudflare.Env, requested: string): string {
  if (!PUBLIC_URL) return requested;
  const { pathname, search } = new URL(requested);
  return `${PUBLIC_URL.replace(/\/+$/, "")}${pathname}${search}`;
}

export const xml = (text: string) =>
  new Response(text, { headers: { "Content-Type": "text/xml; charset=utf-8" } });

/** A refusal as a sentence for the person. */
export function sentenceOf({ errors }: Refusal): string {
  const text = errors[0]?.message ?? "it was refused";
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
