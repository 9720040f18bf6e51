// The deployment's metrics in Prometheus' text format, for who has its token. A scrape reads one value
// of one object and no row of the database: the auditor measures once a minute.
import type { Context } from "hono";
import { EXPOSITION_TYPE, exposition } from "../../../domain/operations/exposition.ts";
import { respond } from "../../../kernel/http/answers.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import { reportCounts } from "../../../kernel/metrics/report-counts.ts";
import { operationsObject } from "../../stubs.ts";
import { standbyValues } from "../standby/standby-values.ts";
import { refuseWithoutToken, UNKNOWN } from "./deployment-token.ts";

/** Serves `GET /metrics`: 404 if the deployment has no token, 401 without it. */
export async function serveMetrics(context: Context<Environment>): Promise<Response> {
  const { env } = context;
  const requestId = context.get("requestId");
  if (!env.METRICS_TOKEN) return respond(UNKNOWN, requestId);
  const refusal = await refuseWithoutToken(context, env.METRICS_TOKEN);
  if (refusal !== null) return respond(refusal, requestId);
  await reportCounts(env);
  const values = await operationsObject(env).read();
  const text = exposition({ ...values, ...(await standbyValues(env, Date.now())) });
  const headers = { "Content-Type": EXPOSITION_TYPE };
  return new Response(text, { headers });
}
