// Enforces https when `PUBLIC_URL` is an https URL: redirects http requests and sets HSTS.
import type { MiddlewareHandler } from "hono";
import type { Environment } from "./serve.ts";

/** One year, the minimum for browsers' preload lists. Sub-domains are not ours to decide. */
const HSTS = "max-age=31536000";

/**
 * Paths of senders' requests. Many senders follow no redirect, and an alert over http is better
 * than a lost one.
 */
const INTAKE = /^\/(integration|integrations\/generic|v2|generic|callbacks)(\/|$)/;

/** Whether the request to this deployment's own host came over http. */
function isPlain(request: Request, publicUrl: URL): boolean {
  const url = new URL(request.url);
  const forwarded = request.headers.get("x-forwarded-proto");
  return url.host === publicUrl.host && url.protocol === "http:" && forwarded !== "https";
}

/** Redirects http to https and sets Strict-Transport-Security, if `PUBLIC_URL` is an https URL. */
export const requireHttps: MiddlewareHandler<Environment> = async (context, next) => {
  const { PUBLIC_URL } = context.env;
  if (!PUBLIC_URL.startsWith("https://") || !URL.canParse(PUBLIC_URL)) return next();
  const { raw, path } = context.req;
  if (isPlain(raw, new URL(PUBLIC_URL)) && !INTAKE.test(path)) {
    const url = new URL(raw.url);
    url.protocol = "https:";
    // 308 preserves the method and the body.
    return context.redirect(url.href, 308);
  }
  await next();
  context.header("Strict-Transport-Security", HSTS);
};
