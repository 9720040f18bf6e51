// What alerts show of an account's setup: that a page was sent, and that it was answered. It is stored
// with the account when it happens, since alerts and notifications are not kept for ever.
import { type SQL, sql } from "drizzle-orm";
import type { Alert } from "../../../domain/alerts/alert.ts";
import type { NotificationKey } from "../../../domain/notifications/page.ts";
import { hasKeyIn } from "../../people/channels/attempt-rows.ts";
import { exercises, notifications, notificationsByOwner } from "../../schema/alerts.ts";
import { accounts } from "../../schema/people.ts";

/**
 * Stores that a page was sent, if one of these was the account's first: of an alert or a drill, not a
 * person's own test page.
 *
 * @param sent the notifications that providers have just accepted
 */
export function notePagesSent(sent: readonly NotificationKey[], now: number): SQL | null {
  if (sent.length === 0) return null;
  const accountIds = JSON.stringify([...new Set(sent.map(({ accountId }) => accountId))]);
  return sql`update ${accounts} set page_sent_at = ${now}
    where ${accounts.id} in (select value from json_each(${accountIds})) and page_sent_at is null
      and exists (select 1 from ${notifications}
        where ${hasKeyIn(sent)} and account_id = ${accounts.id} and event = 'alert.open'
          and not exists (select 1 from ${exercises} where ${exercises.accountId} = ${accounts.id}
            and ${exercises.alertId} = owner_id and ${exercises.kind} = 'test'))`;
}

/** The people who acknowledged it and had been asked. */
const answererIds = ({ workflows }: Alert): string[] =>
  workflows.flatMap(({ acknowledgedBy: by, askedIds }) =>
    by !== undefined && askedIds.includes(by) ? [by] : [],
  );

/**
 * Stores that a page was answered, if this alert's was the account's first: somebody to whom it was
 * sent has acknowledged. Null for an alert that nobody has answered.
 */
export function notePageAnswered(alert: Alert): SQL | null {
  const { accountId, id, updatedAt: now } = alert;
  const people = answererIds(alert);
  if (people.length === 0 || alert.exercise === "test") return null;
  return sql`update ${accounts} set page_answered_at = ${now}
    where ${accounts.id} = ${accountId} and page_answered_at is null
      and exists (select 1 from ${notificationsByOwner}
        where account_id = ${accountId} and owner_id = ${id} and event = 'alert.open'
          and status in ('sent', 'delivered')
          and account_user_id in (select value from json_each(${JSON.stringify(people)})))`;
}
