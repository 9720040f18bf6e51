// Serves links: verifies the token, enforces the rate limits, and calls the pages of the link's
// purpose. Every failure is an HTML page; 404 if the deployment has no links.
import type { Context } from "hono";
import { isRefusal, refuse } from "../../../domain/shared/refusal.ts";
import { openSession } from "../../../kernel/db/database.ts";
import { isOutage } from "../../../kernel/db/outage.ts";
import { respond } from "../../../kernel/http/answers.ts";
import { readBytes } from "../../../kernel/http/body.ts";
import { countFailure } from "../../../kernel/http/failure-limit.ts";
import { checkRateLimit } from "../../../kernel/http/rate-limit.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import { type LinkPurpose, type LinkSubject, readLink } from "../../../kernel/links.ts";
import { alertPages } from "./alert-link.tsx";
import { broadcastPages } from "./broadcast-link.tsx";
import { coverRequestPages } from "./cover-request-link.tsx";
import { invitationPages } from "./invitation-link.tsx";
import type { LinkPages, LinkRequest } from "./link-request.ts";
import { type LinkPage, messagePage, respondPage } from "./page.tsx";
import { standbyPages } from "./standby-link.tsx";

const PAGES: Record<LinkPurpose, LinkPages> = {
  alert: alertPages,
  broadcast: broadcastPages,
  cover_request: coverRequestPages,
  invitation: invitationPages,
  standby: standbyPages,
};

const NO_LINKS = refuse("not_found", "no such endpoint");

const UNKNOWN = messagePage(
  404,
  "This link is not valid",
  "The address may be incomplete. Open the link from the message again, or open the console.",
);
const EXPIRED = messagePage(
  410,
  "This link has expired",
  "Links in messages are valid for a limited time. Open the console instead.",
);
const TOO_MANY = messagePage(
  429,
  "Too many requests",
  "Wait a moment, then open the link from the message again.",
);
const DOWN = messagePage(
  503,
  "Nothing was changed",
  "The database is unavailable. Try again in a moment.",
);

/** `GET` and `POST /a/<token>`. */
export async function serveLink(context: Context<Environment>): Promise<Response> {
  const { env, req } = context;
  if (!env.LINK_SECRET) return respond(NO_LINKS, context.get("requestId"));
  const read = await readLink(env, req.param("token") ?? "");
  if (read.kind !== "link") {
    const over = await countFailure(env, req.header("cf-connecting-ip"));
    if (over) return respondPage(TOO_MANY);
    return respondPage(read.kind === "expired" ? EXPIRED : UNKNOWN);
  }
  const { subject } = read;
  const over = await checkRateLimit(env, env.API_RATE, `link ${subject.accountUserId}`);
  return respondPage(over ? TOO_MANY : await runLink(subject, context));
}

async function runLink(subject: LinkSubject, context: Context<Environment>): Promise<LinkPage> {
  const { env, req } = context;
  const pages = PAGES[subject.purpose];
  const db = openSession(env.DB, null, true);
  const waitUntil = (work: Promise<unknown>) => context.executionCtx.waitUntil(work);
  const query = new URL(req.url).searchParams;
  const request: LinkRequest = { env, db, subject, query, now: Date.now(), waitUntil };
  try {
    if (req.method !== "POST") return await pages.show(request);
    const bytes = await readBytes(req.raw);
    if (isRefusal(bytes))
      return messagePage(422, "Nothing was changed", "The form could not be read.");
    const form = new URLSearchParams(new TextDecoder().decode(bytes));
    return await pages.act(request, form.get("action") ?? "");
  } catch (error) {
    if (!isOutage(error)) throw error;
    return DOWN;
  }
}
