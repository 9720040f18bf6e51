// Rows of the mail to a new member: inserted in the batch that adds the member, read and finished
// by the consumer. Passwords are stored only as hashes.
import { type SQL, sql } from "drizzle-orm";
import type { Welcome, WelcomeEvent } from "../../domain/people/welcome.ts";
import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import { claim } from "../alerts/notification-rows.ts";
import type { RawRow } from "../records/attributes.ts";
import { notifications } from "../schema/alerts.ts";
import { accounts, accountUsers, userEmails, users } from "../schema/people.ts";
import { type Connection, statement } from "../shared/database.ts";

/** Inserts the mail's notification, to the member's address at this position of the batch. */
export function insertWelcome(
  { accountId, accountUserId }: Welcome,
  event: WelcomeEvent,
  now: number,
): SQL {
  const prefixId = prefixIdOf("notification", accountUserId);
  return sql`insert into ${notifications} (id, prefix_id, account_id, created_at, updated_at, effect_id,
      account_user_id, channel, "to", event, status)
    select ${accountUserId}, ${prefixId}, ${accountId}, ${now}, ${now}, ${accountUserId}, ${accountUserId},
      'email', coalesce(${accountUsers.invitedEmail}, (select ${userEmails.email} from ${userEmails}
        where ${userEmails.userId} = ${accountUsers.userId} and ${userEmails.verifiedAt} is not null
        order by ${userEmails.primary} desc limit 1)),
      ${event}, 'queued'
    from ${accountUsers} where ${accountUsers.id} = ${accountUserId}`;
}

export type WelcomeMail = {
  readonly event: WelcomeEvent;
  readonly status: string;
  readonly to: string;
  readonly attempts: number;
  readonly createdAt: number;
  /** Whether this consumer has claimed it. */
  readonly isClaimed: boolean;
  /** Whether it is still needed: not once the person is gone, has approved or has signed in. */
  readonly isWanted: boolean;
  readonly userId: string;
  readonly name: string;
  readonly accountName: string;
};

/** Claims the mail unless it is claimed already, and reads its content; null if there is none. */
export async function claimWelcome(
  db: Connection,
  { accountId, accountUserId }: Welcome,
  now: number,
): Promise<WelcomeMail | null> {
  const [claimed, found] = await db.batch<RawRow>([
    statement(db, claim([accountUserId], now)),
    statement(
      db,
      sql`select ${notifications.event} as event, ${notifications.status} as status,
        ${notifications.to} as "to", ${notifications.attempts} as attempts,
        ${notifications.createdAt} as created_at, ${users.id} as user_id, ${accounts.name} as account_name,
        coalesce(${accountUsers.invitedName}, ${users.name}) as name,
        case ${notifications.event} when 'user.invitation' then ${accountUsers.state} = 'pending'
          else ${users.passwordExpired} and ${users.lastSignInAt} is null end as is_wanted
      from ${notifications}
        left join ${accountUsers} on ${accountUsers.id} = ${notifications.accountUserId}
        left join ${users} on ${users.id} = ${accountUsers.userId}
        left join ${accounts} on ${accounts.id} = ${notifications.accountId}
      where ${notifications.id} = ${accountUserId} and ${notifications.accountId} = ${accountId}`,
    ),
  ]);
  const row = found?.results[0];
  if (!row) return null;
  return {
    event: row.event as WelcomeEvent,
    status: String(row.status),
    to: String(row.to ?? ""),
    attempts: Number(row.attempts),
    createdAt: Number(row.created_at),
    isClaimed: claimed?.results.length === 1,
    isWanted: row.is_wanted === 1,
    userId: String(row.user_id),
    name: String(row.name ?? ""),
    accountName: String(row.account_name ?? ""),
  };
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
export function skipWelcome(id: string, reason: string, now: number): SQL {
  return sql`update ${notifications} set status = 'skipped', reason = ${reason}, claimed_until = null,
    updated_at = ${now} where ${notifications.id} = ${id} and ${notifications.status} = 'queued'`;
}
