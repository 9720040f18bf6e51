// How each person of an account can be reached, and what limits it: one row per membership.
import { type SQL, sql } from "drizzle-orm";
import type { Channel } from "../../../domain/people/contact.ts";
import { MESSENGERS, type MessengerChannel } from "../../../domain/people/messengers.ts";
import type { PersonProblem, PersonReach } from "../../../domain/reports/readiness.ts";
import { instant, list, references, string } from "../../../kernel/db/attributes.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { parsed, select, truth } from "../../../kernel/db/select.ts";
import { acceptsIdNow } from "../../integrations/inbox/integration-rows.ts";
import {
  memberSearch,
  membersFrom,
  ofMember,
} from "../../people/account-users/member-attributes.ts";
import { isSeenBy } from "../../people/contacts/contact-rows.ts";
import { memberName } from "../../people/contacts/recipient-rows.ts";
import { integrationReceivers, integrations } from "../../schema/integrations.ts";
import { escalationLayers, teamPeople, teams } from "../../schema/oncall.ts";
import {
  accounts,
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

// What the weekly readiness digest of an admin needs: whether they get one, and its problems.

/** Selects the time zone of an admin who gets the digest; no row for anybody else. */
export const selectDigestAdmin = (accountId: string, id: string) =>
  select(
    { timeZone: users.timeZone, isSetUp: truth(sql`${accounts.pageAnsweredAt} is not null`) },
    sql`from ${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}
      join ${accounts} on ${accounts.id} = ${accountUsers.accountId} and ${accounts.readinessDigest}
      where ${accountUsers.accountId} = ${accountId} and ${accountUsers.id} = ${id}
        and ${accountUsers.admin} and ${accountUsers.state} = 'active'
        and ${accountUsers.readinessDigest}`,
  );

/** Selects the active members who cannot be woken, the worst first. */
export function selectUnwakeable(accountId: string, available: ReadonlySet<Channel>, most: number) {
  const { from, attributes } = readinessPeople(available);
  return select(
    {
      name: sql<string>`${attributes.name.sql}`,
      reach: sql<PersonReach>`${attributes.reach.sql}`,
    },
    sql`from ${from} where ${accountUsers.accountId} = ${accountId}
      and ${accountUsers.state} = 'active' and ${attributes.reach.sql} <> 'wakeable'
      order by reach desc, name limit ${most}`,
  );
}

// How far an account's setup is: whether somebody would be paged, and whether a page was answered.

const MAX_BARE_IDS = 100;

/** The newest integrations that accept events at their id alone, as a JSON list of ids. */
const bareIdIntegrations = (
  accountId: string,
  senderTypes: readonly string[],
) => sql`(select json_group_array(id) from (
  select ${integrations.id} as id from ${integrations}
  where ${integrations.accountId} = ${accountId} and ${acceptsIdNow} and ${integrations.enabled}
    and ${integrations.secrets} ->> 'token_sha256' is null
    and not exists (select 1 from json_each(${integrations.secrets})
      where key not like 'previous%' and key not like '%sha256')
    and ${integrations.integrationType} in (select value from json_each(${JSON.stringify(senderTypes)}))
  order by ${integrations.id} desc limit ${MAX_BARE_IDS}))`;

/**
 * Selects the steps of an account's setup. Once a page was answered none of them is read: the
 * row of the account says so.
 *
 * @param senderTypes the names of the types that accept events
 */
export const selectReadiness = (accountId: string, senderTypes: readonly string[]) => {
  const orComplete = (condition: ReturnType<typeof sql>) =>
    truth(sql`${accounts.pageAnsweredAt} is not null or ${condition}`);
  return select(
    {
      pageAnsweredAt: accounts.pageAnsweredAt,
      digest: accounts.readinessDigest,
      integrationsById: accounts.integrationsById,
      bareIdIntegrations: parsed<readonly string[]>(bareIdIntegrations(accountId, senderTypes)),
      team: orComplete(sql`exists (select 1 from ${teams} join ${teamPeople}
        on ${teamPeople.teamId} = ${teams.id} and ${teamPeople.relation} = 'member'
        where ${teams.accountId} = ${accountId})`),
      policy: orComplete(sql`exists (select 1 from ${teams} join ${escalationLayers}
        on ${escalationLayers.accountId} = ${teams.accountId}
          and ${escalationLayers.escalationPolicyId} = ${teams.escalationPolicyId}
        where ${teams.accountId} = ${accountId})`),
      integration: orComplete(sql`exists (select 1 from ${integrations} join ${integrationReceivers}
        on ${integrationReceivers.integrationId} = ${integrations.id}
        where ${integrations.accountId} = ${accountId} and ${integrations.enabled})`),
      page: orComplete(sql`${accounts.pageSentAt} is not null`),
    },
    sql`from ${accounts} where ${accounts.id} = ${accountId}`,
  );
};

/** Lets integrations be called by their ids, or not. */
export const setIntegrationsById = (accountId: string, isOn: boolean, now: number) =>
  sql`update ${accounts} set integrations_by_id = ${isOn ? 1 : 0}, updated_at = ${now}
    where ${accounts.id} = ${accountId}`;

/** Switches the weekly digest of the account's admins on or off. */
export const setReadinessDigest = (accountId: string, isOn: boolean, now: number) =>
  sql`update ${accounts} set readiness_digest = ${isOn ? 1 : 0}, updated_at = ${now}
    where ${accounts.id} = ${accountId} and readiness_digest <> ${isOn ? 1 : 0}`;
