// Rows of email verification: rate limits of links, the content of the mail, and the verification.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { AddressMail } from "../../domain/access/access-mail.ts";
import { DAY, MINUTE } from "../../domain/shared/time.ts";
import type { RawRow } from "../records/attributes.ts";
import { accounts, emailLinkSends, userEmails, users } from "../schema/people.ts";
import { type Connection, statement } from "../shared/database.ts";
import { assertPrecondition, isPreconditionFailed, isTaken } from "../shared/precondition.ts";
import { settleProven } from "./contact-rows.ts";

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

export type AddressMailContent = {
  readonly userId: string;
  readonly name: string;
  readonly byName: string;
  readonly accountName: string;
  /** True if the address is already verified. */
  readonly isVerified: boolean;
};

/**
 * Reads the content of a verification mail; null if the address does not (yet) have this value, or
 * its link was not reserved.
 */
export async function readAddressMail(
  db: Connection,
  { accountId, emailId, email, byUserId, at }: AddressMail,
): Promise<AddressMailContent | null> {
  const query = sql`select ${userEmails.userId} as user_id, ${users.name} as name, asker.name as by_name,
      ${accounts.name} as account_name, ${userEmails.verifiedAt} as verified_at
    from ${userEmails} join ${users} on ${users.id} = ${userEmails.userId}
      join ${users} as asker on asker.id = ${byUserId}
      join ${accounts} on ${accounts.id} = ${accountId}
    where ${userEmails.id} = ${emailId} and ${userEmails.email} = ${email}
      and exists (select 1 from ${emailLinkSends} where ${emailLinkSends.email} = ${email}
        and ${emailLinkSends.sentAt} = ${at} and ${emailLinkSends.accountId} = ${accountId})`;
  const row = await statement(db, query).first<RawRow>();
  if (row === null) return null;
  return {
    userId: String(row.user_id),
    name: String(row.name),
    byName: String(row.by_name),
    accountName: String(row.account_name),
    isVerified: row.verified_at !== null,
  };
}

/** An address as found through a link. */
export type FoundEmail = {
  readonly email: string;
  readonly isVerified: boolean;
  /** Whether it becomes primary in every account once verified. */
  readonly isPrimary: boolean;
  /** Whether another person has verified it. */
  readonly isTaken: boolean;
};

/** Finds a person's address by its id; null if there is none. */
export async function findEmail(
  db: Connection,
  userId: string,
  emailId: string,
): Promise<FoundEmail | null> {
  const query = sql`select ${userEmails.email} as email, ${userEmails.verifiedAt} as verified_at,
      ${userEmails.primary} as is_primary,
      exists (select 1 from user_emails as other where other.email = ${userEmails.email}
        and other.verified_at is not null and other.user_id <> ${userId}) as is_taken
    from ${userEmails} where ${userEmails.id} = ${emailId} and ${userEmails.userId} = ${userId}`;
  const row = await statement(db, query).first<RawRow>();
  if (row === null) return null;
  return {
    email: String(row.email),
    isVerified: row.verified_at !== null,
    isPrimary: row.is_primary === 1,
    isTaken: row.is_taken === 1,
  };
}

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
    await db.batch(writes.map((write) => statement(db, write)));
    return true;
  } catch (error) {
    if (isTaken(error, userEmails) || isPreconditionFailed(error)) return false;
    throw error;
  }
}
