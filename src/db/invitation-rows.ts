// The rows of invitations: how many an account sent in the last hour, and to whom one may be sent.
import { type SQL, sql } from "drizzle-orm";
import { HOUR } from "../domain/time.ts";
import type { WelcomeEvent } from "../domain/welcome.ts";
import type { RawRow } from "./attributes.ts";
import { type Connection, statement } from "./database.ts";
import { notifications } from "./schema/alerts.ts";
import { invitationSends } from "./schema/invitations.ts";
import { accountUsers, users } from "./schema/people.ts";

const recent = (accountId: string, now: number) =>
  sql`${invitationSends} where ${invitationSends.accountId} = ${accountId}
    and ${invitationSends.sentAt} > ${now - HOUR}`;

/**
 * Counts an invitation where the account has one left in this hour; counted before it is sent, invitations side by side
 * are not more.
 *
 * @returns null, or when the next one may be sent (epoch ms)
 */
export async function takeInvitation(
  db: Connection,
  accountId: string,
  most: number,
  now: number,
): Promise<number | null> {
  const [, taken, first] = await db.batch<RawRow>(
    [
      sql`delete from ${invitationSends} where ${invitationSends.accountId} = ${accountId}
        and ${invitationSends.sentAt} <= ${now - HOUR}`,
      sql`insert into ${invitationSends} (account_id, sent_at) select ${accountId}, ${now}
        where (select count(*) from ${recent(accountId, now)}) < ${most} returning sent_at`,
      sql`select min(${invitationSends.sentAt}) as at from ${recent(accountId, now)}`,
    ].map((query) => statement(db, query)),
  );
  if (taken?.results.length === 1) return null;
  return Number(first?.results[0]?.at ?? now) + HOUR;
}

/** A member who may be invited. */
export type Invitee = {
  readonly id: string;
  readonly event: WelcomeEvent;
  /** Whether they are in: an invitation has nothing to tell them. */
  readonly isIn: boolean;
  /** Whether a mail is on its way already. */
  readonly isOnItsWay: boolean;
};

/** @param member the id of the membership, as SQL */
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

/** Makes room for another mail to the same member: its notification has the membership's own id. */
export const deletePastWelcome = (accountUserId: string): SQL =>
  sql`delete from ${notifications} where ${notifications.id} = ${accountUserId}
    and ${notifications.status} <> 'queued'`;

/** When a member was invited (epoch ms); null = not yet. */
export const invitedAt = sql<number | null>`(select ${notifications.createdAt} from ${notifications}
  where ${notifications.id} = ${accountUsers.id})`;
