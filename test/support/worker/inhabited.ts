// Creates an account with one record of every kind. Every text contains the account's own word, so
// that a leak into another account is found by searching for the word and the ids.
import { env } from "cloudflare:workers";
import { prefixIdOf, type RecordKind } from "../../../src/domain/shared/identifiers.ts";
import { exercises, notifications } from "../../../src/features/schema/alerts.ts";
import { deliveries } from "../../../src/features/schema/integrations.ts";
import { chatAccounts } from "../../../src/features/schema/people.ts";
import { build, statement } from "../../../src/kernel/db/database.ts";
import { newIdentity } from "../../../src/kernel/db/identifiers.ts";
import { newNotification } from "../alerts/notifications.ts";
import { type Account, makeAccount } from "../api/api.ts";
import { newCalendar } from "../oncall/calendars.ts";
import { MESSENGER_HOSTS } from "../providers/messengers.ts";
import { newSubscription, openPushService } from "../providers/push.ts";

/** Both forms of a record's identifier. */
export type Pair = { readonly id: string; readonly prefixId: string };

export type Inhabited = Account & {
  /** Part of every name, title, text and address of the account. */
  readonly word: string;
  /** An alert besides the one in `ids`. */
  readonly otherAlertId: string;
  readonly ids: Readonly<Record<Exclude<RecordKind, "account">, Pair>>;
};

const RULES = "rules:\n  - match: { always: true }\n    actions: [{ type: ignore }]\n";

/** Inserts a notification, which the API cannot create. */
async function insertNotification(
  { accountId }: Account,
  word: string,
  alertId: string,
  personId: string,
): Promise<Pair> {
  const now = Date.now();
  const notification = {
    ...newNotification(now),
    accountId,
    ownerId: alertId,
    effect: `${word}-effect`,
    accountUserId: personId,
    channel: "email",
    to: `${word}@example.com`,
    event: "alert.open",
    status: "sent" as const,
  };
  await statement(env.DB, build.insert(notifications).values(notification)).run();
  return { id: notification.id, prefixId: prefixIdOf("notification", notification.id) };
}

/** Inserts a delivery of an outgoing integration. */
async function insertDelivery({ accountId }: Account, word: string, integrationId: string) {
  const now = Date.now();
  const delivery = {
    ...newIdentity("delivery", now),
    accountId,
    integrationId,
    effectId: `${word}-effect`,
    event: "alert.open",
    lane: word,
    happenedAt: now,
    sequence: 0,
    status: "failed" as const,
    reason: `${word} answered 500`,
    queuedAt: now,
  };
  await statement(env.DB, build.insert(deliveries).values(delivery)).run();
  return delivery;
}

/** Inserts a linked account in a chat, which only its own link can create. */
export async function insertChatAccount(
  { accountId, accountUserId }: Account,
  word: string,
): Promise<Pair> {
  const row = {
    ...newIdentity("chat_account", Date.now()),
    ...{ accountId, accountUserId, product: "slack" as const, workspaceId: "T0123456789" },
    ...{ chatUserId: `U${word.toUpperCase()}`, name: `${word} chatter` },
  };
  await statement(env.DB, build.insert(chatAccounts).values(row)).run();
  return { id: row.id, prefixId: row.prefixId };
}

const pairOf = (body: { id: string; prefix_id: string }): Pair => ({
  id: body.id,
  prefixId: body.prefix_id,
});

/** Creates the account. Its browsers are reachable until the test's mocks are restored. */
export async function makeInhabited(word: string): Promise<Inhabited> {
  openPushService();
  const account = await makeAccount(`${word} Admin`);
  const { api, accountUserId } = account;
  const make = async (path: string, body: unknown) => {
    const made = await api("POST", path, body);
    if (made.status !== 201) throw new Error(`${path}: ${made.text}`);
    return made.body;
  };
  const person = await make("/account_users", {
    user_attributes: {
      name: `${word} Colleague`,
      emails_attributes: [{ email: `${word}.colleague@example.com` }],
      phones_attributes: [{ phone: "+14155550123" }],
    },
  });
  const team = await make("/teams", {
    name: `${word} team`,
    notes: `${word} notes`,
    member_account_user_ids: [person.id],
    admin_account_user_ids: [accountUserId],
  });
  const policy = await api("GET", `/escalation_policies/${team.escalation_policy_id}`);
  const schedule = await api("GET", `/schedules/${team.schedule_id}`);
  const event = await make("/events", {
    // So that somebody is on call at every time.
    start_datetime: "2020-01-06T00:00:00Z",
    end_datetime: "2020-01-07T00:00:00Z",
    layer: 1,
    time_zone: "UTC",
    repeat: true,
    frequency: 1,
    frequency_unit: "daily",
    schedule_ids: [team.schedule_id],
    account_user_ids: [person.id, accountUserId],
  });
  await make("/absences", {
    account_user_id: accountUserId,
    start_datetime: "2049-06-07T00:00:00Z",
    end_datetime: "2049-06-09T00:00:00Z",
    instead: "person",
    covering_account_user_id: person.id,
    schedule_ids: [team.schedule_id],
    reason: `${word} reason`,
  });
  const absence = await make("/absences", {
    instead: "ask",
    start_datetime: "2049-06-14T00:00:00Z",
    end_datetime: "2049-06-15T00:00:00Z",
    account_user_ids: [person.id],
    in_return: { start_datetime: "2049-06-21T00:00:00Z", end_datetime: "2049-06-22T00:00:00Z" },
    schedule_ids: [team.schedule_id],
    reason: `${word} appointment`,
  });
  const alert = await make("/alerts", {
    title: `${word} alert`,
    description: `${word} description`,
    urgency: "silent",
    thirdparty_id: `${word}-thirdparty`,
    tags: [`${word}-tag`],
    destination_team_ids: [team.id],
  });
  // A drill's record is its alert.
  const drill = {
    accountId: account.accountId,
    alertId: alert.id,
    kind: "drill" as const,
    startedById: accountUserId,
    teamId: team.id,
  };
  await statement(env.DB, build.insert(exercises).values(drill)).run();
  const otherAlert = await make("/alerts", {
    title: `${word} other alert`,
    urgency: "silent",
    destination_account_user_ids: [person.id],
  });
  const workflows = await api("GET", `/alerts/${alert.id}/workflows`);
  const broadcast = await make("/broadcasts", {
    title: `${word} broadcast`,
    response_requested: true,
    destination_account_user_ids: [accountUserId, person.id],
    broadcast_response_options_attributes: [{ value: `${word} yes` }, { value: "no" }],
  });
  const option = broadcast.broadcast_response_options[0];
  const response = await make(`/broadcasts/${broadcast.id}/responses`, {
    broadcast_response_option_id: option.id,
  });
  const comment = await make(`/alerts/${alert.id}/comments`, { body: `${word} comment` });
  const integration = await make("/integrations", {
    name: `${word} integration`,
    urgency: "silent",
    integration_type_id: "webhook",
    option_token: `${word} token`,
    team_ids: [team.id],
  });
  const window = await make("/maintenance_windows", {
    name: `${word} window`,
    start_datetime: "2030-01-01T00:00:00Z",
    end_datetime: "2030-01-02T00:00:00Z",
    time_zone: "UTC",
    integration_ids: [integration.id],
  });
  const key = await make("/api_keys", { name: `${word} key` });
  const router = await make("/routers", {
    name: `${word} router`,
    rules: RULES,
    default_receiver_account_user_id: person.id,
  });
  const rule = await make("/notification_rules", { name: `${word} rule`, rules: RULES });
  const feed = await make(`/schedules/${schedule.body.id}/feeds`, { name: `${word} feed` });
  const calendarImport = await make("/calendar_imports", {
    schedule_id: schedule.body.id,
    name: `${word} import`,
    ical: newCalendar([{ summary: `${word} shift` }]),
  });
  const absenceCalendar = await make("/absence_calendars", {
    account_user_id: person.id,
    name: `${word} absences`,
    url: `https://${word}.example.com/absences.ics`,
  });
  await make("/absences", {
    account_user_id: person.id,
    start_datetime: "2030-01-01T00:00:00Z",
    end_datetime: "2030-01-02T00:00:00Z",
    reason: `${word} holidays`,
  });
  const bulkOperation = await make("/bulk_operations", {
    action: "acknowledge",
    filter: { title: `${word} nothing` },
  });
  const savedFilter = await make("/saved_filters", {
    name: `${word} filter`,
    filter: { tag: `${word}-tag`, team_id: team.id },
  });
  const companyHoliday = await make("/company_holidays", {
    name: `${word} retreat`,
    start_date: "2030-06-12",
  });
  const subscription = await make("/push_subscriptions", {
    ...newSubscription(),
    name: `${word} browser`,
  });
  const address = await make("/channel_addresses", {
    channel: "ntfy",
    settings: { server: `https://${MESSENGER_HOSTS.ntfy}`, topic: "tocsin-inhabited" },
    name: `${word} topic`,
  });
  const changes = await account.api("GET", `/schedules/${schedule.body.id}/changes`);
  const notification = await insertNotification(account, word, alert.id, person.id);
  const delivery = await insertDelivery(account, word, integration.id);
  const chatAccount = await insertChatAccount(account, word);
  return {
    ...account,
    word,
    otherAlertId: otherAlert.id,
    ids: {
      change: pairOf(changes.body.data[0]),
      bulk_operation: pairOf(bulkOperation),
      saved_filter: pairOf(savedFilter),
      delivery: { id: delivery.id, prefixId: delivery.prefixId },
      notification,
      router: pairOf(router),
      notification_rule: pairOf(rule),
      calendar_feed: pairOf(feed),
      calendar_import: pairOf(calendarImport),
      absence_calendar: pairOf(absenceCalendar),
      company_holiday: pairOf(companyHoliday),
      account_user: pairOf(person),
      user: pairOf(person.user),
      email: pairOf(person.user.emails[0]),
      phone: pairOf(person.user.phones[0]),
      team: pairOf(team),
      schedule: pairOf(schedule.body),
      escalation_policy: pairOf(policy.body),
      escalation_layer: pairOf(policy.body.escalation_layers[0]),
      event: pairOf(event),
      absence: pairOf(absence),
      alert: pairOf(alert),
      alert_workflow: pairOf(workflows.body.data[0]),
      log: { id: alert.id, prefixId: prefixIdOf("log", alert.id) },
      broadcast: pairOf(broadcast),
      broadcast_response: pairOf(response),
      broadcast_response_option: pairOf(option),
      comment: pairOf(comment),
      integration: pairOf(integration),
      integration_type: pairOf(integration.integration_type),
      maintenance_window: pairOf(window),
      api_key: pairOf(key),
      push_subscription: pairOf(subscription),
      channel_address: pairOf(address),
      chat_account: chatAccount,
    },
  };
}
