// Rows of a password reset: who may choose a new password, and the change itself.
import { type SQL, sql } from "drizzle-orm";
import type { RawRow } from "../records/attributes.ts";
import { userEmails, users } from "../schema/people.ts";
import { type Connection, statement } from "../shared/database.ts";
import { assertPrecondition, isPreconditionFailed } from "../shared/precondition.ts";
import { anyMembership, deleteSessionsOf, storePassword } from "./session-rows.ts";

/** A member of an account with a verified address. */
export type ResettableUser = {
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

function toForgetful(row: RawRow | null): ResettableUser | null {
  if (row === null || row.account_user_id === null) return null;
  return {
    userId: String(row.user_id),
    emailId: String(row.email_id),
    email: String(row.email),
    passwordHash: row.password_hash === null ? null : String(row.password_hash),
    accountUserId: String(row.account_user_id),
  };
}

/** Finds the person who signs in with an address (lower case); null if there is none. */
export async function findResettableUser(
  db: Connection,
  email: string,
): Promise<ResettableUser | null> {
  const query = selectForgetful(sql`${userEmails.email} = ${email}`);
  return toForgetful(await statement(db, query).first<RawRow>());
}

/** Reads the person of a link by the id of their address; null if it is no longer theirs. */
export async function readResettableUser(
  db: Connection,
  userId: string,
  emailId: string,
): Promise<ResettableUser | null> {
  const query = selectForgetful(
    sql`${userEmails.id} = ${emailId} and ${userEmails.userId} = ${userId}`,
  );
  return toForgetful(await statement(db, query).first<RawRow>());
}

/**
 * Replaces the password that was read and ends every session of the person; false if another
 * request was first.
 */
export async function replacePassword(
  db: Connection,
  { userId, passwordHash }: ResettableUser,
  newHash: string,
  now: number,
): Promise<boolean> {
  const isAsRead = sql`exists (select 1 from ${users}
    where ${users.id} = ${userId} and ${users.passwordHash} is ${passwordHash})`;
  const writes = [
    assertPrecondition(isAsRead),
    storePassword(userId, newHash, now),
    deleteSessionsOf(userId, null),
  ];
  try {
    await db.batch(writes.map((write) => statement(db, write)));
    return true;
  } catch (error) {
    if (isPreconditionFailed(error)) return false;
    throw error;
  }
}
