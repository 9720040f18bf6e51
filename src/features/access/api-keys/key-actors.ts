// The actor of an API key, found by the key's hash and cached in the isolate for 30 seconds. A
// revoked key stops working within that time.
import { sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { first, select } from "../../../kernel/db/select.ts";
import { accountUsers, apiKeys, users } from "../../schema/people.ts";

const CACHE_MS = 30_000;
const MAX_CACHED = 10_000;
const cache = new Map<string, { readonly actor: MemberActor; readonly until: number }>();

/** The cached actor of a key; null if it is not cached. `now` in epoch ms. */
export function cachedActor(keyHash: string, now: number): MemberActor | null {
  const cached = cache.get(keyHash);
  return cached && cached.until > now ? cached.actor : null;
}

/** Caches the actor of a key that the primary has just confirmed. */
export function cacheActor(keyHash: string, actor: MemberActor, now: number): void {
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(keyHash, { actor, until: now + CACHE_MS });
}

export function forgetKey(keyHash: string): void {
  cache.delete(keyHash);
}

/** Evicts keys from this isolate's cache, so that a revocation made here applies at once. */
export function forgetKeys(matches: (actor: MemberActor) => boolean): void {
  for (const [hash, { actor }] of cache) if (matches(actor)) cache.delete(hash);
}

type FoundActor = { readonly actor: MemberActor; readonly isActive: boolean };

/** Reads the actor of a key by its hash, and whether the membership is active. */
export async function findActor(db: Connection, keyHash: string): Promise<FoundActor | null> {
  const row = await first(
    db,
    select(
      {
        accountId: apiKeys.accountId,
        accountUserId: apiKeys.accountUserId,
        userId: accountUsers.userId,
        name: users.name,
        credentialId: apiKeys.id,
        isOwnCredential: apiKeys.selfMade,
        readOnly: apiKeys.readOnly,
        state: accountUsers.state,
        admin: accountUsers.admin,
        billing: accountUsers.billing,
        broadcaster: accountUsers.broadcaster,
        communicator: accountUsers.communicator,
      },
      sql`from ${apiKeys} join ${accountUsers} on ${accountUsers.id} = ${apiKeys.accountUserId}
        join ${users} on ${users.id} = ${accountUsers.userId} where ${apiKeys.keyHash} = ${keyHash}`,
    ),
  );
  if (row === null) return null;
  const { admin, billing, broadcaster, communicator, state, ...actor } = row;
  const roles = { admin, billing, broadcaster, communicator };
  return { actor: { kind: "key", ...actor, roles }, isActive: state === "active" };
}
