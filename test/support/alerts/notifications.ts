// Notification rows that tests insert and read directly.
import { env } from "cloudflare:workers";
import { newId } from "../../../src/kernel/db/identifiers.ts";

/** The identity of a notification of an instant (epoch ms). */
export const newNotification = (at: number) => ({ id: newId(at), createdAt: at, updatedAt: at });

/** A notification as stored, without `account_id` and its own columns' defaults. */
export type StoredNotification = Readonly<Record<string, string | number | null>>;

/** Reads the notifications of an account that meet a condition in SQL, the latest first. */
export async function storedNotifications(
  accountId: string,
  condition = "true",
  ...values: readonly unknown[]
): Promise<StoredNotification[]> {
  const query = `select * from notifications where account_id = ? and ${condition} order by id desc`;
  const { results } = await env.DB.prepare(query)
    .bind(accountId, ...values)
    .all<StoredNotification>();
  return results;
}
