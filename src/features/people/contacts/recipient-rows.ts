// Reads how people can be notified: their contacts, preferences, notification rule, and the state
// of the workflow. One statement for any number of pages.
import { type SQLWrapper, sql } from "drizzle-orm";
import type { WorkflowState } from "../../../domain/alerts/alert.ts";
import type { PersonalRule } from "../../../domain/notifications/notification-plan.ts";
import type { PageMessage } from "../../../domain/notifications/page.ts";
import type { NotificationRecipient } from "../../../domain/people/contact.ts";
import { MESSENGERS, type MessengerChannel } from "../../../domain/people/messengers.ts";
import type { NotificationRules } from "../../../domain/routing/rules/notification-rules.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { all, parsed, type RowOf, select, truth } from "../../../kernel/db/select.ts";
import { notificationRules } from "../../schema/integrations.ts";
import {
  accountUsers,
  channelAddresses,
  pushSubscriptions,
  userEmails,
  userPhones,
  users,
} from "../../schema/people.ts";
import { alertWorkflows } from "../../schema/views/alert-workflows.ts";
import { contactOrder, isSeenBy } from "./contact-rows.ts";

/** A person's name in an account: as the inviter wrote it until the person approves. */
export const memberName = sql<string>`(case when ${accountUsers.state} = 'active' then ${users.name}
  else ${accountUsers.invitedName} end)`;

export type RecipientQuery = {
  readonly accountId: string;
  readonly alert: { readonly id: string } | null;
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
  const recipients = requests.map(({ accountId, alert, page }) => ({
    effect: page.effectId,
    account: accountId,
    alert: alert?.id,
    person: page.accountUserId,
    workflow: page.workflowId,
  }));
  const query = select(
    recipientColumns,
    sql`from json_each(${JSON.stringify(recipients)})
      left join ${accountUsers} on ${accountUsers.id} = value->>'person'
        and ${accountUsers.accountId} = value->>'account'
      left join ${users} on ${users.id} = ${accountUsers.userId}
      left join ${notificationRules} on ${notificationRules.id} = ${accountUsers.notificationRuleId}
        and ${notificationRules.accountId} = value->>'account' and ${notificationRules.enabled}`,
  );
  const rows = await all(db, query);
  const documents = await readDocuments(rows.flatMap(({ rules }) => rules ?? []));
  return new Map(rows.map((row) => [row.effectId, toFacts(row, documents)]));
}

const { accountId } = accountUsers;

const usableEmails = sql`(select json_group_array(email order by ${contactOrder(userEmails)})
  from ${userEmails} where ${userEmails.userId} = ${users.id} and ${userEmails.blockedAt} is null
    and ${isSeenBy(userEmails, accountId)})`;

const usablePhones = sql`(select json_group_array(phone order by ${contactOrder(userPhones)})
  from ${userPhones} where ${userPhones.userId} = ${users.id} and not ${userPhones.blocked}
    and ${userPhones.confirmedAt} is not null and ${isSeenBy(userPhones, accountId)})`;

/** `[channel, prefix_id]` of the person's confirmed addresses on messengers, oldest first. */
const usableAddresses = sql`(select json_group_array(json_array(channel, prefix_id) order by id)
  from ${channelAddresses} where ${channelAddresses.accountUserId} = ${accountUsers.id}
    and ${channelAddresses.confirmedAt} is not null)`;

const hasBrowser = sql`exists (select 1 from ${pushSubscriptions}
  where ${pushSubscriptions.accountUserId} = ${accountUsers.id})`;

/** Null = not joined: no such membership, no rule, or no workflow (yet). */
const orNull = <Value>(column: SQLWrapper) => sql<Value | null>`${column}`;

/** Of the page's workflow. Not joined: the view would be read as a whole. */
const ofWorkflow = (column: SQLWrapper) => sql`(select ${column} from ${alertWorkflows}
  where ${alertWorkflows.accountId} = json_each.value->>'account'
    and ${alertWorkflows.alertId} = json_each.value->>'alert'
    and ${alertWorkflows.id} = json_each.value->>'workflow')`;

const recipientColumns = {
  effectId: sql<string>`value->>'effect'`,
  id: orNull<string>(accountUsers.id),
  name: sql<string>`coalesce(${memberName}, '')`,
  active: truth(sql`${accountUsers.state} = 'active'`),
  timeZone: sql<string>`${users.timeZone}`,
  emails: parsed<readonly string[]>(usableEmails),
  phones: parsed<readonly string[]>(usablePhones),
  /** The person's `prefix_id` if a browser of theirs is subscribed. */
  pushedTo: sql<string | null>`iif(${hasBrowser}, ${accountUsers.prefixId}, null)`,
  messengers: parsed<readonly (readonly [MessengerChannel, string])[]>(usableAddresses),
  push: users.notifyPush,
  email: users.notifyEmail,
  sms: users.notifySms,
  voice: users.notifyVoice,
  repeatsCalls: truth(users.notifyVoiceRepeat),
  ruleName: sql<string>`${notificationRules.name}`,
  /** The text of the rule document. */
  rules: orNull<string>(notificationRules.rules),
  workflowState: orNull<WorkflowState>(ofWorkflow(alertWorkflows.state)),
  workflowVersion: sql<number>`${ofWorkflow(alertWorkflows.version)}`,
};

const DEFAULTS = ["push", "email", "sms", "voice"] as const;

/** The `prefix_id`s of addresses by channel; without those that have none. */
function addressesByChannel(
  addresses: readonly (readonly [MessengerChannel, string])[],
): Readonly<Partial<Record<MessengerChannel, readonly string[]>>> {
  const grouped: Partial<Record<MessengerChannel, string[]>> = {};
  for (const [channel, to] of addresses) grouped[channel] = [...(grouped[channel] ?? []), to];
  return grouped;
}

function toFacts(row: RowOf<typeof recipientColumns>, documents: Documents): RecipientFacts {
  const { id, name, active, timeZone, emails, phones, pushedTo } = row;
  const messengers = addressesByChannel(row.messengers);
  const person =
    id === null
      ? null
      : {
          accountUserId: id,
          name,
          active,
          timeZone,
          addresses: {
            push: pushedTo === null ? [] : [pushedTo],
            email: emails,
            sms: phones,
            voice: phones,
            ...messengers,
          },
          defaults: [
            ...DEFAULTS.filter((channel) => row[channel]),
            ...MESSENGERS.filter((channel) => messengers[channel] !== undefined),
          ],
          repeatsCalls: row.repeatsCalls,
        };
  const { workflowState: state, workflowVersion: version } = row;
  return {
    person,
    rule: row.rules === null ? null : toRule(row.ruleName, row.rules, documents),
    workflow: state === null ? null : { state, version },
  };
}

/** Rule documents by their text; null: one is unreadable. */
type Documents = ReadonlyMap<string, NotificationRules | null>;

/** Those that were parsed last: in an alert storm the same ones are needed repeatedly. */
const parsedDocuments = new Map<string, NotificationRules | null>();
const MAX_DOCUMENTS = 100;

/**
 * Parses what is not known yet, by code that only people with rules of their own need. What is returned is the caller's
 * own: others that read at the same time may empty the cache.
 */
async function readDocuments(texts: readonly string[]): Promise<Documents> {
  const documents = new Map<string, NotificationRules | null>();
  for (const text of texts) {
    const known = parsedDocuments.get(text);
    if (known !== undefined) documents.set(text, known);
  }
  const unknown = texts.filter((text) => !documents.has(text));
  if (unknown.length === 0) return documents;
  const { readNotificationRules } = await import(
    "../../../domain/routing/rules/notification-rules.ts"
  );
  for (const text of unknown) {
    const result = readNotificationRules(text);
    const rules = result.ok ? result.rules : null;
    documents.set(text, rules);
    if (parsedDocuments.size >= MAX_DOCUMENTS) parsedDocuments.clear();
    parsedDocuments.set(text, rules);
  }
  return documents;
}

/** An unreadable stored document counts as none, so that the person is still notified. */
function toRule(name: string, text: string, documents: Documents): PersonalRule {
  const rules = documents.get(text) ?? null;
  return rules === null ? null : { name, rules };
}
