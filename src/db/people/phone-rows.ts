// Telephone numbers: whether they are blocked, and which pages their owners got. A number may
// belong to several people, and a person to several accounts.
import { type SQL, sql } from "drizzle-orm";
import { alerts, alertWorkflows, notifications } from "../schema/alerts.ts";
import { accountUsers, userPhones, users } from "../schema/people.ts";
import { type Connection, statement } from "../shared/database.ts";
import { isSeenBy } from "./contact-rows.ts";

/** How old a page may be to be answered (ms). */
const ANSWERABLE_MS = 7 * 86_400_000;

/** How long an unprojected alert may be missing (ms); later a missing one was deleted. */
const UNPROJECTED_MS = 600_000;

/** Most pages, the latest, that an answer is matched against. */
const MAX_PAGES = 200;

/** Blocks or unblocks a number for every person who has it. */
export async function blockNumber(
  db: Connection,
  number: string,
  blocked: boolean,
  now = Date.now(),
): Promise<void> {
  const query = sql`update ${userPhones} set blocked = ${blocked}, updated_at = ${now}
    where ${userPhones.phone} = ${number} and ${userPhones.blocked} <> ${blocked}`;
  await statement(db, query).run();
}

/** An alert that the owner of a number was notified of by SMS. */
export type SmsPage = {
  readonly accountId: string;
  readonly alertId: string;
  readonly accountUserId: string;
  readonly name: string;
  readonly title: string;
  /** Whether it still waits for an answer, as projected in D1. */
  readonly isOpen: boolean;
};

/** The active members who have confirmed the number, with their notifications. */
export const ownersOf = (number: string): SQL => sql`${userPhones}
    join ${users} on ${users.id} = ${userPhones.userId}
    join ${accountUsers} on ${accountUsers.userId} = ${users.id} and ${accountUsers.state} = 'active'
    join ${notifications} on ${notifications.accountId} = ${accountUsers.accountId}
      and ${notifications.accountUserId} = ${accountUsers.id}
  where ${userPhones.phone} = ${number} and ${userPhones.confirmedAt} is not null
    and ${isSeenBy(userPhones, accountUsers.accountId)}`;

/** Reads the alerts that a number's confirmed owners got by SMS, the latest first. */
export async function readSmsPages(
  db: Connection,
  number: string,
  now: number,
): Promise<readonly SmsPage[]> {
  const owners = ownersOf(number);
  const query = sql`select asked.*, ${alerts.title} as title, ${alerts.status} as status,
      (select max(${alertWorkflows.state} = 'open') from ${alertWorkflows}
        where ${alertWorkflows.id} in (select value from json_each(asked.workflow_ids))) as is_asked
    from (select ${notifications.accountId} as account_id, ${notifications.alertId} as alert_id,
        ${accountUsers.id} as account_user_id, ${users.name} as name,
        json_group_array(${notifications.workflowId}) as workflow_ids,
        max(${notifications.createdAt}) as at
      from ${owners} and ${notifications.channel} = 'sms' and ${notifications.to} = ${number}
        and ${notifications.event} = 'alert.open' and ${notifications.attempts} > 0
        and ${notifications.createdAt} > ${now - ANSWERABLE_MS}
      group by 1, 2, 3 order by at desc limit ${MAX_PAGES}) as asked
    left join ${alerts} on ${alerts.id} = asked.alert_id and ${alerts.accountId} = asked.account_id
    where ${alerts.id} is not null or asked.at > ${now - UNPROJECTED_MS}
    order by asked.at desc`;
  const { results } = await statement(db, query).all<Record<string, unknown>>();
  return results.map((row) => ({
    accountId: String(row.account_id),
    alertId: String(row.alert_id),
    accountUserId: String(row.account_user_id),
    name: String(row.name),
    title: String(row.title ?? ""),
    isOpen: ["open", null].includes(row.status as string | null) && row.is_asked !== 0,
  }));
}

/** Reads the person and alert of a call; null if the notification or the membership is gone. */
export async function readCall(db: Connection, notificationId: string): Promise<SmsPage | null> {
  const query = sql`select ${notifications.accountId} as account_id, ${users.name} as name,
      ${notifications.alertId} as alert_id, ${accountUsers.id} as account_user_id
    from ${notifications} join ${accountUsers} on ${accountUsers.id} = ${notifications.accountUserId}
      and ${accountUsers.accountId} = ${notifications.accountId} and ${accountUsers.state} = 'active'
      join ${users} on ${users.id} = ${accountUsers.userId}
    where ${notifications.id} = ${notificationId} and ${notifications.channel} = 'voice'
      and ${notifications.alertId} is not null`;
  const row = await statement(db, query).first<Record<string, unknown>>();
  if (row === null) return null;
  return {
    accountId: String(row.account_id),
    alertId: String(row.alert_id),
    accountUserId: String(row.account_user_id),
    name: String(row.name),
    title: "",
    isOpen: true,
  };
}
