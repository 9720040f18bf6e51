// `Idempotency-Key` (contract 1, Idempotency): a repeated request gets the first response again, a
// concurrent duplicate waits for it, and another body is refused. A retry after a crash resumes
// with the record id reserved for it.
import { createHash } from "node:crypto";
import { type Refusal, refuse } from "../../domain/shared/refusal.ts";
import { type Connection, statement } from "../db/database.ts";
import {
  abandonKey,
  claimKey,
  deleteExpiredKey,
  type IdempotencyClaim,
  releaseKey,
  type StoredClaim,
  selectClaim,
  storeAnswer,
} from "../db/idempotency-rows.ts";
import { type Records, selectRecord } from "../db/records.ts";
import { batch, first } from "../db/select.ts";
import { type Answer, created } from "./answers.ts";

const MAX_KEY = 255;
const MAX_WAITS = 20;
const WAIT_MS = 100;

const TOO_LONG = refuse("invalid", `Idempotency-Key is longer than ${MAX_KEY} characters`);
const REUSED = refuse("conflict", "this Idempotency-Key was used with another request");
const IN_PROGRESS = refuse("conflict", "a request with this Idempotency-Key is in progress");

export type IdempotentAttempt = {
  readonly db: Connection;
  readonly accountId: string;
  readonly apiKeyId: string;
  readonly key: string;
  /** Identifies equal requests: method, path and body. */
  readonly request: readonly unknown[];
  readonly now: number;
  readonly recordId: string;
  /** The kind of record that the route creates, if any. */
  readonly makes: Records | undefined;
};

export type IdempotentOutcome = { readonly answer: Answer; readonly replayed: boolean };

/** Runs `act` at most once per key. `act` gets the id of the record to create. */
export async function runIdempotent(
  attempt: IdempotentAttempt,
  act: (recordId: string) => Promise<Answer>,
): Promise<IdempotentOutcome> {
  if (attempt.key.length > MAX_KEY) return { answer: TOO_LONG, replayed: false };
  const { db, now } = attempt;
  const digest = createHash("sha256").update(JSON.stringify(attempt.request)).digest("hex");
  const claim: IdempotencyClaim = { ...attempt, requestHash: digest };
  const [, [claimed], [stored]] = await batch(db, [
    deleteExpiredKey(claim, now),
    claimKey(claim, now),
    selectClaim(claim),
  ]);
  if (claimed)
    return { answer: await runAsHolder(attempt, claim, claimed.recordId, act), replayed: false };
  return await waitAndReplay(db, claim, stored ?? null);
}

/** Runs as the holder of the key: resumes what a crashed request created, or acts. */
async function runAsHolder(
  attempt: IdempotentAttempt,
  claim: IdempotencyClaim,
  recordId: string,
  act: (recordId: string) => Promise<Answer>,
): Promise<Answer> {
  const { db } = attempt;
  let answer: Answer;
  try {
    const resumed = recordId === claim.recordId ? null : await readCreated(attempt, recordId);
    answer = resumed ?? (await act(recordId));
  } catch (error) {
    await statement(db, abandonKey(claim)).run();
    throw error;
  }
  // The record exists even if its response cannot be stored: a retry finds it by its id.
  await statement(db, writeResult(claim, answer))
    .run()
    .catch(() => console.error({ message: "an idempotent answer could not be stored" }));
  return answer;
}

function writeResult(claim: IdempotencyClaim, answer: Answer) {
  switch (answer.kind) {
    case "record":
      return storeAnswer(claim, answer.status, answer.record);
    case "nothing":
      return storeAnswer(claim, 204, null);
    default:
      // A refusal created nothing: a corrected request may reuse the key.
      return releaseKey(claim);
  }
}

async function readCreated(attempt: IdempotentAttempt, recordId: string): Promise<Answer | null> {
  const { db, makes, accountId } = attempt;
  if (!makes) return null;
  const record = await first(db, selectRecord(makes, accountId, { form: "id", value: recordId }));
  return record && created(record);
}

/** Waits for the response of the first request and replays it. */
async function waitAndReplay(
  db: Connection,
  claim: IdempotencyClaim,
  stored: StoredClaim | null,
): Promise<IdempotentOutcome> {
  let current = stored;
  for (let waits = 0; waits <= MAX_WAITS; waits += 1) {
    if (!current) break;
    if (current.requestHash !== claim.requestHash) return { answer: REUSED, replayed: false };
    if (current.status !== null) return { answer: replay(current), replayed: true };
    await scheduler.wait(WAIT_MS);
    current = await first(db, selectClaim(claim));
  }
  return { answer: IN_PROGRESS satisfies Refusal, replayed: false };
}

function replay({ status, answer }: StoredClaim): Answer {
  if (status === 204) return { kind: "nothing" };
  return { kind: "record", status: status === 201 ? 201 : 200, record: answer };
}
