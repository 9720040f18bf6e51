// Runs password checks within the limits on concurrent and failed attempts; waits for a free slot
// (`src/domain/access/sign-in-limits.ts`).
import { MAX_WAIT_MS, retryDelayMs } from "../../../domain/access/sign-in-limits.ts";
import { type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { type Connection, statement } from "../../../kernel/db/database.ts";
import { endAttempt, reserveAttempt, type SignInAttempt } from "./sign-in-rows.ts";

const TOO_MANY = refuse("too_many", "too many sign-in attempts; try again in 30 seconds");

/**
 * Runs a check once a slot is free; refuses if none becomes free in time. The attempt counts as
 * failed until it is deleted.
 */
export async function runWithinLimits<Result>(
  db: Connection,
  attempt: SignInAttempt,
  check: () => Promise<Result>,
): Promise<Result | Refusal> {
  const until = Date.now() + MAX_WAIT_MS;
  for (let attempts = 0; ; attempts += 1) {
    const reserved = await reserveAttempt(db, attempt, Date.now());
    if ("id" in reserved) {
      try {
        return await check();
      } finally {
        await statement(db, endAttempt(attempt, reserved.id)).run();
      }
    }
    const wait = retryDelayMs(reserved, attempts, Date.now());
    if (Date.now() + wait > until) return TOO_MANY;
    await scheduler.wait(wait);
  }
}
