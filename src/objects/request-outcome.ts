// What became of a request, for senders that ask: known at once by the inbox, which holds it until its log is in D1.
import type { HeldOutcome, InboxStorage } from "./inbox-storage.ts";
import type { RequestOutcome } from "./rpc.ts";

/** How long a caller waits for a request to be processed, in steps of `STEP_MS`. */
const MOST_STEPS = 100;
const STEP_MS = 20;

/** The outcome of a request that is held, waited for; null when it is not held, or takes too long. */
export async function awaitOutcome(
  storage: InboxStorage,
  logId: string,
): Promise<RequestOutcome | null> {
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const held = storage.outcomeOf(logId);
    // Its log has been written between two looks: what was processed then is in D1.
    if (held === null) return null;
    if (held.settledAt !== null) return outcomeOf(storage, held, held.settledAt);
    await scheduler.wait(STEP_MS);
  }
  return null;
}

function outcomeOf(storage: InboxStorage, held: HeldOutcome, settledAt: number): RequestOutcome {
  const { lane, request, outcome: message } = held;
  const alert = lane === null ? null : storage.lanes.newest(lane);
  return {
    message,
    settledAt,
    request,
    alertId: alert?.alertId ?? null,
    thirdpartyId: alert && lane,
  };
}
