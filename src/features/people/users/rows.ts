// Users: what a record shows of a person in an account (contract 2, Users).
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { StoredContact } from "../../../domain/people/contact-changes.ts";
import type { StoredEmail } from "../../../domain/people/verified-addresses.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import {
  boolean,
  hash,
  instant,
  nested,
  reference,
  string,
} from "../../../kernel/db/attributes.ts";
import { identified } from "../../../kernel/db/identified.ts";
import { jsonFlag } from "../../../kernel/db/json.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { parsed, type RowOf, select, truth } from "../../../kernel/db/select.ts";
import { accountUsers, userEmails, userPhones, users } from "../../schema/people.ts";
import {
  memberEmail,
  memberEmails,
  memberPhones,
  memberSearch,
  membersFrom,
  ofMember,
} from "../account-users/member-attributes.ts";
import { type ContactTable, isSeenBy, primaryId } from "../contacts/contact-rows.ts";
import { memberName } from "../contacts/recipient-rows.ts";

// A stored person as a write reads them: their membership, and the addresses and numbers that its
// account can see; and the owners of addresses.

/** The person's rows that the account of the membership can see, as JSON. */
function contactsOf(table: ContactTable, value: SQLWrapper, more: SQLWrapper = sql``): SQL {
  const isPrimary = sql`${table.id} = ${primaryId(table, users.id, accountUsers.accountId)}`;
  return sql`(select json_group_array(json_object('id', ${table.id}, 'prefixId', ${table.prefixId},
      'value', ${value}, 'primary', ${jsonFlag(isPrimary)}${more}) order by ${table}.rowid)
    from ${table} where ${table.userId} = ${users.id} and ${isSeenBy(table, accountUsers.accountId)})`;
}

const elsewhere = sql`exists (select 1 from account_users as other
  where other.user_id = ${users.id} and other.id <> ${accountUsers.id})`;

const settings = sql`json_object('push', ${jsonFlag(users.notifyPush)},
  'email', ${jsonFlag(users.notifyEmail)}, 'sms', ${jsonFlag(users.notifySms)},
  'voice', ${jsonFlag(users.notifyVoice)}, 'voice_repeat', ${jsonFlag(users.notifyVoiceRepeat)})`;
const roles = sql`json_object('admin', ${jsonFlag(accountUsers.admin)},
  'billing', ${jsonFlag(accountUsers.billing)}, 'broadcaster', ${jsonFlag(accountUsers.broadcaster)},
  'communicator', ${jsonFlag(accountUsers.communicator)})`;

export type Flags = Readonly<Record<string, boolean>>;

const personColumns = {
  accountUserId: accountUsers.id,
  userId: users.id,
  state: accountUsers.state,
  /** The account of the membership. */
  accountId: accountUsers.accountId,
  /** Whether they also have an active or pending membership in another account. */
  elsewhere: truth(elsewhere),
  /** Whether push, email, SMS and voice are enabled, and calls are repeated. */
  settings: parsed<Flags>(settings),
  roles: parsed<Flags>(roles),
  emails: parsed<readonly StoredEmail[]>(
    contactsOf(userEmails, userEmails.email, sql`, 'verifiedAt', ${userEmails.verifiedAt}`),
  ),
  phones: parsed<readonly StoredContact[]>(contactsOf(userPhones, userPhones.phone)),
};

export type UserPerson = RowOf<typeof personColumns>;

/** Selects the person of the membership that matches the condition. */
export const selectPerson = (membership: SQL) =>
  select(personColumns, sql`from ${membersFrom} where ${membership}`);

const ownerColumns = (accountId: string) => ({
  email: userEmails.email,
  userId: userEmails.userId,
  /** The state of their membership in this account; null if they are not a member. */
  state: sql<"active" | "pending" | null>`(select ${accountUsers.state} from ${accountUsers}
    where ${accountUsers.accountId} = ${accountId} and ${accountUsers.userId} = ${userEmails.userId})`,
});

/** The owner of an address. */
export type AddressOwner = RowOf<ReturnType<typeof ownerColumns>>;

const memberColumns = {
  email: sql<string>`address`,
  accountUserId: sql<string>`id`,
  state: sql<"active" | "pending">`state`,
};

/** Selects the memberships in an account with one of the addresses that the account sees. */
export const selectMembersWith = (accountId: string, emails: readonly string[]) => {
  const wanted = sql`(select value from json_each(${JSON.stringify(emails)}))`;
  return select(
    memberColumns,
    sql`from (
      select ${userEmails.email} as address, ${accountUsers.id} as id, ${accountUsers.state} as state
        from ${accountUsers} join ${userEmails} on ${userEmails.userId} = ${accountUsers.userId}
        where ${accountUsers.accountId} = ${accountId} and ${accountUsers.state} = 'active'
          and ${isSeenBy(userEmails, accountUsers.accountId)} and ${userEmails.email} in ${wanted}
      union all
      select ${accountUsers.invitedEmail}, ${accountUsers.id}, ${accountUsers.state}
        from ${accountUsers} where ${accountUsers.accountId} = ${accountId}
          and ${accountUsers.state} = 'pending' and ${accountUsers.invitedEmail} in ${wanted})`,
  );
};

/** Selects the owners of addresses. Only verified email addresses identify a person. */
export const selectOwners = (accountId: string, emails: readonly (string | undefined)[]) =>
  select(
    ownerColumns(accountId),
    sql`from ${userEmails} where ${userEmails.verifiedAt} is not null
      and ${userEmails.email} in (select value from json_each(${JSON.stringify(emails)}))`,
  );

export const userRecords: Records<"User"> = {
  kind: "user",
  shows: "User",
  from: membersFrom,
  accountId: accountUsers.accountId,
  id: users.id,
  prefixId: users.prefixId,
  attributes: {
    id: string(users.id),
    prefix_id: string(users.prefixId),
    account_id: string(accountUsers.accountId),
    account_user_id: reference(accountUsers.id, accountUsers.accountId, accountUsers),
    // The creation time of the membership: earlier data does not belong to this account, and the
    // index has this order.
    created_at: instant(accountUsers.createdAt),
    updated_at: instant(ofMember(users.updatedAt, accountUsers.updatedAt)),
    meta: hash(ofMember(users.meta, sql<Record<string, unknown>>`'{}'`)),
    state: string(accountUsers.state),
    name: string(memberName),
    email: string(memberEmail),
    time_zone: string(ofMember(users.timeZone)),
    preferred_language: string(ofMember(users.preferredLanguage)),
    last_sign_in_at: instant(ofMember(users.lastSignInAt)),
    notify_push: boolean(ofMember(users.notifyPush)),
    notify_email: boolean(ofMember(users.notifyEmail)),
    notify_sms: boolean(ofMember(users.notifySms)),
    notify_voice: boolean(ofMember(users.notifyVoice)),
    notify_voice_repeat: boolean(ofMember(users.notifyVoiceRepeat)),
    shift_notices: boolean(ofMember(users.shiftNotices)),
    shift_reminders: nested(ofMember(users.shiftReminders)),
    shift_digest_day: string(ofMember(users.shiftDigestDay)),
    shift_digest_time_of_day: string(ofMember(users.shiftDigestTimeOfDay)),
    emails: nested(memberEmails),
    phones: nested(memberPhones),
  },
  search: memberSearch,
  total: "account_users",
};

/** The condition on a user's membership in an account. */
export const membershipOf = (accountId: string, identifier: Identifier): SQL =>
  sql`${accountUsers.accountId} = ${accountId} and ${identified(userRecords, identifier)}`;
