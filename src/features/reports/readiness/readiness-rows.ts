// How far an account's setup is: whether somebody would be paged, and whether a page was answered.
import { sql } from "drizzle-orm";
import { parsed, select, truth } from "../../../kernel/db/select.ts";
import { acceptsIdNow } from "../../integrations/inbox/integration-rows.ts";
import { memberName } from "../../people/contacts/recipient-rows.ts";
import { alerts, notifications } from "../../schema/alerts.ts";
import { integrationReceivers, integrations } from "../../schema/integrations.ts";
import { escalationLayers, teamPeople, teams } from "../../schema/oncall.ts";
import { accounts, accountUsers, users } from "../../schema/people.ts";

/** The newest alerts in which an answered page is looked for. */
const RECENT_ALERTS = 50;

/** What was sent to a person for one of the newest alerts; a person's own test page is left out. */
const pagedPeople = (accountId: string) => sql`from (
    select id, timeline from ${alerts} where ${alerts.accountId} = ${accountId}
      and ${alerts.state} ->> 'exercise' is not 'test'
    order by id desc limit ${RECENT_ALERTS}) as recent
  join ${notifications} on ${notifications.accountId} = ${accountId}
    and ${notifications.ownerId} = recent.id and ${notifications.event} = 'alert.open'
    and ${notifications.status} in ('sent', 'delivered')`;

/** Whether one of these people acknowledged; the timeline names who did. */
const answeredPage = (accountId: string) => sql`exists (select 1 ${pagedPeople(accountId)}
  join ${accountUsers} on ${accountUsers.id} = ${notifications.accountUserId}
  join ${users} on ${users.id} = ${accountUsers.userId}
  join json_each(recent.timeline) as entry
  where instr(entry.value ->> 1, 'Acknowledged by ' || ${memberName}) = 1)`;

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
      page: orComplete(sql`exists (select 1 ${pagedPeople(accountId)})`),
      answer: orComplete(answeredPage(accountId)),
    },
    sql`from ${accounts} where ${accounts.id} = ${accountId}`,
  );
};

/** Lets integrations be called by their ids, or not. */
export const setIntegrationsById = (accountId: string, isOn: boolean, now: number) =>
  sql`update ${accounts} set integrations_by_id = ${isOn ? 1 : 0}, updated_at = ${now}
    where ${accounts.id} = ${accountId}`;

/** Stores that a page was answered, once. */
export const completeSetup = (accountId: string, now: number) =>
  sql`update ${accounts} set page_answered_at = ${now}
    where ${accounts.id} = ${accountId} and page_answered_at is null`;

/** Switches the weekly digest of the account's admins on or off. */
export const setReadinessDigest = (accountId: string, isOn: boolean, now: number) =>
  sql`update ${accounts} set readiness_digest = ${isOn ? 1 : 0}, updated_at = ${now}
    where ${accounts.id} = ${accountId} and readiness_digest <> ${isOn ? 1 : 0}`;
