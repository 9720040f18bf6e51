// Reports what this isolate has counted, and what providers answered, to the operations object, which stores it. Calls
// objects only by their stubs. What was counted since the last report is lost if the isolate dies.
import { isMonitored } from "../../domain/shared/metrics/monitored.ts";
import { SECOND } from "../../domain/shared/time.ts";
import { logFault } from "../db/log-fault.ts";
import { withTimeout } from "../db/timeout.ts";
import { objectNamed } from "../objects/object-named.ts";
import { answered, counted } from "./counted.ts";

/** The name of the object that stores the metrics. */
export const OPERATIONS = "operations";

/** Interval of reports after requests, and the shortest one of reports by the queue's consumer (ms). */
const INTERVAL_MS = 10 * SECOND;
const MIN_INTERVAL_MS = SECOND;
const TIMEOUT_MS = 5 * SECOND;

let reportedAt = 0;
/** When the report that waits will have been made (epoch ms). */
let waitsUntil = 0;

/** Reports what was counted. Never throws: what could not be reported is counted again. */
export async function reportCounts(env: Cloudflare.Env): Promise<void> {
  if (!isMonitored(env) || counted.isEmpty) return;
  reportedAt = Date.now();
  const [values, answers] = [counted.take(), answered.take()];
  try {
    await withTimeout(
      TIMEOUT_MS,
      objectNamed(env, env.OPERATIONS, OPERATIONS).record(values, answers),
    );
  } catch (error) {
    counted.merge(values);
    answered.merge(answers);
    logFault("metrics are not stored", error);
  }
}

/** Reports at the end of a queue batch; some seconds later if another batch just did. */
export async function reportSoon(
  env: Cloudflare.Env,
  later: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  if (Math.abs(Date.now() - reportedAt) >= MIN_INTERVAL_MS) await reportCounts(env);
  else later.waitUntil(reportLater(env));
}

/** Reports some seconds later, once for all requests until then. For `waitUntil`. */
export async function reportLater(env: Cloudflare.Env): Promise<void> {
  const now = Date.now();
  const isWaiting = now < waitsUntil && waitsUntil <= now + 2 * INTERVAL_MS;
  if (!isMonitored(env) || isWaiting) return;
  // The platform may end the wait early: then another request's report counts.
  waitsUntil = now + INTERVAL_MS + SECOND;
  await scheduler.wait(INTERVAL_MS);
  await reportCounts(env);
}
