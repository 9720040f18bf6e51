// Rows of the confirmation of a telephone number by a code (contract 6, Phones). Codes are stored as
// hashes and limited per day: they are the only use of an unconfirmed number, and must not be a way
// to call strangers.
import { type SQL, sql } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { DAY, MINUTE } from "../../../domain/shared/time.ts";
import { identified } from "../../../kernel/db/identified.ts";
import { type RowOf, returning, select, truth } from "../../../kernel/db/select.ts";
import { accountUsers, phoneCodeSends, userPhones } from "../../schema/people.ts";
import { isProven, isSeenBy } from "./contact-rows.ts";

/** The validity of a code, and its attempts. */
export const CODE_MS = 10 * MINUTE;
export const MAX_CODE_ATTEMPTS = 5;

/** Limits of codes: the pause between two to a number, and per day by number and account. */
export const CODE_INTERVAL_MS = MINUTE / 2;
export const MAX_CODES_PER_NUMBER = 5;
const MAX_CODES_PER_ACCOUNT = 100;

const matches = (accountId: string, identifier: Identifier) =>
  sql`${identified(userPhones, identifier)} and ${userPhones.userId} in
    (select user_id from account_users where account_id = ${accountId})
    and ${isSeenBy(userPhones, sql`${accountId}`)}`;

/** The condition on the membership of a number's owner, if the account sees the number. */
export const ownsPhone = (accountId: string, identifier: Identifier): SQL =>
  sql`${accountUsers.accountId} = ${accountId} and ${accountUsers.userId} =
    (select ${userPhones.userId} from ${userPhones} where ${matches(accountId, identifier)})`;

const storedColumns = {
  id: userPhones.id,
  number: userPhones.phone,
  method: userPhones.confirmationMethod,
  blocked: userPhones.blocked,
  isConfirmed: truth(sql`${userPhones.confirmedAt} is not null`),
  /** Whether the person confirmed it themself. */
  isProven: truth(isProven(userPhones)),
};

/** A number as its confirmation reads it. */
export type StoredPhone = RowOf<typeof storedColumns>;

/** Selects a number that the account sees. */
export const selectStoredPhone = (accountId: string, identifier: Identifier) =>
  select(storedColumns, sql`from ${userPhones} where ${matches(accountId, identifier)}`);

export const deleteOldCodeSends = (accountId: string, now: number): SQL =>
  sql`delete from ${phoneCodeSends} where account_id = ${accountId} and sent_at <= ${now - DAY}`;

/**
 * Counts a code before it is sent; returns no row when the number or the account is over its limit.
 */
export const reserveCodeSend = (accountId: string, number: string, now: number): SQL =>
  sql`insert into ${phoneCodeSends} (account_id, phone, sent_at)
    select ${accountId}, ${number}, ${now}
    where (select count(*) from ${phoneCodeSends} where phone = ${number} and sent_at > ${now - DAY})
        < ${MAX_CODES_PER_NUMBER}
      and not exists (select 1 from ${phoneCodeSends}
        where phone = ${number} and sent_at > ${now - CODE_INTERVAL_MS})
      and (select count(*) from ${phoneCodeSends}
        where account_id = ${accountId} and sent_at > ${now - DAY}) < ${MAX_CODES_PER_ACCOUNT}
    returning sent_at`;

/** Stores the hash of a new code, which replaces the earlier one. */
export const storeCode = (phoneId: string, codeHash: string, now: number): SQL =>
  sql`update ${userPhones}
    set code_hash = ${codeHash}, code_sent_at = ${now}, code_attempts = 0, updated_at = ${now}
    where id = ${phoneId} and not ${isProven(userPhones)}`;

/**
 * Counts an attempt before the comparison, so that concurrent attempts cannot exceed the limit.
 * Returns the stored hash; no row without a code that may be tried.
 */
export const countCodeAttempt = (phoneId: string, now: number) =>
  returning(
    sql`update ${userPhones} set code_attempts = code_attempts + 1
      where id = ${phoneId} and not ${isProven(userPhones)} and code_hash is not null
        and code_attempts < ${MAX_CODE_ATTEMPTS} and code_sent_at > ${now - CODE_MS}`,
    { codeHash: sql<string>`code_hash` },
  );

/** Confirms a number whose code is still the one that was compared. */
export const confirmNumber = (
  phoneId: string,
  codeHash: string,
  bySelf: boolean,
  now: number,
): SQL =>
  sql`update ${userPhones} set confirmed_at = ${now}, confirmed_by_self = ${bySelf}, code_hash = null,
      updated_at = ${now}
    where id = ${phoneId} and code_hash = ${codeHash}`;
