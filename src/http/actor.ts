// Who calls: an API key's account user, found by the key's hash and remembered in the isolate for 30 seconds
// (revoking a key takes effect within that).
import { eq } from "drizzle-orm";
import { hashOfKey, isApiKey } from "../db/api-keys.ts";
import { drizzleOn } from "../db/database.ts";
import { accountUsers, apiKeys, users } from "../db/schema/people.ts";
import { isRefusal, type Refusal, refuse } from "../domain/refusal.ts";
import { countFailure, lookUpCredential } from "./strangers.ts";

export type Roles = {
  readonly admin: boolean;
  readonly billing: boolean;
  readonly broadcaster: boolean;
  readonly communicator: boolean;
};

export type Actor = {
  readonly accountId: string;
  readonly accountUserId: string;
  readonly userId: string;
  readonly name: string;
  /** The API key's id, or the session's: what rates and idempotency keys are counted by. */
  readonly credentialId: string;
  /** Whether the credential is the person's own: a session, or a key that they made themself. */
  readonly isOwnCredential: boolean;
  readonly readOnly: boolean;
  readonly roles: Roles;
};

const REMEMBERED_MS = 30_000;
const MOST_REMEMBERED = 10_000;
const remembered = new Map<string, { readonly actor: Actor; readonly until: number }>();

const NO_KEY = refuse("unauthenticated", "send an API key as Authorization: Bearer <key>");
const BAD_KEY = refuse("unauthenticated", "the API key is not valid or has been revoked");

/** A key revoked through this isolate is forgotten at once. */
export function forgetKeys(matches: (actor: Actor) => boolean): void {
  for (const [hash, { actor }] of remembered) if (matches(actor)) remembered.delete(hash);
}

/**
 * The actor of a request's `Authorization: Bearer`.
 *
 * @param address the caller's network address: wrong keys are limited by it
 * @param now epoch ms
 * @returns 401 when there is no key, or none that we know; 429 when the address sent too many wrong ones
 */
export async function authenticate(
  env: Cloudflare.Env,
  authorization: string | null,
  address: string | null,
  now: number,
): Promise<Actor | Refusal> {
  const key = /^Bearer\s+(\S+)\s*$/i.exec(authorization ?? "")?.[1];
  if (key === undefined) return NO_KEY;
  if (!isApiKey(key)) return (await countFailure(env, address)) ?? BAD_KEY;
  const keyHash = hashOfKey(key);
  const held = remembered.get(keyHash);
  if (held && held.until > now) return held.actor;
  const found = await lookUpCredential(env, address, keyHash, () => findActor(env.DB, keyHash));
  if (isRefusal(found)) return found;
  if (!found?.isActive) {
    remembered.delete(keyHash);
    return BAD_KEY;
  }
  const { actor } = found;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(keyHash, { actor, until: now + REMEMBERED_MS });
  return actor;
}

type FoundActor = { readonly actor: Actor; readonly isActive: boolean };

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
  return { actor: { ...actor, roles }, isActive: state === "active" };
}
