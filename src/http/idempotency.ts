// `Idempotency-Key` (`contract.md` 1): the same key and body get the first answer again, a concurrent duplicate waits
// for it, another body is refused; a retry after a crash resumes with the id that the record was to have.
import { createHash } from "node:crypto";
import type { RawRow } from "../db/attributes.ts";
import { type Connection, statement } from "../db/database.ts";
import {
  abandonKey,
  type Claim,
  type ClaimRow,
  forgetExpired,
  keepAnswer,
  releaseKey,
  selectClaim,
  takeKey,
} from "../db/idempotency-rows.ts";
import { presentRecord, type Records, selectOne } from "../db/records.ts";
import { type Refusal, refuse } from "../domain/refusal.ts";
import { type Answer, created } from "./answers.ts";

const MAX_KEY = 255;
const WAITS = 20;
const WAIT_MS = 100;

const TOO_LONG = refuse("invalid", `Idempotency-Key is longer than ${MAX_KEY} characters`);
const REUSED = refuse("conflict", "this Idempotency-Key was used with another request");
const IN_PROGRESS = refuse("conflict", "a request with this Idempotency-Key is in progress");

export type Attempt = {
  readonly db: Connection;
  readonly accountId: string;
  readonly apiKeyId: string;
  readonly key: string;
  /** What makes two requests the same: method, path and body. */
  readonly request: readonly unknown[];
  readonly now: number;
  readonly recordId: string;
  /** What the route makes, if it makes a record. */
  readonly makes: Records | undefined;
};

export type Outcome = { readonly answer: Answer; readonly replayed: boolean };

/**
 * Runs `act` at most once for the key; `act` gets the id the record is to have.
 */
export async function once(
  attempt: Attempt,
  act: (recordId: string) => Promise<Answer>,
): Promise<Outcome> {
  if (attempt.key.length > MAX_KEY) return { answer: TOO_LONG, replayed: false };
  const { db, now } = attempt;
  const digest = createHash("sha256").update(JSON.stringify(attempt.request)).digest("hex");
  const claim: Claim = { ...attempt, requestHash: digest };
  const [, taken, rows] = await db.batch<RawRow>([
    statement(db, forgetExpired(claim, now)),
    statement(db, takeKey(claim, now)),
    statement(db, selectClaim(claim)),
  ]);
  const recordId = taken?.results[0]?.record_id;
  if (typeof recordId === "string")
    return { answer: await first(attempt, claim, recordId, act), replayed: false };
  return await repeated(db, claim, rows?.results[0] as ClaimRow | undefined);
}

/** The one that has the key: resumes what a dead request made, or acts. */
async function first(
  attempt: Attempt,
  claim: Claim,
  recordId: string,
  act: (recordId: string) => Promise<Answer>,
): Promise<Answer> {
  const { db } = attempt;
  let answer: Answer;
  try {
    const resumed = recordId === claim.recordId ? null : await madeBefore(attempt, recordId);
    answer = resumed ?? (await act(recordId));
  } catch (error) {
    await statement(db, abandonKey(claim)).run();
    throw error;
  }
  // What was made is made, whether or not its answer can be kept: a retry finds it by its id.
  await statement(db, settlement(claim, answer))
    .run()
    .catch(() => console.error({ message: "an answer could not be kept" }));
  return answer;
}

function settlement(claim: Claim, answer: Answer) {
  switch (answer.kind) {
    case "record":
      return keepAnswer(claim, answer.status, answer.record);
    case "nothing":
      return keepAnswer(claim, 204, null);
    default:
      // A refusal made nothing: the key may come again, with what was wrong put right.
      return releaseKey(claim);
  }
}

async function madeBefore(attempt: Attempt, recordId: string): Promise<Answer | null> {
  const { db, makes, accountId } = attempt;
  if (!makes) return null;
  const query = selectOne(makes, accountId, { form: "id", value: recordId });
  const row = await statement(db, query).first<RawRow>();
  return row ? created(presentRecord(makes, row)) : null;
}

/** A duplicate: the first answer again, once there is one. */
async function repeated(db: Connection, claim: Claim, row: ClaimRow | undefined): Promise<Outcome> {
  let seen = row;
  for (let waits = 0; waits <= WAITS; waits += 1) {
    if (!seen) break;
    if (seen.request_hash !== claim.requestHash) return { answer: REUSED, replayed: false };
    if (seen.status !== null) return { answer: replay(seen), replayed: true };
    await scheduler.wait(WAIT_MS);
    seen = (await statement(db, selectClaim(claim)).first<ClaimRow>()) ?? undefined;
  }
  return { answer: IN_PROGRESS satisfies Refusal, replayed: false };
}

function replay(row: ClaimRow): Answer {
  if (row.status === 204) return { kind: "nothing" };
  const status = row.status === 201 ? 201 : 200;
  return { kind: "record", status, record: JSON.parse(row.answer) as unknown };
}
