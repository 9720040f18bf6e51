// Users: what a record shows of a person in an account (contract 2, Users).
import { type SQL, sql } from "drizzle-orm";
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
import type { Records } from "../../../kernel/db/records.ts";
import { accountUsers, users } from "../../schema/people.ts";
import {
  memberEmail,
  memberEmails,
  memberPhones,
  memberSearch,
  membersFrom,
  ofMember,
} from "../account-users/member-attributes.ts";
import { memberName } from "../contacts/recipient-rows.ts";

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
