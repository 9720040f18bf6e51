// Rate limits by the platform's binding: per location, no network call (contract 1, Rate limits).
import { type Refusal, refuse } from "../../domain/shared/refusal.ts";

const TOO_MANY = refuse("too_many", "too many requests; slow down");

/** Null while the caller is within the limit. `RATE_LIMITS = "off"` disables all limits. */
export async function checkRateLimit(
  env: Cloudflare.Env,
  limit: RateLimit,
  key: string,
): Promise<Refusal | null> {
  if (env.RATE_LIMITS === "off") return null;
  const { success } = await limit.limit({ key });
  return success ? null : TOO_MANY;
}
