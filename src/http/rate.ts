// Rate limits, by the platform's binding: counted per location, without a network wait (contract 1, Rate limits).
import { type Refusal, refuse } from "../domain/refusal.ts";

const TOO_MANY = refuse("too_many", "too many requests; slow down");

/** The refusal of a caller over the rate, else null. `RATE_LIMITS = "off"` lifts every limit. */
export async function withinRate(
  env: Cloudflare.Env,
  limit: RateLimit,
  key: string,
): Promise<Refusal | null> {
  if (env.RATE_LIMITS === "off") return null;
  const { success } = await limit.limit({ key });
  return success ? null : TOO_MANY;
}
