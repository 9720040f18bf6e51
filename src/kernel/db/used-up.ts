// What a caller is answered when a day's limit of Cloudflare's free plan is used up. Loads what stores that only then.
import { retryAfterUsedUp } from "../../domain/shared/daily-limits.ts";
import { type Refusal, refuse } from "../../domain/shared/refusal.ts";
import { logFault } from "./log-fault.ts";
import { usedUpLimit } from "./outage.ts";

/**
 * The refusal of a request that a used-up limit ended, which is noted for the rest of the day; null for any other
 * error. Senders repeat what is answered so.
 */
export async function refuseIfUsedUp(env: Cloudflare.Env, error: unknown): Promise<Refusal | null> {
  const limit = usedUpLimit(error);
  if (limit === null) return null;
  try {
    const { reportUsedUp } = await import("./daily-use.ts");
    await reportUsedUp(env, limit);
  } catch (reason) {
    logFault("a used-up limit could not be noted", reason);
  }
  const words = `Cloudflare's free plan has no ${limit} left until 00:00 UTC; send it again`;
  return { ...refuse("unavailable", words), retryAfter: retryAfterUsedUp(Date.now()) };
}
