// Claims of `Idempotency-Key`s: one row per key of an API key, bound to the id of the record to be made.
import { type SQL, sql } from "drizzle-orm";
import { idempotencyKeys } from "./schema/bookkeeping.ts";

const KEPT_MS = 24 * 3_600_000;
/** How long a claim without an answer stands: longer than any request lives. */
const LEASE_MS = 30_000;

export type Claim = {
  readonly accountId: string;
  readonly apiKeyId: string;
  readonly key: string;
  readonly requestHash: string;
  /** The id the record is to have, should this claim be the first. */
  readonly recordId: string;
};

export type ClaimRow = {
  readonly request_hash: string;
  readonly record_id: string;
  readonly status: number | null;
  readonly answer: string;
};

const mine = (claim: Claim) =>
  sql`${idempotencyKeys.apiKeyId} = ${claim.apiKeyId} and ${idempotencyKeys.key} = ${claim.key}`;

/** Forgets the key once its time is over. */
export function forgetExpired(claim: Claim, now: number): SQL {
  return sql`delete from ${idempotencyKeys} where ${mine(claim)} and expires_at <= ${now}`;
}

/**
 * Takes the key: the first time, or when an earlier request with the same body died without an answer. Returns the
 * record's id only to the one that has it now.
 */
export function takeKey(claim: Claim, now: number): SQL {
  return sql`insert into ${idempotencyKeys} (account_id, api_key_id, key, request_hash, record_id, answer,
      claimed_until, expires_at)
    values (${claim.accountId}, ${claim.apiKeyId}, ${claim.key}, ${claim.requestHash}, ${claim.recordId},
      '{}', ${now + LEASE_MS}, ${now + KEPT_MS})
    on conflict (api_key_id, key) do update set claimed_until = excluded.claimed_until
      where idempotency_keys.status is null and idempotency_keys.claimed_until <= ${now}
        and idempotency_keys.request_hash = excluded.request_hash
    returning record_id`;
}

/** How the key stands. */
export function selectClaim(claim: Claim): SQL {
  return sql`select request_hash, record_id, status, answer from ${idempotencyKeys}
    where ${mine(claim)}`;
}

/** Keeps the answer, to be given again. */
export function keepAnswer(claim: Claim, status: number, answer: unknown): SQL {
  return sql`update ${idempotencyKeys} set status = ${status}, answer = ${JSON.stringify(answer)}
    where ${mine(claim)}`;
}

/** Lets go of the key: nothing was made, it may be used again. */
export function releaseKey(claim: Claim): SQL {
  return sql`delete from ${idempotencyKeys} where ${mine(claim)} and status is null`;
}

/** Lets a retry take over at once: something may have been made. */
export function abandonKey(claim: Claim): SQL {
  return sql`update ${idempotencyKeys} set claimed_until = 0 where ${mine(claim)} and status is null`;
}

/** Removes expired keys, some at a time. */
export function sweepKeys(now: number, most: number): SQL {
  return sql`delete from ${idempotencyKeys} where rowid in (select rowid from ${idempotencyKeys}
    where expires_at <= ${now} order by expires_at limit ${most})`;
}
