// The outcome of a request, for senders that query it. The inbox knows it until its log is in D1.

import type { RequestOutcome } from "../../rpc.ts";
import type { InboxStorage } from "./inbox-storage.ts";

/** Maximum number of checks whether a request is processed, and their interval (ms). */
const MAX_CHECKS = 100;
const CHECK_INTERVAL_MS = 20;

/** Waits for a stored request's outcome; null if it is not stored or takes too long. */
export async function awaitOutcome(
  { events, orderingKeys }: InboxStorage,
  logId: string,
): Promise<RequestOutcome | null> {
  for (let check = 0; check < MAX_CHECKS; check += 1) {
    const [first] = events.index.ofLog(logId);
    // Missing after the log was written between two checks: the outcome is in D1.
    if (first === undefined) return null;
    if (first.settled !== null) {
      const { message, at, alertId } = first.settled;
      const request = events.readRequests([logId]).get(logId) ?? null;
      const key = first.orderingKey;
      // An event may name its alert otherwise than by its ordering key.
      const thirdpartyId =
        key !== null && alertId !== null && orderingKeys.newest(key) === alertId ? key : null;
      return { message, settledAt: at, request, alertId, thirdpartyId };
    }
    await scheduler.wait(CHECK_INTERVAL_MS);
  }
  return null;
}
