// Writes changes to a person's addresses and numbers. A contact belongs to the account that added
// it until it is verified (contract 1, People).
import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { ContactChanges } from "../../../domain/people/contact-changes.ts";
import type { EmailChanges } from "../../../domain/people/verified-addresses.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { assertPrecondition } from "../../../kernel/db/precondition.ts";
import { userEmails, userPhones } from "../../schema/people.ts";
import type { PhoneChange } from "./contact-input.ts";
import { type ContactTable, settlePrimary } from "./contact-rows.ts";

const deleteRows = (table: ContactTable, userId: string, ids: readonly string[]): SQLWrapper =>
  sql`delete from ${table} where user_id = ${userId}
    and id in (select value from json_each(${JSON.stringify(ids)}))`;

const hasVerified = (userId: string): SQL =>
  sql`exists (select 1 from ${userEmails}
    where ${userEmails.userId} = ${userId} and ${userEmails.verifiedAt} is not null)`;

/** The person whose contacts are written, and the account that writes them. */
export type ContactOwner = { readonly userId: string; readonly accountId: string };

/** The statements that apply changes to a person's addresses. */
export function writeEmails(
  { userId, accountId }: ContactOwner,
  { removed, changed, added, primaryId, verified }: EmailChanges,
  now: number,
): SQLWrapper[] {
  const verifiedAt = (email: string) => verified.get(email) ?? null;
  const differing = changed.filter(({ differs }) => differs);
  return [
    ...(removed.length > 0 ? [deleteRows(userEmails, userId, removed)] : []),
    // Set to a placeholder first: swapped addresses would violate the unique constraint on the way.
    ...differing.map(({ id }) =>
      build.update(userEmails).set({ email: id }).where(eq(userEmails.id, id)),
    ),
    ...differing.map(({ id, value }) =>
      build
        .update(userEmails)
        .set({
          email: value,
          blockedAt: null,
          verifiedAt: verifiedAt(value),
          accountId,
          updatedAt: now,
        })
        .where(eq(userEmails.id, id)),
    ),
    ...added.map(({ id, value }) =>
      build.insert(userEmails).values({
        ...newIdentity("email", now, id),
        userId,
        accountId,
        email: value,
        verifiedAt: verifiedAt(value),
      }),
    ),
    ...settlePrimary(userEmails, userId, accountId, primaryId),
    // Two concurrent requests must not remove a person's last verified address.
    ...(verified.size > 0 ? [assertPrecondition(hasVerified(userId))] : []),
  ];
}

/** The statements that apply changes to a person's numbers. */
export function writePhones(
  { userId, accountId }: ContactOwner,
  { removed, changed, added, primaryId }: ContactChanges<PhoneChange>,
  now: number,
): SQLWrapper[] {
  const unconfirmed = {
    blocked: false,
    confirmedAt: null,
    confirmedBySelf: false,
    accountId,
    codeHash: null,
    codeSentAt: null,
    codeAttempts: 0,
  };
  const columnsOf = ({ country, method }: PhoneChange) => ({
    country,
    confirmationMethod: method ?? undefined,
  });
  return [
    ...(removed.length > 0 ? [deleteRows(userPhones, userId, removed)] : []),
    ...changed.map(({ id, value, differs, change }) =>
      build
        .update(userPhones)
        .set({
          ...columnsOf(change),
          ...(differs && { phone: value, ...unconfirmed }),
          updatedAt: now,
        })
        .where(eq(userPhones.id, id)),
    ),
    ...added.map(({ id, value, change }) =>
      build.insert(userPhones).values({
        ...newIdentity("phone", now, id),
        userId,
        accountId,
        phone: value,
        ...columnsOf(change),
      }),
    ),
    ...settlePrimary(userPhones, userId, accountId, primaryId),
  ];
}
