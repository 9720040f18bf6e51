// Serves the console's pages: checks the origin and the session, runs the page, writes the response
// with its headers. `pages.ts` lists the pages; they read and write through the API's routes.

import type { Context, Hono } from "hono";
import { csrf } from "hono/csrf";
import { HTTPException } from "hono/http-exception";
import { sameOriginPath } from "../domain/access/same-origin-path.ts";
import { isRefusal, type Refusal, refuse } from "../domain/shared/refusal.ts";
import type { Session } from "../features/access/sessions/session.ts";
import { AssetNamesProvider, readAssetNames } from "../kernel/console/asset-names.tsx";
import { dropCookie, putCookie, readCookie } from "../kernel/console/cookies.ts";
import { storeFlashMessage, takeFlashMessage } from "../kernel/console/flash-message.ts";
import { goTo, isPartial, staysOn } from "../kernel/console/go-to.ts";
import { Empty } from "../kernel/console/panel.tsx";
import { type Reply, refusalText } from "../kernel/console/reply.ts";
import { readTheme } from "../kernel/console/theme.ts";
import { ViewerProvider } from "../kernel/console/viewer.tsx";
import { openSession } from "../kernel/db/database.ts";
import { isOutage, OUTAGE } from "../kernel/db/outage.ts";
import { refuseIfUsedUp } from "../kernel/db/used-up.ts";
import { refusalHeaders, respond, statusOf } from "../kernel/http/answers.ts";
import { readParameters } from "../kernel/http/body.ts";
import { reportError } from "../kernel/http/report-error.ts";
import type { Route } from "../kernel/http/route.ts";
import type { Environment } from "../kernel/http/serve.ts";
import { handlePage } from "./access/admission.ts";
import { sessionFor } from "./access/session.ts";
import { Document, type PageNotices } from "./document.tsx";
import { NOTHING_UNCOVERED } from "./oncall/uncovered-notice.tsx";
import type { ConsolePage, Guest } from "./page.ts";
import { pages } from "./pages.ts";
import { renderPage } from "./render-page.ts";

type RequestContext = Context<Environment>;

const HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; "),
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "same-origin",
  "X-Frame-Options": "DENY",
  "X-Robots-Tag": "noindex",
};

/** How long after an action the person's page views read data at least as new as it. */
const BOOKMARK_SECONDS = 60;

const NO_PAGE = refuse("not_found", "this page does not exist");
const NO_ENDPOINT = refuse("not_found", "no such endpoint");
const CROSS_ORIGIN = refuse("forbidden", "this form was not sent from this site");

function titlesOf(status: number): readonly [string, string] {
  if (status === 404) return ["Not found", "Page not found"];
  if (status >= 500) return ["Error", "Something went wrong"];
  return ["Not allowed", "The request was refused"];
}

function refusalPage(refusal: Refusal, status: number, session: Session | null): Reply {
  const [title, heading] = titlesOf(status);
  const next = { to: "/alerts", label: session ? "Go to alerts" : "Sign in" };
  const body = (
    <Empty title={heading} next={next} alone>
      {refusalText(refusal)}
    </Empty>
  );
  return { kind: "page", status: status as 404, title, body, isRefused: true };
}

async function writeReply(
  context: RequestContext,
  guest: Guest,
  reply: Reply,
  notices: PageNotices = { deployment: null, uncovered: NOTHING_UNCOVERED },
): Promise<Response> {
  for (const [name, value] of Object.entries(HEADERS)) context.header(name, value);
  const { session } = guest;
  if (isRefusal(reply)) {
    const retryAfter = refusalHeaders(reply)["Retry-After"];
    if (retryAfter !== undefined) context.header("Retry-After", retryAfter);
    return writeReply(context, guest, refusalPage(reply, statusOf(reply.reason), session));
  }
  switch (reply.kind) {
    case "goto": {
      if (reply.flash && staysOn(context, reply.to))
        return context.json({ to: reply.to, flash: reply.flash });
      if (reply.flash) storeFlashMessage(context, reply.flash);
      // The path may contain form input, so it must stay on this origin. A script gets the path as
      // JSON instead of a redirect: following it would consume the flash message.
      return goTo(context, sameOriginPath(guest.url.origin, reply.to) ?? "/alerts");
    }
    case "leave":
      return context.redirect(reply.to.href, 303);
    case "data":
      return context.json(reply.value as Record<string, unknown>);
    case "file":
      context.header("Content-Type", reply.type);
      context.header("Content-Disposition", `attachment; filename="${reply.name}"`);
      return context.body(reply.text);
    case "page": {
      const flash = isPartial(context) ? null : takeFlashMessage(context);
      const theme = readTheme(context);
      const names = await readAssetNames(context.env);
      const document = (
        <AssetNamesProvider value={names}>
          <ViewerProvider
            value={{ session, zone: session?.timeZone ?? "UTC", now: guest.now, url: guest.url }}
          >
            <Document {...{ reply, session, flash, notices, theme }} />
          </ViewerProvider>
        </AssetNamesProvider>
      );
      return context.html(`<!doctype html>${await document}`, reply.status ?? 200);
    }
  }
}

/** The session of the request's cookie, or null; a refusal if the address is over the limit. */
async function findRequestSession(
  context: RequestContext,
  now: number,
): Promise<Session | Refusal | null> {
  const token = readCookie(context, "session");
  if (token === null) return null;
  const session = await sessionFor(context, token, now);
  if (session === null) dropCookie(context, "session");
  return session;
}

async function handleRequest(
  routes: readonly Route[],
  page: ConsolePage,
  context: RequestContext,
): Promise<Response> {
  const now = Date.now();
  const isAction = page.method === "POST";
  const db = openSession(context.env.DB, readCookie(context, "seen"), isAction);
  const form = isAction ? await readParameters(context.req.raw) : {};
  const url = new URL(context.req.url);
  const request = {
    context,
    env: context.env,
    db,
    now,
    url,
    params: context.req.param(),
    query: url.searchParams,
    form: isRefusal(form) ? {} : form,
  };
  if (!(isAction || page.open)) {
    const { session, reply, ...notices } = await renderPage(routes, page, request);
    return writeReply(context, { ...request, session }, reply, notices);
  }
  const session = await findRequestSession(context, now);
  const guest = { ...request, session: isRefusal(session) ? null : session };
  if (isRefusal(session) && !page.open) return writeReply(context, guest, session);
  if (isRefusal(form)) return writeReply(context, guest, form);
  const reply = await handlePage(routes, page, guest);
  const bookmark = db.getBookmark();
  if (isAction && bookmark !== null) putCookie(context, "seen", bookmark, BOOKMARK_SECONDS);
  return writeReply(context, guest, reply);
}

/** An error page for a browser's request that failed. */
async function writeRefusal(
  context: RequestContext,
  refusal: Refusal,
  status: number = statusOf(refusal.reason),
): Promise<Response> {
  const url = new URL(context.req.url);
  const now = Date.now();
  const { env } = context;
  const db = openSession(env.DB, null, false);
  const guest = { context, env, db, now, url, params: {}, query: url.searchParams, form: {} };
  // The page must render without the database, too.
  const found = await findRequestSession(context, now).catch(() => null);
  const session = isRefusal(found) ? null : found;
  return writeReply(context, { ...guest, session }, refusalPage(refusal, status, session));
}

/** Whether the client is a browser that wants a page, not an API client. */
const wantsPage = (context: RequestContext): boolean =>
  /\btext\/html\b/.test(context.req.header("accept") ?? "") &&
  !/^\/(api|integration|v2|feeds|a|callbacks)(\/|$)/.test(context.req.path);

/** Whether a browser says that another site's page makes the request, whatever its content type is. */
function isFromElsewhere({ req }: RequestContext): boolean {
  const origin = req.header("origin");
  return origin !== undefined && origin !== new URL(req.url).origin;
}

/** The refusal shown on a page after an unexpected error. */
const internalError = (requestId: string): Refusal =>
  refuse("unavailable", `internal error; try again, or report it with the request id ${requestId}`);

/** Mounts every page of the console, and what answers to paths that nothing has. */
export function mountConsole(app: Hono<Environment>, routes: readonly Route[]): void {
  const check = csrf();
  for (const page of pages) {
    app.on(page.method, page.path, async (context) => {
      if (page.method !== "GET" && isFromElsewhere(context))
        return writeRefusal(context, CROSS_ORIGIN);
      let response: Response | undefined;
      try {
        await check(context, async () => {
          response = await handleRequest(routes, page, context);
        });
      } catch (error) {
        if (!(error instanceof HTTPException)) throw error;
        return writeRefusal(context, CROSS_ORIGIN);
      }
      return response as Response;
    });
  }
  app.notFound((context) =>
    wantsPage(context)
      ? writeRefusal(context, NO_PAGE)
      : respond(NO_ENDPOINT, context.get("requestId")),
  );
  app.onError(async (error, context) => {
    // Who wants no page is answered as everywhere else.
    if (!wantsPage(context)) throw error;
    const requestId = context.get("requestId");
    reportError(error, requestId);
    return isOutage(error)
      ? writeRefusal(context, (await refuseIfUsedUp(context.env, error)) ?? OUTAGE)
      : writeRefusal(context, internalError(requestId), 500);
  });
}
