// Whether the parts that the worker needs answer: the database, a queue message, an object. For
// monitors. Public, so at most one check in ten seconds, whoever asks.
import type { Context } from "hono";
import { isReady, type Readiness } from "../../../domain/operations/probe.ts";
import { SECOND } from "../../../domain/shared/time.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { withTimeout } from "../../../kernel/db/timeout.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import { operationsObject } from "../../stubs.ts";

const LIFETIME_MS = 10 * SECOND;
/** Longer than the object's own check takes. */
const TIMEOUT_MS = 10 * SECOND;

const NOTHING: Readiness = { database: null, queue: null, object: null };

let latest: { readonly at: number; readonly found: Readiness } | null = null;

/** Asks the object; it checks the others. Never throws. */
async function check(env: Cloudflare.Env): Promise<Readiness> {
  const startedAt = Date.now();
  try {
    return await withTimeout(TIMEOUT_MS, operationsObject(env).ready());
  } catch (error) {
    const after = Date.now() - startedAt;
    logFault("not ready", error, { after });
    return NOTHING;
  }
}

/** Serves `GET /ready`: 200 if everything answers, otherwise 503 and what does not. */
export async function serveReadiness({ env }: Context<Environment>): Promise<Response> {
  const now = Date.now();
  if (latest === null || Math.abs(now - latest.at) >= LIFETIME_MS) {
    latest = { at: now, found: await check(env) };
  }
  const { found } = latest;
  const checks = Object.fromEntries(
    Object.entries(found).map(([name, ms]) => [name, ms === null ? "failed" : "ok"]),
  );
  return Response.json(
    { status: isReady(found) ? "ready" : "not_ready", checks },
    { status: isReady(found) ? 200 : 503 },
  );
}
