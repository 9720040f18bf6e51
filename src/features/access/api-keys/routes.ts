// The routes of API keys (contract 1, Auth). A read-only key cannot list or create keys: it could
// create one with more access.
import { refuse } from "../../../domain/shared/refusal.ts";
import { created, deleted, found } from "../../../kernel/http/answers.ts";
import { refuseOthers } from "../../../kernel/http/own-record.ts";
import { listRecords, onRecord, readRecord } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { made, many, noBody, one } from "../../../kernel/http/shown.ts";
import { apiKeyRecords } from "./api-key-records.ts";
import { keyScope } from "./key-scope.ts";
import { CreateApiKey } from "./parameters.ts";
import { createApiKey, revokeApiKey } from "./verbs.ts";

const READ_ONLY = refuse("forbidden", "a read-only key can neither list nor create keys");

const getKey = onRecord("api_key", async ({ db, actor }, identifier) =>
  found(await readRecord(db, apiKeyRecords, actor.accountId, identifier, keyScope(actor))),
);

export const apiKeyRoutes = [
  route({
    method: "GET",
    path: "/api_keys",
    operation: "listApiKeys",
    allow: "everyone",
    summary: "List API keys",
    shows: many(apiKeyRecords),
    refuses: ["forbidden"],
    handle: async (request) => {
      if (request.actor.readOnly) return READ_ONLY;
      const scope = keyScope(request.actor);
      return listRecords(request, apiKeyRecords, scope ? { scope } : {});
    },
  }),
  route({
    method: "GET",
    path: "/api_keys/:id",
    operation: "getApiKey",
    allow: "everyone",
    summary: "Get an API key",
    shows: one(apiKeyRecords),
    refuses: ["forbidden"],
    handle: async (request) => (request.actor.readOnly ? READ_ONLY : getKey(request)),
  }),
  route({
    method: "POST",
    path: "/api_keys",
    operation: "createApiKey",
    allow: "everyone",
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
    handle: async (request) => created(await createApiKey(request, request.recordId, request.body)),
  }),
  route({
    method: "DELETE",
    path: "/api_keys/:id",
    operation: "revokeApiKey",
    allow: "everyone",
    summary: "Revoke an API key",
    shows: noBody,
    handle: onRecord("api_key", async (request, identifier) =>
      deleted(await revokeApiKey(request, identifier)),
    ),
  }),
];
