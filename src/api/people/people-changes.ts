// Creates and changes people. Adding an existing person invites them and changes none of their
// data. Only the person themself can change the data of a person with several accounts (contract 1,
// People).
import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { UpdateUser } from "../../contract/people/user-parameters.ts";
import type { RawRow } from "../../db/records/attributes.ts";
import { accountUsers, userEmails, users } from "../../db/schema/people.ts";
import { build } from "../../db/shared/database.ts";
import { newIdentity } from "../../db/shared/identifiers.ts";
import { isTaken } from "../../db/shared/precondition.ts";
import { contactNotices, type SecurityNotice } from "../../domain/access/security-notice.ts";
import { maskedAddress } from "../../domain/people/masked-address.ts";
import { type StoredEmail, unverifiedAddresses } from "../../domain/people/verified-addresses.ts";
import { type FieldError, type Refusal, refuseFields } from "../../domain/shared/refusal.ts";
import { writeEmails, writePhones } from "./contacts/contact-writes.ts";
import { emailChanges, phoneChanges } from "./contacts/contacts.ts";
import type { Person } from "./held-person.ts";
import { settingsNotice } from "./person-notices.ts";

// ── Rows ──

/**
 * Selects the owners of the addresses in a request, and their memberships in this account. Only
 * verified email addresses identify a person.
 */
export function selectOwners(accountId: string, parameters: UpdateUser): SQL {
  const entries = parameters.emails_attributes ?? [];
  const sent = [parameters.email, ...entries.map(({ email }) => email)];
  return sql`select ${userEmails.email} as email, ${userEmails.userId} as user_id,
      (select ${accountUsers.state} from ${accountUsers} where ${accountUsers.accountId} = ${accountId}
        and ${accountUsers.userId} = ${userEmails.userId}) as state
    from ${userEmails}
    where ${userEmails.verifiedAt} is not null
      and ${userEmails.email} in (select value from json_each(${JSON.stringify(sent)}))`;
}

function columnsOf(parameters: UpdateUser) {
  const { name, meta } = parameters;
  return {
    ...(name !== undefined && { name }),
    ...(meta !== undefined && { meta }),
    ...(parameters.time_zone !== undefined && { timeZone: parameters.time_zone }),
    ...(parameters.preferred_language !== undefined && {
      preferredLanguage: parameters.preferred_language,
    }),
    ...(parameters.notify_push !== undefined && { notifyPush: parameters.notify_push }),
    ...(parameters.notify_email !== undefined && { notifyEmail: parameters.notify_email }),
    ...(parameters.notify_sms !== undefined && { notifySms: parameters.notify_sms }),
    ...(parameters.notify_voice !== undefined && { notifyVoice: parameters.notify_voice }),
  };
}

// ── Rules ──

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
export type UnverifiedAddress = { readonly id: string; readonly email: string };

function takenErrors(
  touched: readonly { readonly value: string; readonly change: { readonly field: string } }[],
  owners: readonly RawRow[],
  userId: string,
): FieldError[] {
  const others = owners.filter((row) => row.user_id !== userId).map((row) => row.email);
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
  person: Pick<Person, "userId" | "accountId" | "phones" | "settings"> & {
    readonly emails: readonly StoredEmail[] | null;
  },
  parameters: UpdateUser,
  owners: readonly RawRow[],
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
        .set({ ...columnsOf(parameters), updatedAt: now })
        .where(eq(users.id, userId)),
      ...(touchesEmails ? writeEmails(person, email, now) : []),
      ...(parameters.phones_attributes ? writePhones(person, phone, now) : []),
    ],
  };
}

/**
 * The writes that add a person to an account. If the request's primary address identifies an
 * existing person, they get a pending membership with the data that the inviter sent; otherwise, a
 * new person with an active membership. Other addresses do not identify the person, and an
 * invitation does not add them.
 */
export function addPerson(
  membership: Omit<typeof accountUsers.$inferInsert, "userId">,
  parameters: UpdateUser & { readonly name: string },
  owners: readonly RawRow[],
  within: string,
  now: number,
): PersonWrites {
  const { added, primaryId } = emailChanges(null, parameters, within, now);
  const primary = added.find(({ id }) => id === primaryId)?.value;
  const owner = owners.find(({ email }) => email === primary);
  if (owner !== undefined) return invite(membership, parameters, owner, within);
  const user = { ...newIdentity("user", now), ...columnsOf(parameters), name: parameters.name };
  const { accountId } = membership;
  const none = { userId: user.id, accountId, emails: null, phones: [], settings: {} };
  const person = changePerson(none, parameters, owners, within, now);
  const insert = build.insert(users).values(user);
  const join = build.insert(accountUsers).values({ ...membership, userId: user.id });
  return { ...person, isKnown: false, writes: [insert, ...person.writes, join] };
}

function invite(
  membership: Omit<typeof accountUsers.$inferInsert, "userId">,
  parameters: UpdateUser & { readonly name: string },
  owner: RawRow,
  within: string,
): PersonWrites {
  const userId = String(owner.user_id);
  const known = { userId, isKnown: true, writes: [], unverified: [], notices: [], errors: [] };
  const field = `${within}${parameters.email === undefined ? "emails_attributes" : "email"}`;
  const wrong = (why: string) => ({ ...known, errors: [{ field, message: `${field} ${why}` }] });
  if (owner.state === "active") return wrong("has been taken by a member of this account");
  if (owner.state === "pending") return wrong("has been invited already");
  const pending = {
    ...membership,
    userId,
    state: "pending" as const,
    invitedName: parameters.name,
    invitedEmail: String(owner.email),
  };
  return { ...known, writes: [build.insert(accountUsers).values(pending)] };
}

/** The refusal when a concurrent request took an address. */
export function takenMeanwhile(error: unknown, within: string): Refusal {
  if (!isTaken(error, userEmails) && !isTaken(error, accountUsers)) throw error;
  const name = `${within}emails_attributes`;
  return refuseFields([{ field: name, message: `${name} has an address that has been taken` }]);
}
