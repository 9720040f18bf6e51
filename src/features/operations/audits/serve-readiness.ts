// Whether the parts that the worker needs answer: the database, a queue message, an object. For
// monitors. Public, so at most one check in ten seconds, whoever asks.
import type { Context } from "hono";
import { isReady, type ProbeResult } from "../../../domain/operations/probe.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { SECOND } from "../../../domain/shared/time.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { withTimeout } from "../../../kernel/db/timeout.ts";
import { respond } from "../../../kernel/http/answers.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import { operationsObject } from "../../stubs.ts";
import { readWholeDeployment } from "../deployment/read-deployment.ts";
import { refuseWithoutToken, UNKNOWN } from "./deployment-token.ts";

const LIFETIME_MS = 10 * SECOND;
/** Longer than the object's own check takes. */
const TIMEOUT_MS = 10 * SECOND;

const NOTHING: ProbeResult = { database: null, queue: null, object: null };

let latest: { readonly at: number; readonly found: ProbeResult } | null = null;

/** Asks the object; it checks the others. Never throws. */
async function check(env: Cloudflare.Env): Promise<ProbeResult> {
  const startedAt = Date.now();
  try {
    return await withTimeout(TIMEOUT_MS, operationsObject(env).ready());
  } catch (error) {
    const after = Date.now() - startedAt;
    logFault("not ready", error, { after });
    return NOTHING;
  }
}

/** The state of the deployment in words: for who may read its metrics. */
async function readDetails(context: Context<Environment>, now: number) {
  const { env } = context;
  if (!env.METRICS_TOKEN) return UNKNOWN;
  return (
    (await refuseWithoutToken(context, env.METRICS_TOKEN)) ?? (await readWholeDeployment(env, now))
  );
}

/**
 * Serves `GET /ready`: 200 if everything answers, otherwise 503 and what does not. With `details`, also the state of the
 * deployment: 404 if it has no token for its metrics, 401 without it.
 */
export async function serveReadiness(context: Context<Environment>): Promise<Response> {
  const { env, req } = context;
  const now = Date.now();
  const deployment =
    req.query("details") === undefined ? undefined : await readDetails(context, now);
  if (isRefusal(deployment)) return respond(deployment, context.get("requestId"));
  if (latest === null || Math.abs(now - latest.at) >= LIFETIME_MS) {
    latest = { at: now, found: await check(env) };
  }
  const { found } = latest;
  const checks = Object.fromEntries(
    Object.entries(found).map(([name, ms]) => [name, ms === null ? "failed" : "ok"]),
  );
  return Response.json(
    { status: isReady(found) ? "ready" : "not_ready", checks, deployment },
    { status: isReady(found) ? 200 : 503 },
  );
}
