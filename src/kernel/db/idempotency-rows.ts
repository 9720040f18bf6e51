// Claims of `Idempotency-Key`s: one row per key of an API key, with the id reserved for the record. The
// requests of providers that count once are claimed the same way.
import { type SQL, sql } from "drizzle-orm";
import { type RowOf, returning, select } from "./select.ts";
import { idempotencyKeys } from "./tables.ts";

const KEPT_MS = 24 * 3_600_000;
/** Lease of a claim without an answer; longer than any request lives. */
const LEASE_MS = 30_000;

export type IdempotencyClaim = {
  readonly accountId: string;
  readonly apiKeyId: string;
  readonly key: string;
  readonly requestHash: string;
  /** The id reserved for the record if this claim is the first. */
  readonly recordId: string;
  /** How long it is kept (ms), if not for a day. */
  readonly keptMs?: number;
};

const claimColumns = {
  requestHash: idempotencyKeys.requestHash,
  /** Null until the request has been answered. */
  status: idempotencyKeys.status,
  answer: idempotencyKeys.answer,
};

export type StoredClaim = RowOf<typeof claimColumns>;

const ofClaim = (claim: IdempotencyClaim) =>
  sql`${idempotencyKeys.apiKeyId} = ${claim.apiKeyId} and ${idempotencyKeys.key} = ${claim.key}`;

/** Deletes the key if it has expired. */
export function deleteExpiredKey(claim: IdempotencyClaim, now: number): SQL {
  return sql`delete from ${idempotencyKeys} where ${ofClaim(claim)} and expires_at <= ${now}`;
}

/**
 * Claims the key if it is new, or if an earlier request with the same body died without an answer.
 * Returns the record id only to the claim's holder.
 */
export function claimKey(claim: IdempotencyClaim, now: number) {
  const insert = sql`insert into ${idempotencyKeys} (account_id, api_key_id, key, request_hash, record_id, answer,
      claimed_until, expires_at)
    values (${claim.accountId}, ${claim.apiKeyId}, ${claim.key}, ${claim.requestHash}, ${claim.recordId},
      '{}', ${now + LEASE_MS}, ${now + (claim.keptMs ?? KEPT_MS)})
    on conflict (api_key_id, key) do update set claimed_until = excluded.claimed_until
      where idempotency_keys.status is null and idempotency_keys.claimed_until <= ${now}
        and idempotency_keys.request_hash = excluded.request_hash`;
  return returning(insert, { recordId: idempotencyKeys.recordId });
}

/** Selects the state of the key. */
export const selectClaim = (claim: IdempotencyClaim) =>
  select(claimColumns, sql`from ${idempotencyKeys} where ${ofClaim(claim)}`);

/** Stores the answer for replays. */
export function storeAnswer(claim: IdempotencyClaim, status: number, answer: unknown): SQL {
  return sql`update ${idempotencyKeys} set status = ${status}, answer = ${JSON.stringify(answer)}
    where ${ofClaim(claim)}`;
}

/** Deletes the claim after nothing was created, so that the key can be used again. */
export function releaseKey(claim: IdempotencyClaim): SQL {
  return sql`delete from ${idempotencyKeys} where ${ofClaim(claim)} and status is null`;
}

/** Ends the lease, so that a retry takes over at once: something may have been created. */
export function abandonKey(claim: IdempotencyClaim): SQL {
  return sql`update ${idempotencyKeys} set claimed_until = 0 where ${ofClaim(claim)} and status is null`;
}

/** Deletes expired keys, at most `most`. */
export function sweepKeys(now: number, most: number): SQL {
  return sql`delete from ${idempotencyKeys} where rowid in (select rowid from ${idempotencyKeys}
    where expires_at <= ${now} order by expires_at limit ${most})`;
}
