// The rows of a forgotten password: who may choose another, and the choice itself.
import { type SQL, sql } from "drizzle-orm";
import type { RawRow } from "./attributes.ts";
import { type Connection, statement } from "./database.ts";
import { demand, isUnmet } from "./demand.ts";
import { userEmails, users } from "./schema/people.ts";
import { anyMembership, deleteSessionsOf, keepPassword } from "./session-rows.ts";

/** Somebody who can be reached by one of their verified addresses and is a member of an account. */
export type Forgetful = {
  readonly userId: string;
  readonly emailId: string;
  readonly email: string;
  readonly passwordHash: string | null;
  readonly accountUserId: string;
};

const selectForgetful = (address: SQL): SQL =>
  sql`select ${users.id} as user_id, ${users.passwordHash} as password_hash,
      ${userEmails.id} as email_id, ${userEmails.email} as email,
      ${anyMembership(sql`${users.id}`)} as account_user_id
    from ${userEmails} join ${users} on ${users.id} = ${userEmails.userId}
    where ${address} and ${userEmails.verifiedAt} is not null`;

function forgetfulOf(row: RawRow | null): Forgetful | null {
  if (row === null || row.account_user_id === null) return null;
  return {
    userId: String(row.user_id),
    emailId: String(row.email_id),
    email: String(row.email),
    passwordHash: row.password_hash === null ? null : String(row.password_hash),
    accountUserId: String(row.account_user_id),
  };
}

/** Whom an address signs in, in lower case; null when nobody. */
export async function findForgetful(db: Connection, email: string): Promise<Forgetful | null> {
  const query = selectForgetful(sql`${userEmails.email} = ${email}`);
  return forgetfulOf(await statement(db, query).first<RawRow>());
}

/** The person of a link, by their address's record; null when it is not theirs any more. */
export async function readForgetful(
  db: Connection,
  userId: string,
  emailId: string,
): Promise<Forgetful | null> {
  const query = selectForgetful(
    sql`${userEmails.id} = ${emailId} and ${userEmails.userId} = ${userId}`,
  );
  return forgetfulOf(await statement(db, query).first<RawRow>());
}

/**
 * Keeps a password in the place of the one that was read, and ends every session of the person; false where another
 * request was first.
 */
export async function replacePassword(
  db: Connection,
  { userId, passwordHash }: Forgetful,
  newHash: string,
  now: number,
): Promise<boolean> {
  const isAsRead = sql`exists (select 1 from ${users}
    where ${users.id} = ${userId} and ${users.passwordHash} is ${passwordHash})`;
  const writes = [
    demand(isAsRead),
    keepPassword(userId, newHash, now),
    deleteSessionsOf(userId, null),
  ];
  try {
    await db.batch(writes.map((write) => statement(db, write)));
    return true;
  } catch (error) {
    if (isUnmet(error)) return false;
    throw error;
  }
}
