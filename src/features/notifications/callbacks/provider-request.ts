// Shared by the callbacks of providers: 404 without a secret to verify with, 403
// without a valid signature, else the body as text.
import type { Context as HonoContext } from "hono";
import type { PhoneActor } from "../../../domain/access/actor.ts";
import type { NotificationKey } from "../../../domain/notifications/page.ts";
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { joinUrl } from "../../../domain/shared/urls.ts";
import { capitalized, withStatusWords } from "../../../domain/shared/words.ts";
import { openSession } from "../../../kernel/db/database.ts";
import { respond } from "../../../kernel/http/answers.ts";
import { readBytes } from "../../../kernel/http/body.ts";
import { countFailure } from "../../../kernel/http/failure-limit.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import { type CallbackKind, readCallbackToken } from "../../../products/phone/callback-url.ts";
import type { PhoneProvider } from "../../../products/phone/provider.ts";
import type { Context } from "../../change/context.ts";

/** A provider whose requests are verified. */
type SigningProvider = Pick<PhoneProvider, "title" | "canVerify" | "isSigned">;

export type ProviderCallback<Provider = PhoneProvider> = {
  readonly provider: Provider;
  readonly env: Cloudflare.Env;
  /** Reads from the primary, so that the latest writes are seen. */
  readonly db: D1DatabaseSession;
  readonly body: string;
  /** The address that the provider called. */
  readonly url: string;
  readonly now: number;
  readonly requestId: string;
  /** Extends the lifetime of work beyond the response. */
  readonly waitUntil: (work: Promise<unknown>) => void;
};

/** The context of a verb that the owner of a number performs. */
export function phoneContext(
  { env, db, now, waitUntil }: Pick<ProviderCallback, "env" | "db" | "now" | "waitUntil">,
  { accountId, accountUserId, name }: Omit<PhoneActor, "kind">,
): Context<PhoneActor> {
  const actor = { kind: "phone", accountId, accountUserId, name } as const;
  return { env, db, actor, now, stillAllowed: [], waitUntil };
}

const UNKNOWN = refuse("not_found", "no such endpoint");

/** Wraps a handler that gets only requests that the provider has signed. */
export function fromProvider<Provider extends SigningProvider>(
  provider: Provider,
  handle: (request: ProviderCallback<Provider>) => Promise<Response>,
) {
  return async (context: HonoContext<Environment>): Promise<Response> => {
    const { env, req } = context;
    const requestId = context.get("requestId");
    if (!provider.canVerify(env)) return respond(UNKNOWN, requestId);
    const bytes = await readBytes(req.raw);
    if (isRefusal(bytes)) return respond(bytes, requestId);
    const body = new TextDecoder().decode(bytes);
    const now = Date.now();
    const signed = { url: signedUrlOf(env, req.url), headers: req.raw.headers, body, now };
    if (!(await provider.isSigned(env, signed))) {
      const refusal = await countFailure(env, req.header("cf-connecting-ip"));
      const notSigned = refuse("forbidden", `this is not signed by ${provider.title}`);
      return respond(refusal ?? notSigned, requestId);
    }
    const db = openSession(env.DB, null, true);
    const waitUntil = (work: Promise<unknown>) => context.executionCtx.waitUntil(work);
    return handle({ provider, env, db, body, url: signed.url, now, requestId, waitUntil });
  };
}

/** A request about one message or call. */
export type AboutNotification = ProviderCallback & { readonly notification: NotificationKey };

const WRONG_TOKEN = refuse("forbidden", "this address is not valid");

/** The same for an address that names a notification by our token. */
export function aboutNotification(
  provider: PhoneProvider,
  kind: CallbackKind,
  handle: (request: AboutNotification) => Promise<Response>,
) {
  return (context: HonoContext<Environment>): Promise<Response> =>
    fromProvider(provider, async (request) => {
      const { env, req } = context;
      const token = req.param("token") ?? "";
      const notification = await readCallbackToken(env, provider.name, kind, token);
      if (notification !== null) return handle({ ...request, notification });
      const refusal = await countFailure(env, req.header("cf-connecting-ip"));
      return respond(refusal ?? WRONG_TOKEN, context.get("requestId"));
    })(context);
}

/** The URL as the provider signed it; behind a proxy the request's own URL may differ. */
function signedUrlOf({ PUBLIC_URL }: Cloudflare.Env, requested: string): string {
  if (!PUBLIC_URL) return requested;
  const { pathname, search } = new URL(requested);
  return joinUrl(PUBLIC_URL, `${pathname}${search}`);
}

/** A refusal as a sentence for the person, in the words of the console. */
export const sentenceOf = ({ errors }: Refusal): string =>
  `${capitalized(withStatusWords(errors[0]?.message ?? "it was refused"))}.`;

/** What a person is told whose answer is refused; one that they gave before is confirmed. */
export const refusedWords = (refusal: Refusal): string =>
  refusal.done === undefined ? `Nothing was changed. ${sentenceOf(refusal)}` : `${refusal.done}.`;
