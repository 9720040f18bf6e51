// The console's cookies. Over https their names have the `__Host-` prefix, which binds them to this
// host; browsers refuse it over http, which is for local development only.
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Environment } from "../http/serve.ts";

type RequestContext = Context<Environment>;

export type CookieName =
  | "session"
  | "claim"
  | "flash"
  | "seen"
  | "sign_in"
  | "link"
  | "browser"
  | "theme"
  | "on_call_scope"
  | "alerts_scope"
  | "alerts_start";

/** How long a browser remembers what was chosen for a list. */
export const REMEMBERED_SECONDS = 365 * 86_400;

const isSecure = (context: RequestContext) => new URL(context.req.url).protocol === "https:";

const nameOf = (context: RequestContext, name: CookieName) =>
  `${isSecure(context) ? "__Host-" : ""}tocsin_${name}`;

export function readCookie(context: RequestContext, name: CookieName): string | null {
  return getCookie(context, nameOf(context, name)) ?? null;
}

/** @param seconds the cookie's `Max-Age` */
export function putCookie(
  context: RequestContext,
  name: CookieName,
  value: string,
  seconds: number,
): void {
  setCookie(context, nameOf(context, name), value, {
    path: "/",
    httpOnly: true,
    secure: isSecure(context),
    sameSite: "Lax",
    maxAge: seconds,
  });
}

export function dropCookie(context: RequestContext, name: CookieName): void {
  deleteCookie(context, nameOf(context, name), { path: "/", secure: isSecure(context) });
}
