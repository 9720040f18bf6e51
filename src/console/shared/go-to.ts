// Sending a browser to another page: a page that is opened is redirected; a script is told where to, for the whole page.
import type { Context } from "hono";

/** Our scripts ask for JSON where they send a form or read data. */
const wantsData = (context: Context) => context.req.header("accept") === "application/json";

/** Part of a page that htmx asks for again. */
export const isPartial = (context: Context) => context.req.header("hx-request") === "true";

/** What `fetch` follows by itself would put another page where a part of this one belongs. */
export function goTo(context: Context, to: string): Response {
  if (wantsData(context)) return context.json({ to });
  if (!isPartial(context)) return context.redirect(to, 303);
  context.header("HX-Redirect", to);
  return context.body(null, to.startsWith("/sign-in") ? 401 : 200);
}

/** The page that the browser shows, or asks for: where it is to be again after signing in; null: not known. */
export function shownPage(context: Context, url: URL): string | null {
  const { req } = context;
  const isOpened = req.method === "GET" && !isPartial(context) && !wantsData(context);
  const text = isOpened ? url.href : (req.header("hx-current-url") ?? req.header("referer"));
  const shown = URL.canParse(text ?? "") ? new URL(text ?? "") : null;
  return shown?.origin === url.origin ? `${shown.pathname}${shown.search}` : null;
}
