// Serves calendar feeds, authorized only by the secret in the path. Shows names, never contact
// addresses. Uses the calculation that pages, in two round trips.
import { createHash } from "node:crypto";
import type { Context } from "hono";
import { readFeedWindow } from "../../../domain/oncall/feed-window.ts";
import { isRefusal, refuse } from "../../../domain/shared/refusal.ts";
import { checkSecret, hashOfSecret } from "../../../kernel/credentials.ts";
import { openSession } from "../../../kernel/db/database.ts";
import { first } from "../../../kernel/db/select.ts";
import { respond } from "../../../kernel/http/answers.ts";
import { lookUpCredential } from "../../../kernel/http/failure-limit.ts";
import { checkRateLimit } from "../../../kernel/http/rate-limit.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import { calendarText } from "./calendar-text.ts";
import { type CalendarShift, readFeedShifts } from "./read-feed-shifts.ts";
import { selectFeed } from "./rows.ts";

const UNKNOWN = refuse("not_found", "no such feed; it may have been revoked");

/** A weak ETag: responses with the same shifts differ in their creation time. */
function tagOf(name: string, shifts: readonly CalendarShift[]): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([name, shifts]))
    .digest("base64url");
  return `W/"${digest.slice(0, 27)}"`;
}

const matchesTag = (tag: string, ifNoneMatch: string | undefined) =>
  (ifNoneMatch ?? "").split(",").some((it) => it.trim() === "*" || it.trim() === tag);

/**
 * `GET /feeds/<secret>.ics`. Responds 304 when the shifts are unchanged, and 404 when the secret is
 * unknown or revoked. `from` and `to` (dates) replace the default window.
 */
export async function serveFeed(context: Context<Environment>): Promise<Response> {
  const { env, req } = context;
  const requestId = context.get("requestId");
  const secret = /^(.+)\.ics$/.exec(req.param("file") ?? "")?.[1] ?? "";
  const secretHash = hashOfSecret(secret);
  const over = await checkRateLimit(env, env.API_RATE, `feed ${secretHash}`);
  if (over) return respond(over, requestId);
  const now = Date.now();
  // The window has whole days, so that an unchanged calendar keeps its ETag all day.
  const window = readFeedWindow(req.query("from") ?? null, req.query("to") ?? null, now);
  if (isRefusal(window)) return respond(window, requestId);
  // Reads from the primary, so that a revoked feed stops working at once.
  const db = openSession(env.DB, null, true);
  const address = req.header("cf-connecting-ip");
  const provenance = checkSecret(env.LINK_SECRET, "feed", secret);
  const presented = { env, address, credential: secretHash, provenance };
  const feed = await lookUpCredential(presented, () => first(db, selectFeed(secretHash)));
  if (isRefusal(feed)) return respond(feed, requestId);
  if (feed === null) return respond(UNKNOWN, requestId);
  const shifts = await readFeedShifts(db, feed, window);
  const tag = tagOf(feed.name, shifts);
  const headers = { ETag: tag, "Cache-Control": "private, max-age=300" };
  if (matchesTag(tag, req.header("if-none-match")))
    return new Response(null, { status: 304, headers });
  return new Response(calendarText(feed.name, shifts, now), {
    headers: { ...headers, "Content-Type": "text/calendar; charset=utf-8" },
  });
}
