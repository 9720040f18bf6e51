// Telephone numbers: whether they are blocked, and which pages their owners got. A number may
// belong to several people, and a person to several accounts.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { NotificationKey } from "../../../domain/notifications/page.ts";
import { firstIdentifierAt } from "../../../domain/shared/retention.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { all, batch, first, parsed, select, truth } from "../../../kernel/db/select.ts";
import { alerts, notifications } from "../../schema/alerts.ts";
import { accountUsers, userPhones, users } from "../../schema/people.ts";
import { alertWorkflows } from "../../schema/views/alert-workflows.ts";
import { isSeenBy } from "./contact-rows.ts";

/** How old a page may be to be answered (ms). */
const ANSWERABLE_MS = 7 * 86_400_000;

/** How long an unprojected alert may be missing (ms); later a missing one was deleted. */
const UNPROJECTED_MS = 600_000;

/** Most pages, the latest, that an answer is matched against. */
const MAX_PAGES = 200;

const blocking = (number: string, blocked: boolean, now: number): SQL =>
  sql`update ${userPhones} set blocked = ${blocked}, updated_at = ${now}
    where ${userPhones.phone} = ${number} and ${userPhones.blocked} <> ${blocked}`;

/** Blocks or unblocks a number for every person who has it, after the writes before. */
export async function blockNumber(
  db: Connection,
  number: string,
  blocked: boolean,
  now = Date.now(),
  before: readonly SQLWrapper[] = [],
): Promise<void> {
  await batch(db, [...before, blocking(number, blocked, now)]);
}

/** Reads who has a number that is not blocked. */
export const readUnblockedOwners = (db: Connection, number: string) =>
  all(
    db,
    select(
      { userId: userPhones.userId },
      sql`from ${userPhones} where ${userPhones.phone} = ${number} and not ${userPhones.blocked}`,
    ),
  );

/** The active members who have confirmed the number, with their notifications. */
export const ownersOf = (number: string): SQL => sql`${userPhones}
    join ${users} on ${users.id} = ${userPhones.userId}
    join ${accountUsers} on ${accountUsers.userId} = ${users.id} and ${accountUsers.state} = 'active'
    join ${notifications} on ${notifications.accountId} = ${accountUsers.accountId}
      and ${notifications.accountUserId} = ${accountUsers.id}
  where ${userPhones.phone} = ${number} and ${userPhones.confirmedAt} is not null
    and ${isSeenBy(userPhones, accountUsers.accountId)}`;

/** An alert that the owner of a number was notified of. */
export type SmsPage = {
  readonly accountId: string;
  readonly alertId: string;
  readonly accountUserId: string;
  readonly name: string;
  readonly timeZone: string;
  readonly title: string;
  /** The notifications of it, the latest last. */
  readonly notificationIds: readonly string[];
  /** Whether it still waits for an answer, as projected in D1. */
  readonly isOpen: boolean;
};

/** An alert that has no row yet counts as open, and so does one whose workflows have none. */
const isOpen = sql`coalesce(${alerts.status} = 'open', 1) and coalesce(
  (select max(${alertWorkflows.state} = 'open') from ${alertWorkflows}
    where ${alertWorkflows.accountId} = asked.account_id and ${alertWorkflows.alertId} = asked.alert_id
      and ${alertWorkflows.id} in (select value from json_each(asked.workflow_ids))), 1)`;

/** Reads the alerts that a number's confirmed owners got by SMS, the latest first. */
export const readSmsPages = (
  db: Connection,
  number: string,
  now: number,
): Promise<readonly SmsPage[]> =>
  all(
    db,
    select(
      {
        accountId: sql<string>`asked.account_id`,
        alertId: sql<string>`asked.alert_id`,
        accountUserId: sql<string>`asked.account_user_id`,
        name: sql<string>`asked.name`,
        timeZone: sql<string>`asked.time_zone`,
        notificationIds: parsed<readonly string[]>(sql`asked.ids`),
        title: sql<string>`coalesce(${alerts.title}, '')`,
        isOpen: truth(isOpen),
      },
      sql`from (select ${notifications.accountId} as account_id, ${notifications.alertId} as alert_id,
          ${accountUsers.id} as account_user_id, ${users.name} as name,
          ${users.timeZone} as time_zone,
          json_group_array(${notifications.id} order by ${notifications.id}) as ids,
          json_group_array(${notifications.workflowId}) as workflow_ids,
          max(${notifications.createdAt}) as at
        from ${ownersOf(number)} and ${notifications.channel} = 'sms' and ${notifications.to} = ${number}
          and ${notifications.event} = 'alert.open' and ${notifications.attempts} > 0
          and ${notifications.id} > ${firstIdentifierAt(now - ANSWERABLE_MS)}
        group by 1, 2, 3 order by at desc limit ${MAX_PAGES}) as asked
      left join ${alerts} on ${alerts.id} = asked.alert_id and ${alerts.accountId} = asked.account_id
      where ${alerts.id} is not null or asked.at > ${now - UNPROJECTED_MS}
      order by asked.at desc`,
    ),
  );

/** A call about an alert. */
export type CalledPage = Omit<SmsPage, "title" | "notificationIds" | "isOpen"> & {
  /** As stored, with the provider's name; null until it is known. */
  readonly providerId: string | null;
  readonly attempts: number;
};

/** Reads the person and alert of a call; null if the notification or the membership is gone. */
export const readCall = (
  db: Connection,
  { accountId, accountUserId, id }: NotificationKey,
): Promise<CalledPage | null> =>
  first(
    db,
    select(
      {
        accountId: notifications.accountId,
        // Never null: a condition of the select.
        alertId: sql<string>`${notifications.alertId}`,
        accountUserId: accountUsers.id,
        name: users.name,
        timeZone: users.timeZone,
        providerId: notifications.providerId,
        attempts: notifications.attempts,
      },
      sql`from ${notifications}
        join ${accountUsers} on ${accountUsers.id} = ${notifications.accountUserId}
          and ${accountUsers.accountId} = ${notifications.accountId} and ${accountUsers.state} = 'active'
        join ${users} on ${users.id} = ${accountUsers.userId}
      where ${notifications.accountId} = ${accountId}
        and ${notifications.accountUserId} = ${accountUserId} and ${notifications.id} = ${id}
        and ${notifications.channel} = 'voice'
        and ${notifications.alertId} is not null`,
    ),
  );
