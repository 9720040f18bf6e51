// API keys (contract 1, Auth). A key is shown once, in the response that creates it; only its hash
// is stored. A read-only key cannot list or create keys: it could create one with more access.
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { ApiKeyWithKey } from "../../contract/access/api-key.ts";
import { CreateApiKey } from "../../contract/access/api-key-parameters.ts";
import { newApiKey } from "../../db/access/api-keys.ts";
import {
  boolean,
  commonAttributes,
  type RawRow,
  reference,
  string,
} from "../../db/records/attributes.ts";
import { identified, type Records } from "../../db/records/records.ts";
import { accountUsers, apiKeys } from "../../db/schema/people.ts";
import { build, statement } from "../../db/shared/database.ts";
import { newIdentity } from "../../db/shared/identifiers.ts";
import { retryOnConflict } from "../../db/shared/optimistic-retry.ts";
import type { MemberActor } from "../../domain/access/actor.ts";
import { parseIdentifier } from "../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal, refuse } from "../../domain/shared/refusal.ts";
import { forgetKeys } from "../../http/access/actor.ts";
import { refuseOthers } from "../../http/access/own-record.ts";
import { type Answer, created, found, nothing } from "../../http/answers.ts";
import { listRecords, pathIdentifier, readRecord, writeAndRead } from "../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../http/route.ts";
import { made, many, noBody, one } from "../../http/shown.ts";
import { isSelf } from "../people/person-access.ts";
import { securityNotices } from "./security-notices.ts";

// ── Rows ──

const apiKeyRecords: Records<"ApiKey"> = {
  kind: "api_key",
  shows: "ApiKey",
  from: apiKeys,
  accountId: apiKeys.accountId,
  id: apiKeys.id,
  prefixId: apiKeys.prefixId,
  attributes: {
    ...commonAttributes(apiKeys),
    account_user_id: reference(apiKeys.accountUserId, apiKeys.accountId, accountUsers),
    name: string(apiKeys.name),
    read_only: boolean(apiKeys.readOnly),
  },
  search: [apiKeys.name],
  total: "api_keys",
};

// ── Rules ──

const READ_ONLY = refuse("forbidden", "a read-only key can neither list nor create keys");

/** The keys an actor can access: all of the account for an admin (undefined), else their own. */
const scopeOf = ({ roles, accountUserId }: MemberActor): SQL | undefined =>
  roles.admin ? undefined : eq(apiKeys.accountUserId, accountUserId);

type Holder = Pick<MemberActor, "accountUserId" | "userId">;

/** The holder of the new key: the actor, or, for an admin, any active account user. */
async function findHolder(request: ApiRequest<CreateApiKey>): Promise<Holder | Refusal> {
  const { db, actor, body } = request;
  const sent = body.account_user_id;
  if (sent == null) return actor;
  const identifier = parseIdentifier("account_user", sent);
  const unknown = refuse(
    "invalid",
    `account_user_id: no such account user ${sent.slice(0, 64)}`,
    "account_user_id",
  );
  if (identifier === null) return unknown;
  const row = await statement(
    db,
    sql`select ${accountUsers.id} as id, ${accountUsers.userId} as user_id,
      ${accountUsers.state} as state from ${accountUsers}
      where ${accountUsers.accountId} = ${actor.accountId} and ${identified(accountUsers, identifier)}`,
  ).first<RawRow>();
  if (row?.id === actor.accountUserId) return actor;
  if (!actor.roles.admin)
    return refuse("forbidden", "creating keys for others needs the role admin");
  if (!row) return unknown;
  return row.state === "active"
    ? { accountUserId: String(row.id), userId: String(row.user_id) }
    : refuse(
        "invalid",
        "account_user_id has not accepted the invitation to this account yet",
        "account_user_id",
      );
}

// ── Routes ──

async function list(request: ApiRequest): Promise<Answer> {
  if (request.actor.readOnly) return READ_ONLY;
  const scope = scopeOf(request.actor);
  return listRecords(request, apiKeyRecords, scope ? { scope } : {});
}

async function get(request: ApiRequest): Promise<Answer> {
  const { db, actor } = request;
  if (actor.readOnly) return READ_ONLY;
  const identifier = pathIdentifier(request, "api_key");
  if (isRefusal(identifier)) return identifier;
  const record = await readRecord(db, apiKeyRecords, actor.accountId, identifier, scopeOf(actor));
  return isRefusal(record) ? record : found(record);
}

async function create(request: ApiRequest<CreateApiKey>): Promise<Answer> {
  const { db, env, actor, now, body, recordId } = request;
  const { accountId } = actor;
  const holder = await findHolder(request);
  if (isRefusal(holder)) return holder;
  const { accountUserId, userId } = holder;
  const { key, keyHash } = newApiKey();
  const row = {
    ...newIdentity("api_key", now, recordId),
    accountId,
    accountUserId,
    keyHash,
    name: body.name ?? "",
    readOnly: body.read_only ?? false,
    selfMade: isSelf(actor, holder),
    ...(body.meta && { meta: body.meta }),
  };
  const insert = build.insert(apiKeys).values(row);
  const identifier = { form: "id", value: row.id } as const;
  const detail = `${row.name || "without a name"}${row.readOnly ? " (read-only)" : ""}`;
  const context = { userId, accountId, byUserId: actor.userId };
  const notices = await securityNotices(env, context, [{ kind: "api_key", detail }], now);
  const writes = [...notices, insert];
  const record = await writeAndRead(db, writes, apiKeyRecords, accountId, identifier);
  return isRefusal(record) ? record : created<ApiKeyWithKey>({ ...record, key });
}

async function revoke(request: ApiRequest): Promise<Answer> {
  const { db, actor } = request;
  const identifier = pathIdentifier(request, "api_key");
  if (isRefusal(identifier)) return identifier;
  const matches = and(
    eq(apiKeys.accountId, actor.accountId),
    identified(apiKeys, identifier),
    scopeOf(actor),
  );
  const deletion = sql`delete from ${apiKeys} where ${matches} returning ${apiKeys.id} as id`;
  const revoked = await statement(db, deletion).first<RawRow>();
  if (!revoked) return notFound("api_key");
  forgetKeys((known) => known.credentialId === revoked.id);
  return nothing;
}

export const apiKeyRoutes: readonly DeclaredRoute[] = [
  route({
    method: "GET",
    path: "/api_keys",
    operation: "listApiKeys",
    summary: "List API keys",
    shows: many(apiKeyRecords),
    refuses: ["forbidden"],
    handle: list,
  }),
  route({
    method: "GET",
    path: "/api_keys/:id",
    operation: "getApiKey",
    summary: "Get an API key",
    shows: one(apiKeyRecords),
    refuses: ["forbidden"],
    handle: get,
  }),
  route({
    method: "POST",
    path: "/api_keys",
    operation: "createApiKey",
    summary: "Create an API key",
    shows: made(apiKeyRecords, "ApiKeyWithKey"),
    body: CreateApiKey,
    forbids: ({ actor, body }) => {
      const { account_user_id: named } = body as Readonly<Record<string, unknown>>;
      return typeof named === "string" && named !== ""
        ? refuseOthers("account_user", actor, named)
        : null;
    },
    keepsNoAnswer: true,
    handle: (request) => retryOnConflict(() => create(request)),
  }),
  route({
    method: "DELETE",
    path: "/api_keys/:id",
    operation: "revokeApiKey",
    summary: "Revoke an API key",
    shows: noBody,
    handle: revoke,
  }),
];
