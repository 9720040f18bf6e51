// Changes a person's own data. Only the person themself can change the data of a person with several
// accounts (contract 1, People).

import { eq, type SQLWrapper } from "drizzle-orm";
import { contactNotices, type SecurityNotice } from "../../../domain/access/security-notice.ts";
import { maskedAddress } from "../../../domain/people/masked-address.ts";
import {
  type StoredEmail,
  type UnverifiedAddress,
  unverifiedAddresses,
} from "../../../domain/people/verified-addresses.ts";
import { type FieldError, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { plainColumns } from "../../../kernel/db/plain-columns.ts";
import { isTaken } from "../../../kernel/db/precondition.ts";
import { accountUsers, userEmails, users } from "../../schema/people.ts";
import { emailChanges, phoneChanges } from "../contacts/contact-input.ts";
import { writeEmails, writePhones } from "../contacts/contact-writes.ts";
import type { UpdateUser } from "./parameters.ts";
import { settingsNotice } from "./person-notices.ts";
import type { AddressOwner, UserPerson } from "./rows.ts";

/** The addresses that the parameters name. */
export const addressesOf = ({ email, emails_attributes: entries = [] }: UpdateUser) => [
  email,
  ...entries.map((entry) => entry.email),
];

/** The writes of a request, and its errors. */
export type PersonWrites = {
  readonly userId: string;
  /** Whether the person existed before; they are then invited. */
  readonly isKnown: boolean;
  readonly writes: readonly SQLWrapper[];
  /** New addresses that are not verified. */
  readonly unverified: readonly UnverifiedAddress[];
  /** The notices to email to the person. */
  readonly notices: readonly SecurityNotice[];
  readonly errors: readonly FieldError[];
};

function takenErrors(
  touched: readonly { readonly value: string; readonly change: { readonly field: string } }[],
  owners: readonly AddressOwner[],
  userId: string,
): FieldError[] {
  const others = owners.filter((it) => it.userId !== userId).map((it) => it.email);
  return touched
    .filter(({ value }) => others.includes(value))
    .map(({ change }) => ({ field: change.field, message: `${change.field} has been taken` }));
}

/**
 * The writes that change a person's own data, or create it (`emails` null).
 *
 * @param owners the rows of `selectOwners`
 * @param within the prefix of parameter names in messages, such as `user_attributes.`
 */
export function changePerson(
  person: Pick<UserPerson, "userId" | "accountId" | "phones" | "settings"> & {
    readonly emails: readonly StoredEmail[] | null;
  },
  parameters: UpdateUser,
  owners: readonly AddressOwner[],
  within: string,
  now: number,
): PersonWrites {
  const { userId, emails, phones } = person;
  const email = emailChanges(emails, parameters, within, now);
  const phone = phoneChanges(phones, parameters.phones_attributes ?? [], within, now);
  const errors = [
    ...email.errors,
    ...phone.errors,
    ...takenErrors(
      [...email.changed.filter(({ differs }) => differs), ...email.added],
      owners,
      userId,
    ),
  ];
  if (email.left === 0) {
    const name = `${within}emails_attributes`;
    errors.push({ field: name, message: `${name} must leave at least one e-mail address` });
  }
  const touchesEmails = parameters.email !== undefined || parameters.emails_attributes;
  return {
    userId,
    isKnown: true,
    errors,
    notices:
      emails === null
        ? []
        : [
            ...contactNotices("email", emails, email, String),
            ...contactNotices("phone", phones, phone, maskedAddress),
            ...settingsNotice(person.settings, parameters),
          ],
    unverified: unverifiedAddresses(email),
    writes: [
      build
        .update(users)
        .set({ ...plainColumns(users, parameters), updatedAt: now })
        .where(eq(users.id, userId)),
      ...(touchesEmails ? writeEmails(person, email, now) : []),
      ...(parameters.phones_attributes ? writePhones(person, phone, now) : []),
    ],
  };
}

/** The refusal when a concurrent request took an address. */
export function takenMeanwhile(error: unknown, within: string): Refusal | null {
  if (!isTaken(error, userEmails) && !isTaken(error, accountUsers)) return null;
  const name = `${within}emails_attributes`;
  return refuseFields([{ field: name, message: `${name} has an address that has been taken` }]);
}
