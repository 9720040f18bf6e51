// Opens a console's WebSocket for live updates: for the account of the session, and only from a page
// of this site, since browsers send cookies with every WebSocket.
import type { Context } from "hono";
import { isRefusal, type Refusal, refuse } from "../domain/shared/refusal.ts";
import type { Session } from "../features/access/sessions/session.ts";
import { readCookie } from "../kernel/console/cookies.ts";
import { hashOfSecret } from "../kernel/credentials.ts";
import { logMinorFault } from "../kernel/db/log-fault.ts";
import { respond } from "../kernel/http/answers.ts";
import { checkRateLimit } from "../kernel/http/rate-limit.ts";
import type { Environment } from "../kernel/http/serve.ts";
import { sessionFor } from "./access/session.ts";

type RequestContext = Context<Environment>;

const NOT_A_WEBSOCKET = { ...refuse("not_supported", "open a WebSocket here"), allow: "GET" };
const CROSS_ORIGIN = refuse("forbidden", "this WebSocket was not opened by this site");
const SIGNED_OUT = refuse("unauthenticated", "sign in first");
const UNAVAILABLE = refuse("unavailable", "live updates are not available now");

/** Whether a page of this site opened it: at the address that the worker sees, or its public one. */
function isOwnOrigin({ req, env }: RequestContext): boolean {
  const origin = req.header("origin");
  const { PUBLIC_URL } = env;
  const own = [req.url, PUBLIC_URL].filter((url) => URL.canParse(url));
  return own.some((url) => new URL(url).origin === origin);
}

/** The session of the request's cookie; a refusal without one, or over the rate limit. */
async function findWatcher(context: RequestContext, now: number): Promise<Session | Refusal> {
  if (context.req.header("upgrade")?.toLowerCase() !== "websocket") return NOT_A_WEBSOCKET;
  if (!isOwnOrigin(context)) return CROSS_ORIGIN;
  const token = readCookie(context, "session");
  const session = token === null ? null : await sessionFor(context, token, now);
  if (session === null || isRefusal(session)) return session ?? SIGNED_OUT;
  if (session.mustChoosePassword) return SIGNED_OUT;
  const { API_RATE } = context.env;
  return (await checkRateLimit(context.env, API_RATE, session.actor.credentialId)) ?? session;
}

type OpenSocket = (
  env: Cloudflare.Env,
  watcher: { readonly accountId: string; readonly tokenHash: string; readonly shownAt: number },
) => Promise<Response>;

/** `GET /live?since=…`: `since` is when the page was rendered (epoch ms). */
export async function serveLive(context: RequestContext, open: OpenSocket): Promise<Response> {
  const session = await findWatcher(context, Date.now());
  const requestId = context.get("requestId");
  if (isRefusal(session)) return respond(session, requestId);
  const watcher = {
    accountId: session.actor.accountId,
    tokenHash: hashOfSecret(session.token),
    shownAt: Number(context.req.query("since")) || 0,
  };
  try {
    const response = await open(context.env, watcher);
    return response.status === 101 ? response : respond(UNAVAILABLE, requestId);
  } catch (error) {
    logMinorFault("a console could not be connected", error);
    return respond(UNAVAILABLE, requestId);
  }
}
