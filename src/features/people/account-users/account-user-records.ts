// Account users: what a record shows of a membership (contract 2, Account users).
import { type SQLWrapper, sql } from "drizzle-orm";
import {
  boolean,
  commonAttributes,
  hash,
  instant,
  reference,
  references,
  string,
} from "../../../kernel/db/attributes.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { notificationRules } from "../../schema/integrations.ts";
import { teamPeople, teams } from "../../schema/oncall.ts";
import { accountUsers, users } from "../../schema/people.ts";
import { memberName } from "../contacts/recipient-rows.ts";
import { invitedAt } from "../invitations/invitation-rows.ts";
import type { Person, Roles } from "./contract.ts";
import {
  memberEmails,
  memberPhones,
  memberSearch,
  membersFrom,
  ofMember,
} from "./member-attributes.ts";

const flags = (...columns: readonly SQLWrapper[]) =>
  columns.map((it) => sql`iif(${it}, 'true', 'false')`);

const [admin, billing, broadcaster, communicator] = flags(
  accountUsers.admin,
  accountUsers.billing,
  accountUsers.broadcaster,
  accountUsers.communicator,
);

const [push, email, sms, voice, voiceRepeat, shiftNotices] = flags(
  users.notifyPush,
  users.notifyEmail,
  users.notifySms,
  users.notifyVoice,
  users.notifyVoiceRepeat,
  users.shiftNotices,
).map((it) => ofMember(it, sql`'null'`));

const memberTeams = sql<
  readonly string[]
>`(select json_group_array(team_id order by team_id) from ${teamPeople}
  where ${teamPeople.accountUserId} = ${accountUsers.id} and ${teamPeople.relation} = 'member')`;

export const accountUserRecords: Records<"AccountUser"> = {
  kind: "account_user",
  shows: "AccountUser",
  from: membersFrom,
  accountId: accountUsers.accountId,
  id: accountUsers.id,
  prefixId: accountUsers.prefixId,
  attributes: {
    ...commonAttributes(accountUsers),
    state: string(accountUsers.state),
    invited_at: instant(invitedAt),
    roles: hash(
      sql<Roles>`json_object('admin', json(${admin}), 'billing', json(${billing}),
      'broadcaster', json(${broadcaster}), 'communicator', json(${communicator}))`,
    ),
    notification_rule_id: reference(
      accountUsers.notificationRuleId,
      accountUsers.accountId,
      notificationRules,
    ),
    readiness_digest: boolean(accountUsers.readinessDigest),
    member_team_ids: references(memberTeams, accountUsers.accountId, teams),
    team_ids: references(memberTeams, accountUsers.accountId, teams),
    user: hash(
      sql<Person>`json_object('id', ${users.id}, 'prefix_id', ${users.prefixId}, 'name', ${memberName},
      'time_zone', ${ofMember(users.timeZone)},
      'preferred_language', ${ofMember(users.preferredLanguage)},
      'notify_push', json(${push}), 'notify_email', json(${email}),
      'notify_sms', json(${sms}), 'notify_voice', json(${voice}),
      'notify_voice_repeat', json(${voiceRepeat}),
      'shift_notices', json(${shiftNotices}),
      'shift_reminders', json(${ofMember(users.shiftReminders, sql`'null'`)}),
      'shift_digest_day', ${ofMember(users.shiftDigestDay)},
      'shift_digest_time_of_day', ${ofMember(users.shiftDigestTimeOfDay)},
      'emails', json(${memberEmails}), 'phones', json(${memberPhones}))`,
    ),
  },
  search: memberSearch,
  total: "account_users",
};
