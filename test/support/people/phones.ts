// Telephone numbers of a test's people, and notifications sent to them.
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { answerCode } from "../../../src/features/people/channels/answer-code.ts";
import { notifications } from "../../../src/features/schema/alerts.ts";
import { accountUsers, userPhones } from "../../../src/features/schema/people.ts";
import { alertWorkflows } from "../../../src/features/schema/views/alert-workflows.ts";
import { build, statement } from "../../../src/kernel/db/database.ts";
import { newIdentity } from "../../../src/kernel/db/identifiers.ts";
import { newNotification } from "../alerts/notifications.ts";
import type { Account } from "../api/api.ts";

let numbers = 0;

/** A unique telephone number. */
export function freshNumber(): string {
  numbers += 1;
  return `+1415${String(Date.now() % 1_000).padStart(3, "0")}${String(numbers).padStart(4, "0")}`;
}

/** Inserts a person's number, confirmed by default. */
export async function givePhone(
  accountUserId: string,
  options: { number?: string; confirmed?: boolean; blocked?: boolean } = {},
): Promise<string> {
  const { number = freshNumber(), confirmed = true, blocked = false } = options;
  const now = Date.now();
  const member = sql`select ${accountUsers.userId} as user_id,
    ${accountUsers.accountId} as account_id from ${accountUsers}
    where ${accountUsers.id} = ${accountUserId}`;
  const row = await statement(env.DB, member).first<{ user_id: string; account_id: string }>();
  const phone = {
    ...newIdentity("phone", now),
    userId: String(row?.user_id),
    phone: number,
    primary: true,
    blocked,
    confirmedAt: confirmed ? now : null,
    confirmedBySelf: confirmed,
    accountId: row?.account_id ?? null,
  };
  await statement(env.DB, build.insert(userPhones).values(phone)).run();
  return number;
}

/** The code of a notification's SMS. */
export const codeOf = (accountUserId: string, notificationId: string): string =>
  answerCode(env, { accountUserId, id: notificationId }) ?? "";

/** Inserts a sent SMS or call to a person; returns the notification's id. */
export async function paged(
  { accountId }: Account,
  alertId: string,
  accountUserId: string,
  channel: "sms" | "voice",
  to: string,
  more: Partial<typeof notifications.$inferInsert> = {},
): Promise<string> {
  const workflow = sql`select ${alertWorkflows.id} as id from ${alertWorkflows}
    where ${alertWorkflows.alertId} = ${alertId}`;
  const found = await statement(env.DB, workflow).first<{ id: string }>();
  const row = {
    ...newNotification(Date.now()),
    accountId,
    ownerId: alertId,
    effect: `:${channel}:${to}`,
    workflowId: found?.id ?? null,
    accountUserId,
    channel,
    to,
    event: "alert.open",
    status: "sent" as const,
    attempts: 1,
    ...more,
  };
  await statement(env.DB, build.insert(notifications).values(row)).run();
  return row.id;
}
