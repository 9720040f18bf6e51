// Whoever replies in the thread of an alert and has not linked their account is told so now and then.
import { HOUR } from "../../../domain/shared/time.ts";

/** A person is told so at most this often (ms). */
const INTERVAL_MS = 24 * HOUR;
const MAX_HINTS = 10_000;
const hintedAt = new Map<string, number>();

/** Whether to tell a person now, who is then not told again for a while. `now`: epoch ms. */
export function shouldHint(accountId: string, userId: string, now: number): boolean {
  const key = `${accountId} ${userId}`;
  if ((hintedAt.get(key) ?? 0) > now - INTERVAL_MS) return false;
  if (hintedAt.size >= MAX_HINTS) hintedAt.clear();
  hintedAt.set(key, now);
  return true;
}
