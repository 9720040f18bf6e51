// People's linked accounts in chat products: what a record shows.
import { commonAttributes, reference, string } from "../../records/attributes.ts";
import type { Records } from "../../records/records.ts";
import { accountUsers, chatAccounts } from "../../schema/people.ts";

export const chatAccountRecords: Records<"ChatAccount"> = {
  kind: "chat_account",
  shows: "ChatAccount",
  from: chatAccounts,
  accountId: chatAccounts.accountId,
  id: chatAccounts.id,
  prefixId: chatAccounts.prefixId,
  attributes: {
    ...commonAttributes(chatAccounts),
    account_user_id: reference(chatAccounts.accountUserId, chatAccounts.accountId, accountUsers),
    product: string(chatAccounts.product),
    workspace_id: string(chatAccounts.workspaceId),
    chat_user_id: string(chatAccounts.chatUserId),
    name: string(chatAccounts.name),
  },
  search: [chatAccounts.name],
};
