// A provider's request that counts once, however often it comes: providers repeat what was not answered in
// time, and a signature without a time can be replayed.
import { createHash } from "node:crypto";
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { DAY } from "../../../domain/shared/time.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import {
  claimKey,
  deleteExpiredKey,
  type IdempotencyClaim,
  releaseKey,
  selectClaim,
  storeAnswer,
} from "../../../kernel/db/idempotency-rows.ts";
import { logMinorFault } from "../../../kernel/db/log-fault.ts";
import { isOutage } from "../../../kernel/db/outage.ts";
import { batch, first } from "../../../kernel/db/select.ts";
import { reportIfFull } from "../../../kernel/metrics/report-full.ts";

/** Longer than what a message or call may answer stays answerable (ms). */
const KEPT_MS = 8 * DAY;

/** Whether an answer was given, or refused for good. */
export const isAnswered = (answer: unknown): boolean =>
  !isRefusal(answer) || answer.reason !== "unavailable";

/** The same is being done: it may still fail, so that it has to be sent again. */
const UNDER_WAY: Refusal = {
  ...refuse("unavailable", "this request is being processed; send it again"),
  done: "Your answer is being processed: if nothing changes, answer again in a minute",
};

/** What counts once. */
export type Once = {
  /** Whose requests these are: a provider, or the id of an integration. */
  readonly by: string;
  /** What identifies the request among theirs. */
  readonly what: readonly string[];
  readonly now: number;
  /** The account, if it has one. */
  readonly accountId?: string;
  /** How long it could come again (ms). */
  readonly keptMs?: number;
};

/**
 * Acts unless the same was done before. If that fails, or its worker dies, the next request acts again.
 * What cannot be claimed, because the database is full or out, is done all the same: a person answers, and
 * the alert confirms what was answered before.
 *
 * @param isDone whether the result is final; otherwise the next request acts again, too
 * @returns null if it was done before; a refusal as `unavailable` while it is being done
 */
export async function actOnce<Done>(
  db: Connection,
  { by, what, now, accountId = "", keptMs = KEPT_MS }: Once,
  act: () => Promise<Done>,
  isDone: (done: Done) => boolean = () => true,
): Promise<Done | Refusal | null> {
  const key = createHash("sha256").update(JSON.stringify(what)).digest("hex");
  const claim = { accountId, apiKeyId: by, key, requestHash: "", recordId: "", keptMs };
  const state = await claimOnce(db, claim, now);
  if (state === "done") return null;
  if (state === "under way") return UNDER_WAY;
  let done: Done;
  try {
    done = await act();
  } catch (error) {
    await batch(db, [releaseKey(claim)]).catch(() => {});
    throw error;
  }
  await batch(db, [isDone(done) ? storeAnswer(claim, 204, null) : releaseKey(claim)]).catch(
    (error) => {
      // It was done: repeated after the lease, it is done again.
      logMinorFault("a request that was acted on could not be stored", error);
    },
  );
  return done;
}

/** Claims it for this request. Only a stored answer says that it was done. */
async function claimOnce(
  db: Connection,
  claim: IdempotencyClaim,
  now: number,
): Promise<"ours" | "under way" | "done"> {
  try {
    const queries = [
      deleteExpiredKey(claim, now),
      claimKey(claim, now),
      selectClaim(claim),
    ] as const;
    const [, [claimed], [stored]] = await batch(db, queries);
    if (claimed !== undefined) return "ours";
    return typeof stored?.status === "number" ? "done" : "under way";
  } catch (error) {
    if (!isOutage(error)) throw error;
    reportIfFull(error);
    const stored = await first(db, selectClaim(claim)).catch(() => null);
    return typeof stored?.status === "number" ? "done" : "ours";
  }
}
