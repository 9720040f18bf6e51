// People's linked accounts in chat products: what a record shows.

import { reference, string } from "../../../kernel/db/attributes.ts";
import { plainAttributes } from "../../../kernel/db/plain-attributes.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { accountUsers, chatAccounts } from "../../schema/people.ts";

export const chatAccountRecords: Records<"ChatAccount"> = {
  kind: "chat_account",
  shows: "ChatAccount",
  from: chatAccounts,
  accountId: chatAccounts.accountId,
  id: chatAccounts.id,
  prefixId: chatAccounts.prefixId,
  attributes: {
    ...plainAttributes("ChatAccount", chatAccounts, []),
    account_user_id: reference(chatAccounts.accountUserId, chatAccounts.accountId, accountUsers),
    workspace_id: string(chatAccounts.workspaceId),
    chat_user_id: string(chatAccounts.chatUserId),
  },
  search: [chatAccounts.name],
};
