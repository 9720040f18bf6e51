// The email addresses and phone numbers of a person that an account uses (contract 1, People):
// proven ones (a verified address, a number confirmed by the person), and those that the account
// itself entered.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { userEmails, userPhones } from "../../schema/people.ts";

export type ContactTable = typeof userEmails | typeof userPhones;

/** Whether a row is proven, and so used by every account of the person. */
export const isProven = (table: ContactTable): SQL =>
  table === userEmails
    ? sql`${userEmails.verifiedAt} is not null`
    : sql`(${userPhones.confirmedAt} is not null and ${userPhones.confirmedBySelf})`;

/** Whether the account sees the row. */
export const isSeenBy = (table: ContactTable, accountId: SQLWrapper): SQL =>
  sql`(${isProven(table)} or ${table.accountId} = ${accountId})`;

/**
 * The order of the rows that an account sees, the primary one first. All accounts share one primary
 * among the proven rows; an account may override it with a primary among the rows it entered.
 */
export const contactOrder = (table: ContactTable): SQL =>
  sql`${table.primary} desc, ${table.primary} and ${isProven(table)}, ${table}.rowid`;

/** The id of the primary row among those the account sees. */
export const primaryId = (
  table: ContactTable,
  userId: SQLWrapper,
  accountId: SQLWrapper,
): SQL => sql`(select ${table.id} from ${table} where ${table.userId} = ${userId}
  and ${isSeenBy(table, accountId)} order by ${contactOrder(table)} limit 1)`;

/**
 * Sets the primary rows: among proven rows the chosen one if it is proven, else the current one;
 * among rows that the account entered, the chosen one or none.
 */
export function settlePrimary(
  table: ContactTable,
  userId: string,
  accountId: string,
  chosen: string | null,
): SQL[] {
  const ofUser = sql`${table.userId} = ${userId}`;
  return [
    sql`update ${table} set "primary" = (id = (select id from ${table}
        where ${ofUser} and ${isProven(table)}
        order by id is ${chosen} desc, "primary" desc, rowid limit 1))
      where ${ofUser} and ${isProven(table)}`,
    sql`update ${table} set "primary" = (id is ${chosen})
      where ${ofUser} and not ${isProven(table)} and ${table.accountId} = ${accountId}`,
  ];
}

/**
 * Cleans up after a row is proven: deletes other accounts' rows with the same value, and makes the
 * row primary everywhere if it was primary in its account. Does nothing for a row that is not
 * proven.
 */
export function settleProven(table: ContactTable, userId: string, id: string): SQL[] {
  const ofUser = sql`${table.userId} = ${userId}`;
  const value = table === userEmails ? userEmails.email : userPhones.phone;
  return [
    sql`delete from ${table} where ${ofUser} and id <> ${id} and ${value} = (select ${value} from ${table}
      where id = ${id} and ${isProven(table)})`,
    sql`update ${table} set "primary" = (id = (select id from ${table}
        where ${ofUser} and ${isProven(table)}
        order by (id = ${id} and "primary") desc, "primary" desc, rowid limit 1))
      where ${ofUser} and ${isProven(table)}`,
  ];
}
