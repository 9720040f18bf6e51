// The console's cookies. Over https their names have the `__Host-` prefix, which binds them to this
// host; browsers refuse it over http, which is for local development only.
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Environment } from "../../http/serve.ts";

type Here = Context<Environment>;

export type CookieName =
  | "session"
  | "claim"
  | "said"
  | "seen"
  | "sign_in"
  | "link"
  | "browser"
  | "theme";

const isSecure = (context: Here) => new URL(context.req.url).protocol === "https:";

const nameOf = (context: Here, name: CookieName) =>
  `${isSecure(context) ? "__Host-" : ""}tocsin_${name}`;

export function readCookie(context: Here, name: CookieName): string | null {
  return getCookie(context, nameOf(context, name)) ?? null;
}

/** @param seconds the cookie's `Max-Age` */
export function putCookie(context: Here, name: CookieName, value: string, seconds: number): void {
  setCookie(context, nameOf(context, name), value, {
    path: "/",
    httpOnly: true,
    secure: isSecure(context),
    sameSite: "Lax",
    maxAge: seconds,
  });
}

export function dropCookie(context: Here, name: CookieName): void {
  deleteCookie(context, nameOf(context, name), { path: "/", secure: isSecure(context) });
}
