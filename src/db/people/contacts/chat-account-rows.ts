// Rows of people's accounts in chat products: whose an account there is, and linking it.
import { type SQL, sql } from "drizzle-orm";
import type { ChatPerson, ChatProduct } from "../../../domain/people/chat.ts";
import { accountUsers, chatAccounts, users } from "../../schema/people.ts";
import type { Connection } from "../../shared/database.ts";
import { newIdentity } from "../../shared/identifiers.ts";
import { first, select, truth } from "../../shared/select.ts";

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

/** Selects the membership of a person in an account; no row if they are no active member. */
export const selectMembership = (accountId: string, userId: string) =>
  select(
    { accountUserId: accountUsers.id },
    sql`from ${accountUsers} where ${accountUsers.accountId} = ${accountId}
      and ${accountUsers.userId} = ${userId} and ${accountUsers.state} = 'active'`,
  );

/** Selects how many other accounts a member has linked. */
export const selectLinkedCount = (accountUserId: string, { workspaceId, userId }: ChatPerson) =>
  select(
    { count: sql<number>`count(*)` },
    sql`from ${chatAccounts} where ${chatAccounts.accountUserId} = ${accountUserId}
      and (${chatAccounts.workspaceId}, ${chatAccounts.chatUserId}) <> (${workspaceId}, ${userId})`,
  );

/** Selects whether an account is linked to another active member. */
export const selectTaken = (
  accountId: string,
  product: ChatProduct,
  { workspaceId, userId }: ChatPerson,
  accountUserId: string,
) =>
  select(
    { isTaken: truth(sql`1`) },
    sql`from ${chatAccounts}
      join ${accountUsers} on ${accountUsers.id} = ${chatAccounts.accountUserId}
      where ${isOf(accountId, product, workspaceId)} and ${chatAccounts.chatUserId} = ${userId}
        and ${chatAccounts.accountUserId} <> ${accountUserId} and ${accountUsers.state} = 'active'`,
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
