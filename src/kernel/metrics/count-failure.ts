// Counts a failure of an object, and reports it: an object's isolate may serve no requests.
import { counted } from "./counted.ts";
import { reportSoon } from "./report-counts.ts";

/** Counts a failed alarm or delivery of an object of a kind. */
export function countFailure(
  context: Pick<DurableObjectState, "waitUntil">,
  env: Cloudflare.Env,
  kind: string,
): void {
  counted.count("tocsin_object_errors_total", { kind });
  context.waitUntil(reportSoon(env, context));
}
