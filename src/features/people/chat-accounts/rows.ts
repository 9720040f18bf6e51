// People's linked accounts in chat products: what a record shows.
import { type SQL, sql } from "drizzle-orm";
import type { ChatPerson, ChatProduct } from "../../../domain/people/chat.ts";
import { reference, string } from "../../../kernel/db/attributes.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { plainAttributes } from "../../../kernel/db/plain-attributes.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { first, select, truth } from "../../../kernel/db/select.ts";
import { accountUsers, chatAccounts, users } from "../../schema/people.ts";

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

// Rows of people's accounts in chat products: whose an account there is, and linking it.

/** A member who has linked an account in a chat product. */
export type ChatMember = {
  readonly accountUserId: string;
  readonly name: string;
  readonly timeZone: string;
};

const isOf = (accountId: string, product: ChatProduct, workspaceId: string): SQL =>
  sql`${chatAccounts.accountId} = ${accountId} and ${chatAccounts.product} = ${product}
    and ${chatAccounts.workspaceId} = ${workspaceId}`;

/** Reads the active member who has linked an account; null if nobody has. */
export const readChatMember = (
  db: Connection,
  accountId: string,
  product: ChatProduct,
  { workspaceId, userId }: Pick<ChatPerson, "workspaceId" | "userId">,
): Promise<ChatMember | null> =>
  first(
    db,
    select(
      { accountUserId: accountUsers.id, name: users.name, timeZone: users.timeZone },
      sql`from ${chatAccounts}
        join ${accountUsers} on ${accountUsers.id} = ${chatAccounts.accountUserId}
          and ${accountUsers.accountId} = ${chatAccounts.accountId}
        join ${users} on ${users.id} = ${accountUsers.userId}
        where ${isOf(accountId, product, workspaceId)} and ${chatAccounts.chatUserId} = ${userId}
          and ${accountUsers.state} = 'active'`,
    ),
  );

/**
 * Selects the active membership to which a person may link an account, with whether another active
 * member has linked it, and how many others the person has linked; no row if they are no member.
 */
export const selectLinkable = (
  accountId: string,
  memberId: string,
  product: ChatProduct,
  { workspaceId, userId }: ChatPerson,
) =>
  select(
    {
      accountUserId: accountUsers.id,
      isTaken: truth(sql`exists (select 1 from ${chatAccounts}
        join ${accountUsers} as other on other.id = ${chatAccounts.accountUserId}
        where ${isOf(accountId, product, workspaceId)} and ${chatAccounts.chatUserId} = ${userId}
          and other.id <> ${accountUsers.id} and other.state = 'active')`),
      linkedCount: sql<number>`(select count(*) from ${chatAccounts}
        where ${chatAccounts.accountUserId} = ${accountUsers.id}
          and (${chatAccounts.workspaceId}, ${chatAccounts.chatUserId}) <> (${workspaceId}, ${userId}))`,
    },
    sql`from ${accountUsers} where ${accountUsers.accountId} = ${accountId}
      and ${accountUsers.userId} = ${memberId} and ${accountUsers.state} = 'active'`,
  );

/** Links an account to a member; replaces the link to somebody who is no active member. */
export function putChatAccount(
  accountId: string,
  accountUserId: string,
  product: ChatProduct,
  { workspaceId, userId, name }: ChatPerson,
  now: number,
): SQL {
  const { id, prefixId } = newIdentity("chat_account", now);
  return sql`insert into ${chatAccounts} (id, prefix_id, created_at, updated_at, account_id,
      account_user_id, product, workspace_id, chat_user_id, name)
    values (${id}, ${prefixId}, ${now}, ${now}, ${accountId}, ${accountUserId}, ${product},
      ${workspaceId}, ${userId}, ${name})
    on conflict (account_id, product, workspace_id, chat_user_id) do update
      set account_user_id = excluded.account_user_id, name = excluded.name,
        updated_at = excluded.updated_at
      where chat_accounts.account_user_id = excluded.account_user_id
        or not exists (select 1 from ${accountUsers}
          where ${accountUsers.id} = chat_accounts.account_user_id
            and ${accountUsers.state} = 'active')`;
}
