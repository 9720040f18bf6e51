// Messages about an alert that stay open at their providers: those that still repeat or have
// buttons although their person is no longer asked.
import { type SQL, sql } from "drizzle-orm";
import type { StoredEntry } from "../../../domain/alerts/stored-alert.ts";
import { CLOSED_MESSENGERS } from "../../../domain/notifications/close-message.ts";
import type { NotificationKey } from "../../../domain/notifications/page.ts";
import { parsed, type RowOf, select } from "../../../kernel/db/select.ts";
import { hasKeyIn } from "../../people/channels/attempt-rows.ts";
import { alerts, notifications } from "../../schema/alerts.ts";
import { channelAddresses } from "../../schema/people.ts";
import { alertWorkflows } from "../../schema/views/alert-workflows.ts";
import { timelineOfAlert } from "../alerts/timeline-rows.ts";

const isOpenOf = (accountId: string, alertId: string): SQL =>
  sql`${notifications.accountId} = ${accountId} and ${notifications.ownerId} = ${alertId}
    and ${notifications.event} = 'alert.open' and ${notifications.closedAt} is null
    and ${notifications.providerId} is not null and ${notifications.status} in ('sent', 'delivered')
    and ${notifications.channel} in (select value from json_each(${JSON.stringify(CLOSED_MESSENGERS)}))`;

/** Selects one row if the alert has messages that stay open. */
export const selectHasOpenMessages = (accountId: string, alertId: string) =>
  select(
    { id: notifications.id },
    sql`from notifications indexed by notifications_owner
      where ${isOpenOf(accountId, alertId)} limit 1`,
  );

/** Whether the message names no other alert: a bundle has no buttons and does not repeat. */
const isAlone = sql`not exists (select 1
  from notifications as others indexed by notifications_bundled
  where others.account_id = ${notifications.accountId}
    and others.account_user_id = ${notifications.accountUserId} and others.due_at is not null
    and others.provider_id = ${notifications.providerId} and others.id <> ${notifications.id})`;

/** Whether the person of a notification has rejected, or its workflow waits for nobody. */
export const isAnswered = sql`(${alerts.status} = 'resolved' or ${alerts.id} is null or exists (
  select 1 from ${alertWorkflows}
  where ${alertWorkflows.accountId} = ${notifications.accountId}
    and ${alertWorkflows.alertId} = ${notifications.ownerId}
    and ${alertWorkflows.id} = ${notifications.workflowId}
    and ${alertWorkflows.state} in ('acknowledged', 'rejected', 'cancelled'))
  or exists (select 1 from json_each(${alerts.workflows}) as asking,
      json_each(asking.value, '$.rejected') as rejection
    where asking.value ->> 'id' = ${notifications.workflowId}
      and rejection.value = ${notifications.accountUserId}))`;

const openColumns = {
  accountId: notifications.accountId,
  accountUserId: notifications.accountUserId,
  id: notifications.id,
  /** Never null: a condition of the select. */
  providerId: sql<string>`${notifications.providerId}`,
  channel: channelAddresses.channel,
  settings: channelAddresses.settings,
  title: sql<string>`coalesce(${alerts.title}, 'the alert was deleted')`,
  status: sql<string>`coalesce(${alerts.status}, 'resolved')`,
  entries: parsed<readonly StoredEntry[]>(sql`coalesce(${timelineOfAlert}, '[]')`),
};

/** A message to end at its provider. */
export type OpenMessage = RowOf<typeof openColumns>;

/** Selects the messages of an alert that are to be ended, with their addresses. */
export const selectOpenMessages = (accountId: string, alertId: string) =>
  select(
    openColumns,
    sql`from notifications indexed by notifications_owner
      join ${channelAddresses} on ${channelAddresses.accountId} = ${notifications.accountId}
        and ${channelAddresses.prefixId} = ${notifications.to}
      left join ${alerts} on ${alerts.accountId} = ${notifications.accountId}
        and ${alerts.id} = ${notifications.ownerId}
      where ${isOpenOf(accountId, alertId)} and ${isAlone} and ${isAnswered}`,
  );

/** Marks messages as ended at their providers. */
export const markClosed = (keys: readonly NotificationKey[], now: number): SQL =>
  sql`update ${notifications} set closed_at = ${now}, updated_at = ${now} where ${hasKeyIn(keys)}`;
