// Redirects a browser to another page: by status 303, by `HX-Redirect`, or by JSON for a script.
import type { Context } from "hono";

/** The console's scripts request JSON when they submit a form or read data. */
export const wantsData = (context: Context) => context.req.header("accept") === "application/json";

/**
 * Whether a script shows a form's result on the page that it would lead to anyway, so that the page
 * is not loaded again. A path without a query stands for the page with any.
 */
export function staysOn(context: Context, to: string): boolean {
  const page = context.req.header("x-page");
  return wantsData(context) && (page === to || page?.split("?")[0] === to);
}

/** Whether htmx refreshes a part of a page. */
export const isPartial = (context: Context) => context.req.header("hx-request") === "true";

/** A 303 would be followed by `fetch` and put another page where a part of this one belongs. */
export function goTo(context: Context, to: string): Response {
  if (wantsData(context)) return context.json({ to });
  if (!isPartial(context)) return context.redirect(to, 303);
  context.header("HX-Redirect", to);
  return context.body(null, to.startsWith("/sign-in") ? 401 : 200);
}

/** The page that the browser shows or requests, to return to after signing in; null if unknown. */
export function currentPage(context: Context, url: URL): string | null {
  const { req } = context;
  const isOpened = req.method === "GET" && !isPartial(context) && !wantsData(context);
  const text = isOpened ? url.href : (req.header("hx-current-url") ?? req.header("referer"));
  const page = URL.canParse(text ?? "") ? new URL(text ?? "") : null;
  return page?.origin === url.origin ? `${page.pathname}${page.search}` : null;
}
