// Changes of people: who may make them, and the rows they come to. A person who exists already is invited, and
// nothing of theirs is changed by it; one who is a member elsewhere too is changed by their own key alone
// (`contract.md` 1).
import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { RawRow } from "../db/attributes.ts";
import { build } from "../db/database.ts";
import { isTaken } from "../db/demand.ts";
import { newIdentity } from "../db/identifiers.ts";
import { accountUsers, userEmails, userPhones, users } from "../db/schema/people.ts";
import type { HeldContact } from "../domain/contact-changes.ts";
import { type FieldError, type Refusal, refuse, refuseFields } from "../domain/refusal.ts";
import { type HeldEmail, unverified } from "../domain/verified-addresses.ts";
import type { Actor } from "../http/actor.ts";
import { emailChanges, phoneChanges, writeEmails, writePhones } from "./contacts.ts";
import { membersFrom, type PersonParameters } from "./people.ts";

// ── Rows ──

const heldEmails = sql`(select json_group_array(json_object('id', id, 'prefixId', prefix_id,
      'value', email, 'primary', "primary", 'verifiedAt', verified_at) order by rowid)
    from ${userEmails} where user_id = ${users.id})`;

const heldPhones = sql`(select json_group_array(json_object('id', id, 'prefixId', prefix_id,
      'value', phone, 'primary', "primary") order by rowid)
    from ${userPhones} where user_id = ${users.id})`;

/** The read that `foundPerson` reads: the person of the membership that the condition finds. */
export function selectPerson(membership: SQL): SQL {
  return sql`select ${accountUsers.id} as account_user_id, ${accountUsers.state} as state,
      ${users.id} as user_id, ${heldEmails} as emails, ${heldPhones} as phones,
      exists (select 1 from account_users as other where other.user_id = ${users.id}
        and other.id <> ${accountUsers.id} and other.state = 'active') as elsewhere
    from ${membersFrom} where ${membership}`;
}

/**
 * Whose the addresses are that a request names, and whether they are members of the account already. Who has only
 * written an address beside their name is nobody's owner: somebody else is not taken for them.
 */
export function selectOwners(accountId: string, parameters: PersonParameters): SQL {
  const entries = parameters.emails_attributes ?? [];
  const sent = [parameters.email, ...entries.map(({ email }) => email)];
  return sql`select ${userEmails.email} as email, ${userEmails.userId} as user_id,
      (select ${accountUsers.state} from ${accountUsers} where ${accountUsers.accountId} = ${accountId}
        and ${accountUsers.userId} = ${userEmails.userId}) as state
    from ${userEmails}
    where ${userEmails.verifiedAt} is not null
      and ${userEmails.email} in (select value from json_each(${JSON.stringify(sent)}))`;
}

export type Person = {
  readonly accountUserId: string;
  readonly userId: string;
  readonly state: "active" | "pending";
  /** Whether they are a member of another account as well. */
  readonly elsewhere: boolean;
  readonly emails: readonly HeldEmail[];
  readonly phones: readonly HeldContact[];
};

const contactsOf = <Held extends HeldContact>(json: unknown): Held[] =>
  (JSON.parse(String(json)) as (Omit<Held, "primary"> & { primary: number })[]).map(
    (it) => ({ ...it, primary: it.primary === 1 }) as unknown as Held,
  );

/** The person of a `selectPerson`, or null. */
export function foundPerson(rows: readonly RawRow[] | undefined): Person | null {
  const row = rows?.[0];
  if (!row) return null;
  return {
    accountUserId: String(row.account_user_id),
    userId: String(row.user_id),
    state: row.state === "active" ? "active" : "pending",
    elsewhere: row.elsewhere === 1,
    emails: contactsOf(row.emails),
    phones: contactsOf(row.phones),
  };
}

function columnsOf(parameters: PersonParameters) {
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

/** Why the actor may not change what belongs to the person, else null (`contract.md` 1). */
export function mayNotChange(actor: Actor, changed: Person): Refusal | null {
  if (changed.userId === actor.userId) return null;
  if (!actor.roles.admin)
    return refuse("forbidden", "only they themselves or an admin may do this");
  if (changed.state === "pending") {
    return refuse("forbidden", "they have not accepted the invitation to this account yet");
  }
  return changed.elsewhere
    ? refuse("forbidden", "they belong to other accounts too: only their own key may do this")
    : null;
}

/** The writes a request asks for, and all that is wrong with it. */
export type PersonWrites = {
  readonly userId: string;
  /** Whether the person was there before: then they are invited. */
  readonly isKnown: boolean;
  readonly writes: readonly SQLWrapper[];
  /** Addresses of theirs that are new and not verified. */
  readonly unverified: readonly UnverifiedAddress[];
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
 * The writes of a person's own data, changed, or new (`emails` null).
 *
 * @param owners the rows of `selectOwners`
 * @param within what stands before a parameter's name in messages, such as `user_attributes.`
 */
export function changePerson(
  {
    userId,
    emails,
    phones,
  }: Pick<Person, "userId" | "phones"> & {
    readonly emails: readonly HeldEmail[] | null;
  },
  parameters: PersonParameters,
  owners: readonly RawRow[],
  within: string,
  now: number,
): PersonWrites {
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
    unverified: unverified(email),
    writes: [
      build
        .update(users)
        .set({ ...columnsOf(parameters), updatedAt: now })
        .where(eq(users.id, userId)),
      ...(touchesEmails ? writeEmails(userId, email, now) : []),
      ...(parameters.phones_attributes ? writePhones(userId, phone, now) : []),
    ],
  };
}

/**
 * The writes that add somebody to an account: a new person with an active membership, or, where the address they are
 * known by is somebody's already, a pending membership of that person with what the inviter sent. That address is the
 * primary one of the request: the others say nothing of who it is, and an invitation gives nobody any.
 */
export function addPerson(
  membership: Omit<typeof accountUsers.$inferInsert, "userId">,
  parameters: PersonParameters & { readonly name: string },
  owners: readonly RawRow[],
  within: string,
  now: number,
): PersonWrites {
  const { added, primaryId } = emailChanges(null, parameters, within, now);
  const founding = added.find(({ id }) => id === primaryId)?.value;
  const owner = owners.find(({ email }) => email === founding);
  if (owner !== undefined) return invite(membership, parameters, owner, owners, within);
  const user = { ...newIdentity("user", now), ...columnsOf(parameters), name: parameters.name };
  const none = { userId: user.id, emails: null, phones: [] };
  const person = changePerson(none, parameters, owners, within, now);
  const insert = build.insert(users).values(user);
  const join = build.insert(accountUsers).values({ ...membership, userId: user.id });
  return { ...person, isKnown: false, writes: [insert, ...person.writes, join] };
}

function invite(
  membership: Omit<typeof accountUsers.$inferInsert, "userId">,
  parameters: PersonParameters & { readonly name: string },
  owner: RawRow,
  owners: readonly RawRow[],
  within: string,
): PersonWrites {
  const userId = String(owner.user_id);
  const known = { userId, isKnown: true, writes: [], unverified: [], errors: [] };
  const field = `${within}${parameters.email === undefined ? "emails_attributes" : "email"}`;
  const wrong = (why: string) => ({ ...known, errors: [{ field, message: `${field} ${why}` }] });
  if (owners.some((row) => row.user_id !== userId)) return wrong("has addresses of several people");
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

/** What a write answers when an address was taken in the moment between reading and writing. */
export function takenMeanwhile(error: unknown, within: string): Refusal {
  if (!isTaken(error, userEmails) && !isTaken(error, accountUsers)) throw error;
  const name = `${within}emails_attributes`;
  return refuseFields([{ field: name, message: `${name} has an address that has been taken` }]);
}
