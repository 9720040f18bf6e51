// Whether the worker answers, for load balancers, monitors and `npm run deploy`. Reads no storage, unless the deployment is
// on Cloudflare's free plan: then it says how much of the day's limits is used.
import type { Context } from "hono";
import { isOnFreePlan, showDayLimits } from "../../domain/shared/daily-limits.ts";

/** The day's limits as `/health` shows them. */
async function readLimits(env: Cloudflare.Env) {
  const { readDayLimits } = await import("../db/daily-use.ts");
  const limits = await readDayLimits(env, Date.now());
  return limits ? showDayLimits(limits) : undefined;
}

/**
 * Serves `GET /health`: that the worker runs, and the id of its version (empty locally). On the free plan the status
 * says whether a limit is used up; it is answered 200 all the same, since pages go on as far as they can.
 */
export async function serveHealth({
  env,
}: Context<{ Bindings: Cloudflare.Env }>): Promise<Response> {
  const version = env.VERSION.id;
  if (!isOnFreePlan(env)) return Response.json({ status: "ok", version });
  const daily_limits = await readLimits(env);
  const status = daily_limits && daily_limits.used_up.length > 0 ? "limited" : "ok";
  return Response.json({ status, version, daily_limits });
}
