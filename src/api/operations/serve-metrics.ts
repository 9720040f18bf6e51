// The deployment's metrics in Prometheus' text format, for who has its token. A scrape reads one value
// of one object and no row of the database: the auditor measures once a minute.
import type { Context } from "hono";
import { EXPOSITION_TYPE, exposition } from "../../domain/operations/exposition.ts";
import { refuse } from "../../domain/shared/refusal.ts";
import { countFailure } from "../../http/access/failure-limit.ts";
import { respond } from "../../http/answers.ts";
import type { Environment } from "../../http/serve.ts";
import { reportCounts } from "../../objects/operations/report-counts.ts";
import { operationsObject } from "../../objects/shared/stubs.ts";
import { isSameSecret } from "../../services/access/same-secret.ts";

const UNKNOWN = refuse("not_found", "no such endpoint");
const WRONG_TOKEN = refuse("unauthenticated", "the token is missing or wrong");

/** Serves `GET /metrics`: 404 if the deployment has no token, 401 without it. */
export async function serveMetrics({ env, req, get }: Context<Environment>): Promise<Response> {
  const requestId = get("requestId");
  if (!env.METRICS_TOKEN) return respond(UNKNOWN, requestId);
  const [, token = ""] = /^Bearer +(\S+) *$/i.exec(req.header("Authorization") ?? "") ?? [];
  if (!isSameSecret(token, env.METRICS_TOKEN)) {
    const refusal = await countFailure(env, req.header("cf-connecting-ip"));
    return respond(refusal ?? WRONG_TOKEN, requestId);
  }
  await reportCounts(env);
  const text = exposition(await operationsObject(env).read());
  const headers = { "Content-Type": EXPOSITION_TYPE, "Cache-Control": "no-store" };
  return new Response(text, { headers });
}
