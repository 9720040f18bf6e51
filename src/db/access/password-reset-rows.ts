// Rows of a password reset: who may choose a new password, and the change itself.
import { type SQL, sql } from "drizzle-orm";
import { userEmails, users } from "../schema/people.ts";
import type { Connection } from "../shared/database.ts";
import { assertPrecondition, isPreconditionFailed } from "../shared/precondition.ts";
import { batch, first, type RowOf, select } from "../shared/select.ts";
import { anyMembership, deleteSessionsOf, storePassword } from "./session-rows.ts";

const resettable = {
  userId: users.id,
  emailId: userEmails.id,
  email: userEmails.email,
  passwordHash: users.passwordHash,
  // Never null: people without an active membership are left out.
  accountUserId: sql<string>`${anyMembership(sql`${users.id}`)}`,
};

/** A member of an account with a verified address. */
export type ResettableUser = RowOf<typeof resettable>;

const selectResettable = (address: SQL) =>
  select(
    resettable,
    sql`from ${userEmails} join ${users} on ${users.id} = ${userEmails.userId}
      where ${address} and ${userEmails.verifiedAt} is not null
        and ${anyMembership(sql`${users.id}`)} is not null`,
  );

/** Finds the person who signs in with an address (lower case); null if there is none. */
export const findResettableUser = (db: Connection, email: string): Promise<ResettableUser | null> =>
  first(db, selectResettable(sql`${userEmails.email} = ${email}`));

/** Reads the person of a link by the id of their address; null if it is no longer theirs. */
export const readResettableUser = (
  db: Connection,
  userId: string,
  emailId: string,
): Promise<ResettableUser | null> =>
  first(
    db,
    selectResettable(sql`${userEmails.id} = ${emailId} and ${userEmails.userId} = ${userId}`),
  );

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
    await batch(db, writes);
    return true;
  } catch (error) {
    if (isPreconditionFailed(error)) return false;
    throw error;
  }
}
