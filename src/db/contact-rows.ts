// Which of a person's addresses and numbers an account sees and uses (contract 1, People): those that are proven
// (an address that is verified, a number that the person confirmed themself), and those that the account itself wrote
// down.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { userEmails, userPhones } from "./schema/people.ts";

export type ContactTable = typeof userEmails | typeof userPhones;

/** Whether a row counts in every account of the person. */
export const isProven = (table: ContactTable): SQL =>
  table === userEmails
    ? sql`${userEmails.verifiedAt} is not null`
    : sql`(${userPhones.confirmedAt} is not null and ${userPhones.confirmedBySelf})`;

/** Whether a row is one that the account sees. */
export const isSeenBy = (table: ContactTable, accountId: SQLWrapper): SQL =>
  sql`(${isProven(table)} or ${table.accountId} = ${accountId})`;

/**
 * The order of the rows that an account sees, the primary one first. There is one primary among the proven rows, the
 * same everywhere; an account may have one of its own before it, among the rows that it wrote down.
 */
export const contactOrder = (table: ContactTable): SQL =>
  sql`${table.primary} desc, ${table.primary} and ${isProven(table)}, ${table}.rowid`;

/** The id of the primary row among those that an account sees. */
export const primaryId = (
  table: ContactTable,
  userId: SQLWrapper,
  accountId: SQLWrapper,
): SQL => sql`(select ${table.id} from ${table} where ${table.userId} = ${userId}
  and ${isSeenBy(table, accountId)} order by ${contactOrder(table)} limit 1)`;

/**
 * Makes one of the proven rows primary: the chosen one where it is proven, else the one that was. Of the rows that the
 * account wrote down, the chosen one or none.
 */
export function settlePrimary(
  table: ContactTable,
  userId: string,
  accountId: string,
  chosen: string | null,
): SQL[] {
  const mine = sql`${table.userId} = ${userId}`;
  return [
    sql`update ${table} set "primary" = (id = (select id from ${table}
        where ${mine} and ${isProven(table)}
        order by id is ${chosen} desc, "primary" desc, rowid limit 1))
      where ${mine} and ${isProven(table)}`,
    sql`update ${table} set "primary" = (id is ${chosen})
      where ${mine} and not ${isProven(table)} and ${table.accountId} = ${accountId}`,
  ];
}

/**
 * What follows once a row is proven: others of the same value, which accounts wrote down for themselves, are deleted,
 * and the row is primary everywhere where it was that of its account. Both do nothing to a row that
 * is not proven.
 */
export function settleProven(table: ContactTable, userId: string, id: string): SQL[] {
  const mine = sql`${table.userId} = ${userId}`;
  const value = table === userEmails ? userEmails.email : userPhones.phone;
  return [
    sql`delete from ${table} where ${mine} and id <> ${id} and ${value} = (select ${value} from ${table}
      where id = ${id} and ${isProven(table)})`,
    sql`update ${table} set "primary" = (id = (select id from ${table}
        where ${mine} and ${isProven(table)}
        order by (id = ${id} and "primary") desc, "primary" desc, rowid limit 1))
      where ${mine} and ${isProven(table)}`,
  ];
}
