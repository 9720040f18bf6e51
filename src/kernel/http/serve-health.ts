// Whether the worker answers, for load balancers, monitors and `npm run deploy`. Reads no storage.
import type { Context } from "hono";

/** Serves `GET /health`: that the worker runs, and the id of its version (empty locally). */
export function serveHealth({ env }: Context<{ Bindings: Cloudflare.Env }>): Response {
  return Response.json({ status: "ok", version: env.VERSION.id });
}
