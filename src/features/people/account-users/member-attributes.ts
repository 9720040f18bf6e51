// The attributes and search that users and account users share. A person is shared by the accounts
// they are a member of; a pending membership shows only what the inviter sent (contract 1, People).
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Selected } from "../../../kernel/db/attributes.ts";
import { accountUsers, userEmails, userPhones, users } from "../../schema/people.ts";
import { emailsOf, phonesOf } from "../contacts/contact-attributes.ts";
import { type ContactTable, isSeenBy, primaryId } from "../contacts/contact-rows.ts";
import type { Email, Phone } from "../contacts/contract.ts";
import { memberName } from "../contacts/recipient-rows.ts";

/** Memberships joined with their people: the source of both resources. */
export const membersFrom = sql`${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}`;

/** The person's value if the membership is active; else `invited`, by default null. */
export function ofMember<Value extends SQLWrapper>(value: Value): SQL<Selected<Value> | null>;
export function ofMember<Value extends SQLWrapper, Invited extends SQLWrapper>(
  value: Value,
  invited: Invited,
): SQL<Selected<Value> | Selected<Invited>>;
export function ofMember(value: SQLWrapper, invited: SQLWrapper = sql`null`): SQL {
  return sql`(case when ${accountUsers.state} = 'active' then ${value} else ${invited} end)`;
}

/** Never null for a pending membership. */
const invitedEmail = sql<string>`${accountUsers.invitedEmail}`;

export const memberEmail = ofMember(
  sql<string>`(select ${userEmails.email} from ${userEmails}
    where ${userEmails.id} = ${primaryId(userEmails, users.id, accountUsers.accountId)})`,
  invitedEmail,
);

export const memberEmails = ofMember(
  emailsOf(users.id, accountUsers.accountId),
  sql<
    readonly Email[]
  >`json_array(json_object('id', null, 'prefix_id', null, 'email', ${accountUsers.invitedEmail},
    'primary', json('true'), 'blocked', json('false'), 'verified', json('false')))`,
);

export const memberPhones = ofMember(
  phonesOf(users.id, accountUsers.accountId),
  sql<readonly Phone[]>`'[]'`,
);

const everyValue = (table: ContactTable, value: SQLWrapper) =>
  sql`(select group_concat(${value}, ' ') from ${table} where ${table.userId} = ${users.id}
    and ${isSeenBy(table, accountUsers.accountId)})`;

/** The attributes that `q` searches: names, addresses and numbers. */
export const memberSearch = [
  memberName,
  ofMember(everyValue(userEmails, userEmails.email), accountUsers.invitedEmail),
  ofMember(everyValue(userPhones, userPhones.phone)),
];
