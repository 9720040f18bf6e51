// The rows of the mail that a new member gets: made in the batch that adds them, read and ended by the consumer. No
// password is ever among them, only the hash of one.
import { type SQL, sql } from "drizzle-orm";
import { prefixIdOf } from "../domain/identifiers.ts";
import type { Welcome, WelcomeEvent } from "../domain/welcome.ts";
import type { RawRow } from "./attributes.ts";
import { type Connection, statement } from "./database.ts";
import { claim } from "./notification-rows.ts";
import { notifications } from "./schema/alerts.ts";
import { accounts, accountUsers, userEmails, users } from "./schema/people.ts";

/** The mail's notification, to the address that the membership has at this place of the batch. */
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
  /** True when this consumer has it in hand now. */
  readonly isClaimed: boolean;
  /** Whether there is still something to tell: not once the person is gone, has approved or has signed in. */
  readonly isWanted: boolean;
  readonly userId: string;
  readonly name: string;
  readonly accountName: string;
};

/** Takes the mail in hand, unless somebody has it, and reads what it says; null when there is none. */
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
 * The first sign-in asks for another password; one that was chosen by its owner is never replaced.
 *
 * @param until when it ends (epoch ms)
 */
export function keepFirstPassword(userId: string, passwordHash: string, until: number): SQL {
  return sql`update ${users} set password_hash = ${passwordHash}, first_password_until = ${until}
    where ${users.id} = ${userId} and ${users.passwordExpired} and ${users.lastSignInAt} is null`;
}

/** Ends a mail that is in hand: there is nothing to tell. */
export function skipWelcome(id: string, reason: string, now: number): SQL {
  return sql`update ${notifications} set status = 'skipped', reason = ${reason}, claimed_until = null,
    updated_at = ${now} where ${notifications.id} = ${id} and ${notifications.status} = 'queued'`;
}
