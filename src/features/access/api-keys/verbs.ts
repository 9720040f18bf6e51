import { sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { isSelf } from "../../../domain/access/actor.ts";
import { type Identifier, parseIdentifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { newApiKey } from "../../../kernel/credentials.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { plainColumns } from "../../../kernel/db/plain-columns.ts";
import { oneRecord } from "../../../kernel/db/records.ts";
import { first } from "../../../kernel/db/select.ts";
import { commitChange, commitUnread } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { apiKeys } from "../../schema/people.ts";
import { securityNotices } from "../sessions/security-notices.ts";
import { apiKeyRecords, selectHolder } from "./api-key-records.ts";
import type { ApiKeyWithKey } from "./contract.ts";
import { forgetKeys } from "./key-actors.ts";
import { keyScope } from "./key-scope.ts";
import type { CreateApiKey } from "./parameters.ts";

type Holder = Pick<MemberActor, "accountUserId" | "userId">;

/** The holder of the new key: the actor, or, for an admin, any active account user. */
async function findHolder(
  { db, actor }: Context<MemberActor>,
  named: string | null | undefined,
): Promise<Holder | Refusal> {
  if (named == null) return actor;
  const identifier = parseIdentifier("account_user", named);
  const unknown = refuse(
    "invalid",
    `account_user_id: no such account user ${named.slice(0, 64)}`,
    "account_user_id",
  );
  if (identifier === null) return unknown;
  const holder = await first(db, selectHolder(actor.accountId, identifier));
  if (holder?.accountUserId === actor.accountUserId) return actor;
  if (!actor.roles.admin)
    return refuse("forbidden", "creating keys for others needs the role admin");
  if (!holder) return unknown;
  return holder.state === "active"
    ? holder
    : refuse(
        "invalid",
        "account_user_id has not accepted the invitation to this account yet",
        "account_user_id",
      );
}

/**
 * Creates an API key (contract 1, Auth). Its holder is notified by e-mail.
 *
 * @param id the ULID of the new key
 * @returns the record with the key, which is shown only here; 403 for another's key without the role
 *   admin; 422 for an unknown account user, or one who has not accepted the invitation
 */
export function createApiKey(
  context: Context<MemberActor>,
  id: string,
  body: CreateApiKey,
): Promise<ApiKeyWithKey | Refusal> {
  const { env, actor, now } = context;
  const { accountId } = actor;
  return retryOnConflict(async () => {
    const holder = await findHolder(context, body.account_user_id);
    if (isRefusal(holder)) return holder;
    const { accountUserId, userId } = holder;
    const { key, keyHash } = newApiKey(env.LINK_SECRET);
    const row = {
      ...newIdentity("api_key", now, id),
      accountId,
      accountUserId,
      keyHash,
      ...plainColumns(apiKeys, body),
      name: body.name ?? "",
      readOnly: body.read_only ?? false,
      selfMade: isSelf(actor, holder),
    };
    const detail = `${row.name || "without a name"}${row.readOnly ? " (read-only)" : ""}`;
    const about = { userId, accountId, byUserId: actor.userId };
    const notices = await securityNotices(env, about, [{ kind: "api_key", detail }], now);
    const writes = [...notices, build.insert(apiKeys).values(row)];
    const change = { verb: "create", records: apiKeyRecords, id, before: null, writes };
    const { after } = await commitChange(context, change);
    return after ? { ...after, key } : notFound("api_key");
  });
}

/** Revokes an API key, which then stops working within 30 seconds; null, or 404. */
export async function revokeApiKey(
  context: Context<MemberActor>,
  identifier: Identifier,
): Promise<Refusal | null> {
  const { actor } = context;
  const scope = keyScope(actor) ?? sql`true`;
  const deletion = sql`delete from ${apiKeys}
    where ${oneRecord(apiKeys, actor.accountId, identifier)} and ${scope}`;
  const { before } = await commitUnread(context, {
    verb: "revoke",
    records: apiKeyRecords,
    identifier,
    scope,
    writes: [deletion],
  });
  if (before === null) return notFound("api_key");
  forgetKeys((known) => known.credentialId === before.id);
  return null;
}
