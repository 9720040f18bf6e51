// A stored person as a write reads them: their membership, and the addresses and numbers that its
// account can see.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type ContactTable, isSeenBy, primaryId } from "../../db/people/contact-rows.ts";
import type { RawRow } from "../../db/records/attributes.ts";
import { accountUsers, userEmails, userPhones, users } from "../../db/schema/people.ts";
import type { StoredContact } from "../../domain/people/contact-changes.ts";
import type { StoredEmail } from "../../domain/people/verified-addresses.ts";
import { membersFrom } from "./people.ts";

/** Selects the person's rows that the account of the membership can see. */
const selectContacts = (table: ContactTable, value: SQLWrapper, more: SQLWrapper = sql``): SQL =>
  sql`(select json_group_array(json_object('id', ${table.id}, 'prefixId', ${table.prefixId},
      'value', ${value}, 'primary',
      ${table.id} = ${primaryId(table, users.id, accountUsers.accountId)}${more}) order by ${table}.rowid)
    from ${table} where ${table.userId} = ${users.id} and ${isSeenBy(table, accountUsers.accountId)})`;

const selectedEmails = selectContacts(
  userEmails,
  userEmails.email,
  sql`, 'verifiedAt', ${userEmails.verifiedAt}`,
);
const selectedPhones = selectContacts(userPhones, userPhones.phone);

const elsewhere = sql`exists (select 1 from account_users as other
  where other.user_id = ${users.id} and other.id <> ${accountUsers.id})`;

const settings = sql`json_object('push', ${users.notifyPush}, 'email', ${users.notifyEmail},
  'sms', ${users.notifySms}, 'voice', ${users.notifyVoice})`;
const roles = sql`json_object('admin', ${accountUsers.admin}, 'billing', ${accountUsers.billing},
  'broadcaster', ${accountUsers.broadcaster}, 'communicator', ${accountUsers.communicator})`;

/** Selects the person of the membership that matches the condition, for `foundPerson`. */
export function selectPerson(membership: SQL): SQL {
  return sql`select ${accountUsers.id} as account_user_id, ${accountUsers.state} as state,
      ${users.id} as user_id, ${selectedEmails} as emails, ${selectedPhones} as phones,
      ${accountUsers.accountId} as account_id, ${elsewhere} as elsewhere, ${settings} as settings,
      ${roles} as roles
    from ${membersFrom} where ${membership}`;
}

export type Flags = Readonly<Record<string, boolean>>;

export type Person = {
  readonly accountUserId: string;
  readonly userId: string;
  readonly state: "active" | "pending";
  /** The account of the membership. */
  readonly accountId: string;
  /** Whether they also have an active or pending membership in another account. */
  readonly elsewhere: boolean;
  /** Whether push, email, SMS and voice are enabled. */
  readonly settings: Flags;
  readonly roles: Flags;
  readonly emails: readonly StoredEmail[];
  readonly phones: readonly StoredContact[];
};

const contactsOf = <Contact extends StoredContact>(json: unknown): Contact[] =>
  JSON.parse(String(json), (key, value) => (key === "primary" ? value === 1 : value));

const flagsOf = (json: unknown): Flags =>
  Object.fromEntries(
    Object.entries(JSON.parse(String(json))).map(([name, value]) => [name, value === 1]),
  );

/** Converts the rows of `selectPerson`; null when there are none. */
export function foundPerson(rows: readonly RawRow[] | undefined): Person | null {
  const row = rows?.[0];
  if (!row) return null;
  return {
    accountUserId: String(row.account_user_id),
    userId: String(row.user_id),
    state: row.state === "active" ? "active" : "pending",
    accountId: String(row.account_id),
    elsewhere: row.elsewhere === 1,
    settings: flagsOf(row.settings),
    roles: flagsOf(row.roles),
    emails: contactsOf(row.emails),
    phones: contactsOf(row.phones),
  };
}
