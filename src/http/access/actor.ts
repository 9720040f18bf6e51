// Authenticates API keys: finds the key's account user by the key's hash, cached in the isolate for
// 30 seconds. A revoked key stops working within that time.
import { eq } from "drizzle-orm";
import { hashOfKey, isApiKey } from "../../db/access/api-keys.ts";
import { accountUsers, apiKeys, users } from "../../db/schema/people.ts";
import { drizzleOn } from "../../db/shared/database.ts";
import type { MemberActor } from "../../domain/access/actor.ts";
import { isRefusal, type Refusal, refuse } from "../../domain/shared/refusal.ts";
import { countFailure, lookUpCredential } from "./failure-limit.ts";

const CACHE_MS = 30_000;
const MAX_CACHED = 10_000;
const cache = new Map<string, { readonly actor: MemberActor; readonly until: number }>();

const NO_KEY = refuse("unauthenticated", "send an API key as Authorization: Bearer <key>");
const BAD_KEY = refuse("unauthenticated", "the API key is not valid or has been revoked");

/** Evicts keys from this isolate's cache, so that a revocation made here applies at once. */
export function forgetKeys(matches: (actor: MemberActor) => boolean): void {
  for (const [hash, { actor }] of cache) if (matches(actor)) cache.delete(hash);
}

/**
 * Authenticates a request's `Authorization: Bearer`.
 *
 * @param address the caller's network address, by which wrong keys are limited
 * @param now epoch ms
 * @returns the actor; 401 without a valid key; 429 after too many wrong keys
 */
export async function authenticate(
  env: Cloudflare.Env,
  authorization: string | null,
  address: string | null,
  now: number,
): Promise<MemberActor | Refusal> {
  const key = /^Bearer\s+(\S+)\s*$/i.exec(authorization ?? "")?.[1];
  if (key === undefined) return NO_KEY;
  if (!isApiKey(key)) return (await countFailure(env, address)) ?? BAD_KEY;
  const keyHash = hashOfKey(key);
  const cached = cache.get(keyHash);
  if (cached && cached.until > now) return cached.actor;
  const found = await lookUpCredential(env, address, keyHash, () => findActor(env.DB, keyHash));
  if (isRefusal(found)) return found;
  if (!found?.isActive) {
    cache.delete(keyHash);
    return BAD_KEY;
  }
  const { actor } = found;
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(keyHash, { actor, until: now + CACHE_MS });
  return actor;
}

type FoundActor = { readonly actor: MemberActor; readonly isActive: boolean };

async function findActor(db: D1Database, keyHash: string): Promise<FoundActor | null> {
  const [row] = await drizzleOn(db.withSession("first-primary"))
    .select({
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
    })
    .from(apiKeys)
    .innerJoin(accountUsers, eq(accountUsers.id, apiKeys.accountUserId))
    .innerJoin(users, eq(users.id, accountUsers.userId))
    .where(eq(apiKeys.keyHash, keyHash));
  if (row === undefined) return null;
  const { admin, billing, broadcaster, communicator, state, ...actor } = row;
  const roles = { admin, billing, broadcaster, communicator };
  return { actor: { kind: "key", ...actor, roles }, isActive: state === "active" };
}
