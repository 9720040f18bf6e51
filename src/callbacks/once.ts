// A provider's request that counts once, however often it comes: providers repeat what was not answered in
// time, and a signature without a time can be replayed.
import { createHash } from "node:crypto";
import type { Connection } from "../db/shared/database.ts";
import {
  claimKey,
  deleteExpiredKey,
  releaseKey,
  storeAnswer,
} from "../db/shared/idempotency-rows.ts";
import { batch } from "../db/shared/select.ts";
import { isRefusal } from "../domain/shared/refusal.ts";
import { DAY } from "../domain/shared/time.ts";

/** Longer than what a message or call may answer stays answerable (ms). */
const KEPT_MS = 8 * DAY;

/** Whether an answer was given, or refused for good. */
export const isAnswered = (answer: unknown): boolean =>
  !isRefusal(answer) || answer.reason !== "unavailable";

/**
 * Acts unless the same was done before. If that fails, or its worker dies, the next request acts again.
 *
 * @param what identifies it among the provider's requests
 * @param isDone whether the result is final; otherwise the next request acts again, too
 * @returns null if it was done before, or is being done
 */
export async function actOnce<Done>(
  db: Connection,
  provider: string,
  what: readonly string[],
  now: number,
  act: () => Promise<Done>,
  isDone: (done: Done) => boolean = () => true,
): Promise<Done | null> {
  const key = createHash("sha256").update(JSON.stringify(what)).digest("hex");
  const request = { accountId: "", requestHash: "", recordId: "", keptMs: KEPT_MS };
  const claim = { ...request, apiKeyId: provider, key };
  const [, claimed] = await batch(db, [deleteExpiredKey(claim, now), claimKey(claim, now)]);
  if (claimed.length === 0) return null;
  try {
    const done = await act();
    await batch(db, [isDone(done) ? storeAnswer(claim, 204, null) : releaseKey(claim)]);
    return done;
  } catch (error) {
    await batch(db, [releaseKey(claim)]).catch(() => {});
    throw error;
  }
}
