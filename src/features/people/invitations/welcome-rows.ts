// Rows of the mail to a new member: inserted in the batch that adds the member, read and finished
// by the consumer. Passwords are stored only as hashes.
import { type SQL, sql } from "drizzle-orm";
import type { Welcome, WelcomeEvent } from "../../../domain/people/welcome.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { batch, type RowOf, returning, select, truth } from "../../../kernel/db/select.ts";
import { notifications } from "../../schema/alerts.ts";
import { accounts, accountUsers, userEmails, users } from "../../schema/people.ts";
import { isUnclaimed, LEASE_MS } from "../channels/attempt-rows.ts";

/** Inserts the mail's notification, to the member's address at this position of the batch. */
export function insertWelcome(
  { accountId, accountUserId }: Welcome,
  event: WelcomeEvent,
  now: number,
): SQL {
  return sql`insert into ${notifications} (account_id, account_user_id, id, created_at, updated_at, effect,
      channel, "to", event, status)
    select ${accountId}, ${accountUserId}, ${accountUserId}, ${now}, ${now}, ${accountUserId},
      'email', coalesce(${accountUsers.invitedEmail}, (select ${userEmails.email} from ${userEmails}
        where ${userEmails.userId} = ${accountUsers.userId} and ${userEmails.verifiedAt} is not null
        order by ${userEmails.primary} desc limit 1)),
      ${event}, 'queued'
    from ${accountUsers} where ${accountUsers.id} = ${accountUserId}`;
}

/** The condition of a member's mail: its id is the membership's. */
const isMailOf = ({ accountId, accountUserId }: Welcome): SQL =>
  sql`${notifications.accountId} = ${accountId}
    and ${notifications.accountUserId} = ${accountUserId} and ${notifications.id} = ${accountUserId}`;

const claim = (welcome: Welcome, now: number) =>
  returning(
    sql`update ${notifications}
    set claimed_until = ${now + LEASE_MS}, attempts = attempts + 1, reason = null, updated_at = ${now}
    where ${isMailOf(welcome)} and ${isUnclaimed(now)}`,
    { id: notifications.id },
  );

const mailColumns = {
  event: sql<WelcomeEvent>`${notifications.event}`,
  status: notifications.status,
  to: sql<string>`coalesce(${notifications.to}, '')`,
  attempts: notifications.attempts,
  createdAt: notifications.createdAt,
  /** Whether it is still needed: not once the person is gone, has approved or has signed in. */
  isWanted: truth(sql`case ${notifications.event}
    when 'user.invitation' then ${accountUsers.state} = 'pending'
    else ${users.passwordExpired} and ${users.lastSignInAt} is null end`),
  /** Empty once the person is gone. */
  userId: sql<string>`coalesce(${users.id}, '')`,
  name: sql<string>`coalesce(${accountUsers.invitedName}, ${users.name}, '')`,
  accountName: sql<string>`coalesce(${accounts.name}, '')`,
};

export type WelcomeMail = RowOf<typeof mailColumns> & {
  /** Whether this consumer has claimed it. */
  readonly isClaimed: boolean;
};

/** Claims the mail unless it is claimed already, and reads its content; null if there is none. */
export async function claimWelcome(
  db: Connection,
  welcome: Welcome,
  now: number,
): Promise<WelcomeMail | null> {
  const [claimed, [mail]] = await batch(db, [
    claim(welcome, now),
    select(
      mailColumns,
      sql`from ${notifications}
        left join ${accountUsers} on ${accountUsers.id} = ${notifications.accountUserId}
        left join ${users} on ${users.id} = ${accountUsers.userId}
        left join ${accounts} on ${accounts.id} = ${notifications.accountId}
      where ${isMailOf(welcome)}`,
    ),
  ]);
  return mail ? { ...mail, isClaimed: claimed.length === 1 } : null;
}

/**
 * Stores a first password, to be replaced at the first sign-in; never replaces a user-chosen one.
 *
 * @param until when it expires (epoch ms)
 */
export function storeFirstPassword(userId: string, passwordHash: string, until: number): SQL {
  return sql`update ${users} set password_hash = ${passwordHash}, first_password_until = ${until}
    where ${users.id} = ${userId} and ${users.passwordExpired} and ${users.lastSignInAt} is null`;
}

/** Skips a claimed mail that is no longer needed. */
export function skipWelcome(welcome: Welcome, reason: string, now: number): SQL {
  return sql`update ${notifications} set status = 'skipped', reason = ${reason}, claimed_until = null,
    updated_at = ${now} where ${isMailOf(welcome)} and ${notifications.status} = 'queued'`;
}
