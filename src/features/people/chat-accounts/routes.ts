// The routes of people's linked accounts in chat products. Each person manages only their own; one is
// linked by a signed link that the person follows while signed in.
import { deleted, found } from "../../../kernel/http/answers.ts";
import { listRecords, onRecord, readRecord } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { many, noBody, one } from "../../../kernel/http/shown.ts";
import { chatAccountScope } from "./chat-account-scope.ts";
import { chatAccountRecords } from "./rows.ts";
import { deleteChatAccount } from "./verbs.ts";

export const chatAccountRoutes = [
  route({
    method: "GET",
    path: "/chat_accounts",
    operation: "listChatAccounts",
    allow: "everyone",
    summary: "List your chat accounts",
    shows: many(chatAccountRecords),
    handle: (request) =>
      listRecords(request, chatAccountRecords, { scope: chatAccountScope(request.actor) }),
  }),
  route({
    method: "GET",
    path: "/chat_accounts/:id",
    operation: "getChatAccount",
    allow: "everyone",
    summary: "Get a chat account",
    shows: one(chatAccountRecords),
    handle: onRecord("chat_account", async ({ db, actor }, identifier) => {
      const scope = chatAccountScope(actor);
      const records = chatAccountRecords;
      return found(await readRecord(db, records, actor.accountId, identifier, scope));
    }),
  }),
  route({
    method: "DELETE",
    path: "/chat_accounts/:id",
    operation: "deleteChatAccount",
    allow: "everyone",
    summary: "Unlink a chat account",
    description: "What is done with the account in the chat product is no longer done as you.",
    shows: noBody,
    handle: onRecord("chat_account", async (request, identifier) =>
      deleted(await deleteChatAccount(request, identifier)),
    ),
  }),
];
