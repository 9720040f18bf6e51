// Authenticates API keys.
import type { MemberActor } from "../../../domain/access/actor.ts";
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { checkApiKey, hashOfSecret } from "../../../kernel/credentials.ts";
import { lookUpCredential } from "../../../kernel/http/failure-limit.ts";
import { cacheActor, cachedActor, findActor, forgetKey } from "./key-actors.ts";

const NO_KEY = refuse("unauthenticated", "send an API key as Authorization: Bearer <key>");
const BAD_KEY = refuse("unauthenticated", "the API key is not valid or has been revoked");

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
  const keyHash = hashOfSecret(key);
  const cached = cachedActor(keyHash, now);
  if (cached) return cached;
  const provenance = checkApiKey(env.LINK_SECRET, key);
  const presented = { env, address, credential: keyHash, provenance };
  const found = await lookUpCredential(presented, () =>
    findActor(env.DB.withSession("first-primary"), keyHash),
  );
  if (isRefusal(found)) return found;
  if (!found?.isActive) {
    forgetKey(keyHash);
    return BAD_KEY;
  }
  cacheActor(keyHash, found.actor, now);
  return found.actor;
}
