// Rows of invitations: the hourly rate limit of an account, and the members who may be invited.
import { type SQL, sql } from "drizzle-orm";
import type { WelcomeEvent } from "../../domain/people/welcome.ts";
import { HOUR } from "../../domain/shared/time.ts";
import type { RawRow } from "../records/attributes.ts";
import { notifications } from "../schema/alerts.ts";
import { invitationSends } from "../schema/invitations.ts";
import { accountUsers, users } from "../schema/people.ts";
import { type Connection, statement } from "../shared/database.ts";

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
  const [, inserted, first] = await db.batch<RawRow>(
    [
      sql`delete from ${invitationSends} where ${invitationSends.accountId} = ${accountId}
        and ${invitationSends.sentAt} <= ${now - HOUR}`,
      sql`insert into ${invitationSends} (account_id, sent_at) select ${accountId}, ${now}
        where (select count(*) from ${recent(accountId, now)}) < ${most} returning sent_at`,
      sql`select min(${invitationSends.sentAt}) as at from ${recent(accountId, now)}`,
    ].map((query) => statement(db, query)),
  );
  if (inserted?.results.length === 1) return null;
  return Number(first?.results[0]?.at ?? now) + HOUR;
}

/** A member who may be invited. */
export type Invitee = {
  readonly id: string;
  readonly event: WelcomeEvent;
  /** Whether they have joined and signed in, so that an invitation is pointless. */
  readonly isIn: boolean;
  /** Whether a mail is already queued. */
  readonly isOnItsWay: boolean;
};

/** @param member the membership's id, as SQL */
export const selectInvitee = (member: SQL): SQL =>
  sql`select ${accountUsers.id} as id,
      iif(${accountUsers.state} = 'pending', 'user.invitation', 'user.password') as event,
      ${accountUsers.state} = 'active' and ${users.lastSignInAt} is not null as is_in,
      exists (select 1 from ${notifications} where ${notifications.id} = ${accountUsers.id}
        and ${notifications.status} = 'queued') as is_on_its_way
    from ${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}
    where ${accountUsers.id} = (${member})`;

export const toInvitee = (row: RawRow): Invitee => ({
  id: String(row.id),
  event: row.event as WelcomeEvent,
  isIn: row.is_in === 1,
  isOnItsWay: row.is_on_its_way === 1,
});

/** Deletes an earlier mail's finished notification: the next one has the same id. */
export const deleteFinishedWelcome = (accountUserId: string): SQL =>
  sql`delete from ${notifications} where ${notifications.id} = ${accountUserId}
    and ${notifications.status} <> 'queued'`;

/** When a member was invited (epoch ms); null = not yet. */
export const invitedAt = sql<number | null>`(select ${notifications.createdAt} from ${notifications}
  where ${notifications.id} = ${accountUsers.id})`;
