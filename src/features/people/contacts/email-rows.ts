// Rows of email verification: rate limits of links, the content of the mail, and the verification.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { AddressMail } from "../../../domain/access/access-mail.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { DAY, MINUTE } from "../../../domain/shared/time.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { identified } from "../../../kernel/db/identified.ts";
import {
  assertPrecondition,
  isPreconditionFailed,
  isTaken,
} from "../../../kernel/db/precondition.ts";
import { batch, first, type RowOf, select, truth } from "../../../kernel/db/select.ts";
import { accounts, accountUsers, emailLinkSends, userEmails, users } from "../../schema/people.ts";
import { isSeenBy, settleProven } from "./contact-rows.ts";

/** Limits of links: the pause between two to an address, and per day by address and account. */
export const LINK_INTERVAL_MS = MINUTE / 2;
export const MAX_LINKS_PER_ADDRESS = 5;
const MAX_LINKS_PER_ACCOUNT = 100;

export const deleteOldLinkSends = (accountId: string, now: number): SQL =>
  sql`delete from ${emailLinkSends} where account_id = ${accountId} and sent_at <= ${now - DAY}`;

/** Reserves links to be sent; makes no row for an address, or an account, over its limit. */
export const reserveLinkSends = (accountId: string, emails: readonly string[], now: number): SQL =>
  sql`insert into ${emailLinkSends} (account_id, email, sent_at)
    select ${accountId}, given.value, ${now} from json_each(${JSON.stringify(emails)}) as given
    where (select count(*) from ${emailLinkSends} where email = given.value
        and sent_at > ${now - DAY}) < ${MAX_LINKS_PER_ADDRESS}
      and not exists (select 1 from ${emailLinkSends} where email = given.value
        and sent_at > ${now - LINK_INTERVAL_MS})
      and (select count(*) from ${emailLinkSends} where account_id = ${accountId}
        and sent_at > ${now - DAY}) < ${MAX_LINKS_PER_ACCOUNT}
    returning email`;

const mailContent = {
  userId: userEmails.userId,
  name: users.name,
  byName: sql<string>`asker.name`,
  accountName: accounts.name,
  /** Whether the address is already verified. */
  isVerified: truth(sql`${userEmails.verifiedAt} is not null`),
};

export type AddressMailContent = RowOf<typeof mailContent>;

/**
 * Reads the content of a verification mail; null if the address does not (yet) have this value, or
 * its link was not reserved.
 */
export const readAddressMail = (
  db: Connection,
  { accountId, emailId, email, byUserId, at }: AddressMail,
): Promise<AddressMailContent | null> =>
  first(
    db,
    select(
      mailContent,
      sql`from ${userEmails} join ${users} on ${users.id} = ${userEmails.userId}
          join ${users} as asker on asker.id = ${byUserId}
          join ${accounts} on ${accounts.id} = ${accountId}
        where ${userEmails.id} = ${emailId} and ${userEmails.email} = ${email}
          and exists (select 1 from ${emailLinkSends} where ${emailLinkSends.email} = ${email}
            and ${emailLinkSends.sentAt} = ${at} and ${emailLinkSends.accountId} = ${accountId})`,
    ),
  );

const foundColumns = (userId: string) => ({
  email: userEmails.email,
  isVerified: truth(sql`${userEmails.verifiedAt} is not null`),
  /** Whether it becomes primary in every account once verified. */
  isPrimary: userEmails.primary,
  /** Whether another person has verified it. */
  isTaken: truth(sql`exists (select 1 from user_emails as other
    where other.email = ${userEmails.email} and other.verified_at is not null
      and other.user_id <> ${userId})`),
});

/** An address as found through a link. */
export type FoundEmail = RowOf<ReturnType<typeof foundColumns>>;

/** Finds a person's address by its id; null if there is none. */
export const findEmail = (
  db: Connection,
  userId: string,
  emailId: string,
): Promise<FoundEmail | null> =>
  first(
    db,
    select(
      foundColumns(userId),
      sql`from ${userEmails} where ${userEmails.id} = ${emailId} and ${userEmails.userId} = ${userId}`,
    ),
  );

const matches = (accountId: string, identifier: Identifier) =>
  sql`${identified(userEmails, identifier)} and ${userEmails.userId} in
    (select user_id from account_users where account_id = ${accountId})
    and ${isSeenBy(userEmails, sql`${accountId}`)}`;

/** The condition on the membership of an address's owner, if the account sees the address. */
export const ownsEmail = (accountId: string, identifier: Identifier): SQL =>
  sql`${accountUsers.accountId} = ${accountId} and ${accountUsers.userId} =
    (select ${userEmails.userId} from ${userEmails} where ${matches(accountId, identifier)})`;

/** Selects an address that the account sees, as a write reads it. */
export const selectStoredEmail = (accountId: string, identifier: Identifier) =>
  select(
    {
      id: userEmails.id,
      email: userEmails.email,
      isVerified: truth(sql`${userEmails.verifiedAt} is not null`),
      isBlocked: truth(sql`${userEmails.blockedAt} is not null`),
    },
    sql`from ${userEmails} where ${matches(accountId, identifier)}`,
  );

/**
 * Marks an address as verified; false if another person was first, or its value was changed.
 *
 * @param before writes that go first in the same batch
 */
export async function verifyEmail(
  db: Connection,
  { userId, emailId, email }: { userId: string; emailId: string; email: string },
  now: number,
  before: readonly SQLWrapper[] = [],
): Promise<boolean> {
  const verify = sql`update ${userEmails} set verified_at = coalesce(verified_at, ${now}), updated_at = ${now}
    where id = ${emailId} and user_id = ${userId} and email = ${email}`;
  const isVerified =
    assertPrecondition(sql`exists (select 1 from ${userEmails} where id = ${emailId}
    and user_id = ${userId} and email = ${email})`);
  try {
    const writes = [...before, verify, isVerified, ...settleProven(userEmails, userId, emailId)];
    await batch(db, writes);
    return true;
  } catch (error) {
    if (isTaken(error, userEmails) || isPreconditionFailed(error)) return false;
    throw error;
  }
}
