// A deployment whose address is https is used over https only: browsers are told so, and requests over http go there.
import type { MiddlewareHandler } from "hono";
import type { Environment } from "./serve.ts";

/** A year, which is what browsers' preload lists ask for; sub-domains are none of our business. */
const STRICT = "max-age=31536000";

/**
 * Where senders' requests arrive. Many senders follow no redirect, and an alert that comes over http is better than one
 * that does not come.
 */
const INTAKE = /^\/(integration|integrations\/generic|v2|generic|callbacks)(\/|$)/;

/** Whether the request came over http, as far as this deployment's own host is concerned. */
function isPlain(request: Request, publicUrl: URL): boolean {
  const url = new URL(request.url);
  const forwarded = request.headers.get("x-forwarded-proto");
  return url.host === publicUrl.host && url.protocol === "http:" && forwarded !== "https";
}

/** Redirects http to https and sets Strict-Transport-Security, where `PUBLIC_URL` is an https address. */
export const requireHttps: MiddlewareHandler<Environment> = async (context, next) => {
  const { PUBLIC_URL } = context.env;
  if (!PUBLIC_URL.startsWith("https://") || !URL.canParse(PUBLIC_URL)) return next();
  const { raw, path } = context.req;
  if (isPlain(raw, new URL(PUBLIC_URL)) && !INTAKE.test(path)) {
    const url = new URL(raw.url);
    url.protocol = "https:";
    // 308: the method and the body stay what they are.
    return context.redirect(url.href, 308);
  }
  await next();
  context.header("Strict-Transport-Security", STRICT);
};
