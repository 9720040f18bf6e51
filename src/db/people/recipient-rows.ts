// Reads how people can be notified: their contacts, preferences, notification rule, and the state
// of the workflow. One statement for any number of pages.
import { type SQL, sql } from "drizzle-orm";
import type { WorkflowState } from "../../domain/alerts/alert.ts";
import type { PersonalRule } from "../../domain/alerts/notifications/notification-plan.ts";
import type { PageMessage } from "../../domain/alerts/notifications/page.ts";
import type { Channel, NotificationRecipient } from "../../domain/people/contact.ts";
import {
  type NotificationRules,
  readNotificationRules,
} from "../../domain/routing/rules/notification-rules.ts";
import type { RawRow } from "../records/attributes.ts";
import { alertWorkflows } from "../schema/alerts.ts";
import { notificationRules } from "../schema/integrations.ts";
import {
  accountUsers,
  pushSubscriptions,
  userEmails,
  userPhones,
  users,
} from "../schema/people.ts";
import { type Connection, statement } from "../shared/database.ts";
import { contactOrder, isSeenBy } from "./contact-rows.ts";

/** A person's name in an account: as the inviter wrote it until the person approves. */
export const memberName = sql<string>`(case when ${accountUsers.state} = 'active' then ${users.name}
  else ${accountUsers.invitedName} end)`;

export type RecipientQuery = {
  readonly accountId: string;
  readonly page: Pick<PageMessage["page"], "effectId" | "accountUserId" | "workflowId">;
};

/** What is known of a page's recipient. */
export type RecipientFacts = {
  /** Null if there is no such membership. */
  readonly person: NotificationRecipient | null;
  readonly rule: PersonalRule;
  /** The workflow as projected in D1; null if it is not there (yet). */
  readonly workflow: { readonly state: WorkflowState; readonly version: number } | null;
};

/** Reads the recipients of pages, by effect id. Throws if D1 does. */
export async function readRecipients(
  db: Connection,
  requests: readonly RecipientQuery[],
): Promise<ReadonlyMap<string, RecipientFacts>> {
  const { results } = await statement(db, selectReachable(requests)).all<RawRow>();
  return new Map(results.map((row) => [String(row.effect_id), toKnown(row)]));
}

function selectReachable(requests: readonly RecipientQuery[]): SQL {
  const recipients = requests.map(({ accountId, page }) => ({
    effect: page.effectId,
    account: accountId,
    person: page.accountUserId,
    workflow: page.workflowId,
  }));
  const { accountId } = accountUsers;
  const emails = sql`(select json_group_array(email order by ${contactOrder(userEmails)})
    from ${userEmails} where ${userEmails.userId} = ${users.id} and ${userEmails.blockedAt} is null
      and ${isSeenBy(userEmails, accountId)})`;
  const phones = sql`(select json_group_array(phone order by ${contactOrder(userPhones)})
    from ${userPhones} where ${userPhones.userId} = ${users.id} and not ${userPhones.blocked}
      and ${userPhones.confirmedAt} is not null and ${isSeenBy(userPhones, accountId)})`;
  const pushed = sql`exists (select 1 from ${pushSubscriptions}
    where ${pushSubscriptions.accountUserId} = ${accountUsers.id})`;
  return sql`select value->>'effect' as effect_id, ${accountUsers.id} as id, ${memberName} as name,
      ${accountUsers.state} as state, ${users.timeZone} as time_zone, ${emails} as emails,
      ${phones} as phones, iif(${pushed}, ${accountUsers.prefixId}, null) as pushed_to, ${users.notifyPush} as push, ${users.notifyEmail} as email,
      ${users.notifySms} as sms, ${users.notifyVoice} as voice,
      ${notificationRules.name} as rule_name, ${notificationRules.rules} as rules,
      ${alertWorkflows.state} as workflow_state, ${alertWorkflows.version} as workflow_version
    from json_each(${JSON.stringify(recipients)})
      left join ${accountUsers} on ${accountUsers.id} = value->>'person'
        and ${accountUsers.accountId} = value->>'account'
      left join ${users} on ${users.id} = ${accountUsers.userId}
      left join ${notificationRules} on ${notificationRules.id} = ${accountUsers.notificationRuleId}
        and ${notificationRules.accountId} = value->>'account' and ${notificationRules.enabled}
      left join ${alertWorkflows} on ${alertWorkflows.id} = value->>'workflow'`;
}

const DEFAULTS: readonly Channel[] = ["push", "email", "sms", "voice"];

function toKnown(row: RawRow): RecipientFacts {
  const phones = parseList(row.phones);
  const person = {
    accountUserId: String(row.id),
    name: String(row.name ?? ""),
    active: row.state === "active",
    timeZone: String(row.time_zone),
    addresses: {
      push: row.pushed_to === null ? [] : [String(row.pushed_to)],
      email: parseList(row.emails),
      sms: phones,
      voice: phones,
    },
    defaults: DEFAULTS.filter((channel) => Number(row[channel]) === 1),
  };
  const workflow = {
    state: row.workflow_state as WorkflowState,
    version: Number(row.workflow_version),
  };
  return {
    person: row.id === null ? null : person,
    rule: row.rules === null ? null : toRule(String(row.rule_name), String(row.rules)),
    workflow: row.workflow_state === null ? null : workflow,
  };
}

const parseList = (value: unknown) => JSON.parse(String(value ?? "[]")) as string[];

/** Parsed rule documents by their text: in an alert storm the same ones are needed repeatedly. */
const documentCache = new Map<string, NotificationRules | null>();
const MAX_DOCUMENTS = 100;

/** An unreadable stored document counts as none, so that the person is still notified. */
function toRule(name: string, text: string): PersonalRule {
  let rules = documentCache.get(text);
  if (rules === undefined) {
    const result = readNotificationRules(text);
    rules = result.ok ? result.rules : null;
    if (documentCache.size >= MAX_DOCUMENTS) documentCache.clear();
    documentCache.set(text, rules);
  }
  return rules === null ? null : { name, rules };
}
