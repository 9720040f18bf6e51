// Runs password checks within the limits on concurrent and failed attempts; waits for a free slot
// (`src/domain/access/sign-in-limits.ts`).

import { addressGroup } from "../../domain/access/address-group.ts";
import { MAX_WAIT_MS, retryDelayMs } from "../../domain/access/sign-in-limits.ts";
import { type Refusal, refuse } from "../../domain/shared/refusal.ts";
import {
  type Attempt,
  endAttempt,
  reserveAttempt,
} from "../../features/access/sessions/sign-in-rows.ts";
import { statement } from "../../kernel/db/database.ts";
import type { Guest } from "../page.ts";
import { knownBrowser } from "./known-browser.ts";

const TOO_MANY = refuse("too_many", "too many sign-in attempts; try again in 30 seconds");

/** The network of the client's address, as reported by Cloudflare. */
export const networkOfGuest = ({ context }: Guest): string =>
  addressGroup(context.req.header("cf-connecting-ip"));

/**
 * The keys that an attempt is limited by.
 *
 * @param userId the person whose known browser this may be; null for an unknown address
 */
export function attemptOf(guest: Guest, userId: string | null, email: string): Attempt {
  const browser = userId === null ? null : knownBrowser(guest.context, userId, guest.now);
  const place =
    browser === null
      ? ({ kind: "network", name: networkOfGuest(guest) } as const)
      : ({ kind: "browser", name: browser } as const);
  return { who: userId ?? email, place };
}

/**
 * Runs a check once a slot is free; refuses if none becomes free in time. The attempt counts as
 * failed until it is deleted.
 */
export async function runWithinLimits<Result>(
  { db }: Guest,
  attempt: Attempt,
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
