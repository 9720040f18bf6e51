// How each person of an account can be reached, and what limits it: one row per membership.
import { type SQL, sql } from "drizzle-orm";
import type { Channel } from "../../../domain/people/contact.ts";
import { MESSENGERS, type MessengerChannel } from "../../../domain/people/messengers.ts";
import type { PersonProblem, PersonReach } from "../../../domain/reports/readiness.ts";
import { instant, list, references, string } from "../../../kernel/db/attributes.ts";
import type { Records } from "../../../kernel/db/records.ts";
import {
  memberSearch,
  membersFrom,
  ofMember,
} from "../../people/account-users/member-attributes.ts";
import { isSeenBy } from "../../people/contacts/contact-rows.ts";
import { memberName } from "../../people/contacts/recipient-rows.ts";
import { teamPeople, teams } from "../../schema/oncall.ts";
import {
  accountUsers,
  channelAddresses,
  pushSubscriptions,
  userEmails,
  userPhones,
  users,
} from "../../schema/people.ts";

const { accountId } = accountUsers;

const hasEmail = (condition: SQL) => sql`exists (select 1 from ${userEmails}
  where ${userEmails.userId} = ${users.id} and ${isSeenBy(userEmails, accountId)} and ${condition})`;

const hasPhone = (condition: SQL) => sql`exists (select 1 from ${userPhones}
  where ${userPhones.userId} = ${users.id} and ${isSeenBy(userPhones, accountId)} and ${condition})`;

const hasBrowser = (condition: SQL) => sql`exists (select 1 from ${pushSubscriptions}
  where ${pushSubscriptions.accountUserId} = ${accountUsers.id} and ${condition})`;

/** The messengers among these on which the person has a confirmed address. */
const usableMessengers = (channels: readonly MessengerChannel[]) => sql`select
  distinct ${channelAddresses.channel} as word from ${channelAddresses}
  where ${channelAddresses.accountUserId} = ${accountUsers.id}
    and ${channelAddresses.confirmedAt} is not null
    and ${channelAddresses.channel} in (select value from json_each(${JSON.stringify(channels)}))`;

const usablePhone = hasPhone(
  sql`not ${userPhones.blocked} and ${userPhones.confirmedAt} is not null`,
);

const USABLE: readonly (readonly [Channel, SQL])[] = [
  ["push", hasBrowser(sql`true`)],
  ["email", hasEmail(sql`${userEmails.blockedAt} is null`)],
  ["sms", usablePhone],
  ["voice", usablePhone],
];

const PROBLEMS: readonly (readonly [PersonProblem, SQL])[] = [
  ["never_signed_in", sql`${users.lastSignInAt} is null`],
  ["blocked_email", hasEmail(sql`${userEmails.blockedAt} is not null`)],
  ["blocked_phone", hasPhone(sql`${userPhones.blocked}`)],
  [
    "unconfirmed_phone",
    hasPhone(sql`${userPhones.confirmedAt} is null and not ${userPhones.blocked}`),
  ],
  [
    "push_ended",
    sql`${accountUsers.pushEndedAt} is not null and not
      ${hasBrowser(sql`${pushSubscriptions.createdAt} > ${accountUsers.pushEndedAt}`)}`,
  ],
];

/** The words whose conditions hold, as selects of one column. D1 unites at most five. */
const wordsThatHold = (conditions: readonly (readonly [string, SQL])[]): readonly SQL[] =>
  conditions.map(([word, condition]) => sql`select ${word} as word where ${condition}`);

/** The words of selects, as a JSON list. */
const jsonOf = <Word extends string>(selects: readonly SQL[]): SQL<readonly Word[]> =>
  sql`(select json_group_array(word) from (${sql.join([...selects], sql` union all `)}))`;

const memberTeams = sql<
  readonly string[]
>`(select json_group_array(team_id order by team_id) from ${teamPeople}
  where ${teamPeople.accountUserId} = ${accountUsers.id} and ${teamPeople.relation} = 'member')`;

/**
 * The people with how they can be reached.
 *
 * @param available the channels that the deployment can send on
 */
export function readinessPeople(available: ReadonlySet<Channel>): Records<"ReadinessPerson"> {
  const usable = USABLE.filter(([channel]) => available.has(channel));
  const messengers = usableMessengers(MESSENGERS.filter((channel) => available.has(channel)));
  const anyOf = (channels: readonly (readonly [Channel, SQL])[]) =>
    channels.length === 0
      ? sql`false`
      : sql`(${sql.join(
          channels.map(([, condition]) => condition),
          sql` or `,
        )})`;
  const waking = usable.filter(([channel]) => channel !== "email");
  const isWoken = sql`(${anyOf(waking)} or exists (${messengers}))`;
  const reach = sql<PersonReach>`(case when ${accountUsers.state} <> 'active' then 'unreachable'
    when ${isWoken} then 'wakeable'
    when ${anyOf(usable)} then 'mail_only' else 'unreachable' end)`;
  return {
    kind: "account_user",
    shows: "ReadinessPerson",
    from: membersFrom,
    accountId,
    id: accountUsers.id,
    prefixId: accountUsers.prefixId,
    attributes: {
      id: string(accountUsers.id),
      prefix_id: string(accountUsers.prefixId),
      account_id: string(accountId),
      created_at: instant(accountUsers.createdAt),
      updated_at: instant(accountUsers.updatedAt),
      name: string(memberName),
      team_ids: references(memberTeams, accountId, teams),
      reach: string(reach),
      channels: list(
        ofMember(
          jsonOf<string>([...wordsThatHold(usable), messengers]),
          sql<readonly string[]>`'[]'`,
        ),
      ),
      problems: list(
        ofMember(
          jsonOf<PersonProblem>(wordsThatHold(PROBLEMS)),
          sql<readonly PersonProblem[]>`'["pending"]'`,
        ),
      ),
      last_sign_in_at: instant(ofMember(users.lastSignInAt)),
    },
    search: memberSearch,
    total: "account_users",
  };
}
