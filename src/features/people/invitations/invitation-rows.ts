// Rows of invitations: the hourly rate limit of an account, and the members who may be invited.
import { type SQL, sql } from "drizzle-orm";
import type { Welcome, WelcomeEvent } from "../../../domain/people/welcome.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { HOUR } from "../../../domain/shared/time.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { oneRecord } from "../../../kernel/db/records.ts";
import { batch, first, type RowOf, select, truth } from "../../../kernel/db/select.ts";
import { notifications } from "../../schema/alerts.ts";
import { invitationSends } from "../../schema/invitations.ts";
import { accounts, accountUsers, users } from "../../schema/people.ts";

const recent = (accountId: string, now: number) =>
  sql`${invitationSends} where ${invitationSends.accountId} = ${accountId}
    and ${invitationSends.sentAt} > ${now - HOUR}`;

/**
 * Counts an invitation against the account's hourly limit before it is sent, so that concurrent
 * requests cannot exceed the limit.
 *
 * @returns null, or when the next one may be sent (epoch ms)
 */
export async function reserveInvitation(
  db: Connection,
  accountId: string,
  most: number,
  now: number,
): Promise<number | null> {
  const [, inserted, [oldest]] = await batch(db, [
    sql`delete from ${invitationSends} where ${invitationSends.accountId} = ${accountId}
      and ${invitationSends.sentAt} <= ${now - HOUR}`,
    sql`insert into ${invitationSends} (account_id, sent_at) select ${accountId}, ${now}
      where (select count(*) from ${recent(accountId, now)}) < ${most} returning sent_at`,
    select(
      { at: sql<number | null>`min(${invitationSends.sentAt})` },
      sql`from ${recent(accountId, now)}`,
    ),
  ]);
  return inserted.length === 1 ? null : (oldest?.at ?? now) + HOUR;
}

/** For selects from `account_users`: a member's welcome mail, which has the membership's id. */
const isWelcome = sql`${notifications.accountId} = ${accountUsers.accountId}
  and ${notifications.accountUserId} = ${accountUsers.id} and ${notifications.id} = ${accountUsers.id}`;

/** Selects a member who may be invited. */
export const selectInvitee = (accountId: string, identifier: Identifier) =>
  select(
    {
      id: accountUsers.id,
      event: sql<WelcomeEvent>`iif(${accountUsers.state} = 'pending', 'user.invitation', 'user.password')`,
      /** Whether they have joined and signed in, so that an invitation is pointless. */
      isIn: truth(sql`(${accountUsers.state} = 'active' and ${users.lastSignInAt} is not null)`),
      /** Whether a mail is already queued. */
      isOnItsWay: truth(sql`exists (select 1 from ${notifications}
        where ${isWelcome} and ${notifications.status} = 'queued')`),
    },
    sql`from ${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}
      where ${oneRecord(accountUsers, accountId, identifier)}`,
  );

const invitationColumns = {
  /** The account's name. */
  account: accounts.name,
  state: accountUsers.state,
  email: sql<string>`coalesce(${accountUsers.invitedEmail}, '')`,
};

/** An invitation as its page shows it. */
export type Invitation = RowOf<typeof invitationColumns>;

/** Reads an invitation; null if it was denied or withdrawn. */
export const readInvitation = (
  db: Connection,
  accountId: string,
  accountUserId: string,
): Promise<Invitation | null> =>
  first(
    db,
    select(
      invitationColumns,
      sql`from ${accountUsers} join ${accounts} on ${accounts.id} = ${accountUsers.accountId}
        where ${accountUsers.id} = ${accountUserId} and ${accountUsers.accountId} = ${accountId}`,
    ),
  );

/** Deletes an earlier mail's finished notification: the next one has the same id. */
export const deleteFinishedWelcome = ({ accountId, accountUserId }: Welcome): SQL =>
  sql`delete from ${notifications} where ${notifications.accountId} = ${accountId}
    and ${notifications.accountUserId} = ${accountUserId} and ${notifications.id} = ${accountUserId}
    and ${notifications.status} <> 'queued'`;

/** When a member was invited (epoch ms); null = not yet. */
export const invitedAt = sql<number | null>`(select ${notifications.createdAt} from ${notifications}
  where ${isWelcome})`;
