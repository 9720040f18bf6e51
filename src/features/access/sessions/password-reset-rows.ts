// Rows of a password reset: who may choose a new password, and the change itself.
import { type SQL, sql } from "drizzle-orm";
import { type Connection, statement } from "../../../kernel/db/database.ts";
import { assertPrecondition, isPreconditionFailed } from "../../../kernel/db/precondition.ts";
import { first, select } from "../../../kernel/db/select.ts";
import { userEmails, users } from "../../schema/people.ts";
import { anyMembership, deleteSessionsOf, storePassword } from "./session-rows.ts";

/** A member of an account with a verified address. */
export type ResettableUser = {
  readonly userId: string;
  readonly emailId: string;
  readonly email: string;
  readonly passwordHash: string | null;
  readonly accountUserId: string;
};

async function readBy(db: Connection, address: SQL): Promise<ResettableUser | null> {
  const columns = {
    userId: users.id,
    emailId: userEmails.id,
    email: userEmails.email,
    passwordHash: users.passwordHash,
    accountUserId: anyMembership(sql`${users.id}`),
  };
  const rest = sql`from ${userEmails} join ${users} on ${users.id} = ${userEmails.userId}
    where ${address} and ${userEmails.verifiedAt} is not null`;
  const user = await first(db, select(columns, rest));
  return user && user.accountUserId !== null
    ? { ...user, accountUserId: user.accountUserId }
    : null;
}

/** Finds the person who signs in with an address (lower case); null if there is none. */
export const findResettableUser = (db: Connection, email: string): Promise<ResettableUser | null> =>
  readBy(db, sql`${userEmails.email} = ${email}`);

/** Reads the person of a link by the id of their address; null if it is no longer theirs. */
export const readResettableUser = (
  db: Connection,
  userId: string,
  emailId: string,
): Promise<ResettableUser | null> =>
  readBy(db, sql`${userEmails.id} = ${emailId} and ${userEmails.userId} = ${userId}`);

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
