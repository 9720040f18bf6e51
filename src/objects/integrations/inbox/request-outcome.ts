// The outcome of a request, for senders that query it. The inbox stores it until its log is in D1.

import type { RequestOutcome } from "../../shared/rpc.ts";
import type { InboxStorage, StoredOutcome } from "./inbox-storage.ts";

/** Maximum number of checks whether a request is processed, and their interval (ms). */
const MAX_CHECKS = 100;
const CHECK_INTERVAL_MS = 20;

/** Waits for a stored request's outcome; null if it is not stored or takes too long. */
export async function awaitOutcome(
  storage: InboxStorage,
  logId: string,
): Promise<RequestOutcome | null> {
  for (let check = 0; check < MAX_CHECKS; check += 1) {
    const stored = storage.findOutcome(logId);
    // Null after the log was written between two checks: the outcome is in D1.
    if (stored === null) return null;
    if (stored.settledAt !== null) return outcomeOf(storage, stored, stored.settledAt);
    await scheduler.wait(CHECK_INTERVAL_MS);
  }
  return null;
}

function outcomeOf(
  storage: InboxStorage,
  stored: StoredOutcome,
  settledAt: number,
): RequestOutcome {
  const { orderingKey, request, outcome: message } = stored;
  const alert = orderingKey === null ? null : storage.orderingKeys.newest(orderingKey);
  return {
    message,
    settledAt,
    request,
    alertId: alert?.alertId ?? null,
    thirdpartyId: alert && orderingKey,
  };
}
