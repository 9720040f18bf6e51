// Rows of an erasure: ended memberships, who is due, the known data of a person, and what is erased
// by an identifier.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { FORMER_MEMBER, type PersonTraces } from "../../../domain/shared/anonymize.ts";
import { parsed, type RowOf, select, truth } from "../../../kernel/db/select.ts";
import { deleteAttemptsOf } from "../../access/sessions/sign-in-rows.ts";
import { isProven } from "../../people/contacts/contact-rows.ts";
import { notifications } from "../../schema/alerts.ts";
import { comments } from "../../schema/messages.ts";
import {
  accountUsers,
  emailLinkSends,
  phoneCodeSends,
  userEmails,
  userPhones,
  users,
} from "../../schema/people.ts";
import { removedMembers } from "../../schema/removed-members.ts";

/** A requested erasure applies to a removal within this time (ms). */
const REQUEST_LIVES_MS = 600_000;

const removedColumns = {
  accountUserId: removedMembers.accountUserId,
  accountId: removedMembers.accountId,
  /** Set once the membership has ended. */
  userId: sql<string>`${removedMembers.userId}`,
  /** Progress as JSON; null before it begins. */
  progress: removedMembers.progress,
};

export type ErasableMember = RowOf<typeof removedColumns>;

const hasMembership = sql`exists (select 1 from ${accountUsers}
  where ${accountUsers.userId} = ${removedMembers.userId})`;

/**
 * Selects the first ended membership due for erasure: requested ones, and those of people without
 * any membership since `before` (epoch ms).
 *
 * @param userId only this person's; null = anyone's
 * @param except ids of memberships to leave out
 */
export const selectDue = (before: number, userId: string | null, except: readonly string[]) =>
  select(
    removedColumns,
    sql`from ${removedMembers}
    where ${removedMembers.removedAt} is not null
      and (${userId} is null or ${removedMembers.userId} = ${userId})
      and ${removedMembers.accountUserId} not in (select value from json_each(${JSON.stringify(except)}))
      and ((${removedMembers.requestedAt} is not null
          and ${removedMembers.removedAt} <= ${removedMembers.requestedAt} + ${REQUEST_LIVES_MS}
          and not exists (select 1 from ${accountUsers}
            where ${accountUsers.accountId} = ${removedMembers.accountId}
              and ${accountUsers.userId} = ${removedMembers.userId}))
        or (not ${hasMembership} and (select max(latest.removed_at) from ${removedMembers} as latest
          where latest.user_id = ${removedMembers.userId}) < ${before}))
    order by ${removedMembers.removedAt} limit 1`,
  );

/** Requests the erasure of a membership's traces: when it ends, or now if it has ended. */
export function requestErasure(accountId: string, accountUserId: string, now: number): SQL {
  return sql`insert into ${removedMembers} (account_user_id, account_id, requested_at)
    values (${accountUserId}, ${accountId}, ${now})
    on conflict (account_user_id) do update set requested_at = excluded.requested_at
      where ${removedMembers.accountId} = ${accountId}`;
}

/** Selects the memberships of an account, and ended ones that are not erased yet. */
export const selectMembers = (accountId: string) =>
  select(
    { id: accountUsers.id, userId: accountUsers.userId, isMember: truth(sql`1`) },
    sql`from ${accountUsers} where ${accountUsers.accountId} = ${accountId}
    union all select ${removedMembers.accountUserId}, ${removedMembers.userId}, 0
      from ${removedMembers} where ${removedMembers.accountId} = ${accountId}
        and ${removedMembers.removedAt} is not null`,
  );

const listOf = (column: SQLWrapper, table: typeof userEmails | typeof userPhones) =>
  parsed<readonly string[]>(sql`(select json_group_array(${column}) from ${table}
    where ${table.userId} = ${users.id})`);

/** Selects a person's known data; the name only if no other member has the same one. */
export const selectTraces = ({ accountId, userId }: ErasableMember) =>
  select(
    {
      name: sql<string>`iif(exists (select 1 from ${accountUsers} join ${users} as other
          on other.id = ${accountUsers.userId}
        where ${accountUsers.accountId} = ${accountId} and other.id <> ${users.id}
          and lower(other.name) = lower(${users.name})), '', ${users.name})`,
      emails: listOf(userEmails.email, userEmails),
      emailIds: listOf(userEmails.id, userEmails),
      phones: listOf(userPhones.phone, userPhones),
    },
    sql`from ${users} where ${users.id} = ${userId}`,
  );

export const saveProgress = (accountUserId: string, progress: string): SQL =>
  sql`update ${removedMembers} set progress = ${progress}
    where ${removedMembers.accountUserId} = ${accountUserId}`;

/** The statements that erase data identified by the membership's id or the person's addresses. */
export function eraseById({ accountId, accountUserId, addresses }: PersonTraces): SQLWrapper[] {
  const memberAddresses = sql`(select value from json_each(${JSON.stringify(addresses)}))`;
  return [
    sql`update ${comments} set created_by_name = ${FORMER_MEMBER}
      where ${comments.accountId} = ${accountId} and ${comments.accountUserId} = ${accountUserId}`,
    sql`update ${notifications} set "to" = null
      where ${notifications.accountId} = ${accountId}
        and ${notifications.accountUserId} = ${accountUserId} and "to" is not null`,
    sql`delete from ${emailLinkSends} where ${emailLinkSends.accountId} = ${accountId}
      and ${emailLinkSends.email} in ${memberAddresses}`,
    sql`delete from ${phoneCodeSends} where ${phoneCodeSends.accountId} = ${accountId}
      and ${phoneCodeSends.phone} in ${memberAddresses}`,
  ];
}

/** Contacts that only this account used. Deleted last: the search for traces needs them. */
const deleteUnproven = ({ accountId, userId }: ErasableMember): SQL[] =>
  [userEmails, userPhones].map(
    (table) => sql`delete from ${table} where ${table.userId} = ${userId}
      and ${table.accountId} = ${accountId} and not ${isProven(table)}`,
  );

/**
 * Finishes the erasure of a membership. A person without other memberships, and without traces in
 * other accounts, is deleted with their sign-in attempts; remaining traces become due.
 */
export function finishErasure(
  member: ErasableMember,
  emails: readonly string[],
  now: number,
): SQLWrapper[] {
  const { accountUserId, userId } = member;
  const isAlone = sql`not exists (select 1 from ${accountUsers} where ${accountUsers.userId} = ${userId})`;
  return [
    sql`delete from ${removedMembers} where ${removedMembers.accountUserId} = ${accountUserId}`,
    ...deleteUnproven(member),
    sql`update ${removedMembers} set requested_at = ${now}
      where ${removedMembers.userId} = ${userId} and ${isAlone}`,
    sql`delete from ${users} where ${users.id} = ${userId} and ${isAlone}
      and not exists (select 1 from ${removedMembers} where ${removedMembers.userId} = ${userId})`,
    sql`${deleteAttemptsOf(userId, emails)}
      and not exists (select 1 from ${users} where ${users.id} = ${userId})`,
  ];
}
