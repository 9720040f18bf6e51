// A push message that a browser has shown.
import { sql } from "drizzle-orm";
import type { NotificationKey } from "../../../domain/notifications/page.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { batch, returning } from "../../../kernel/db/select.ts";
import {
  selectWatchedAlerts,
  type WatchedAlert,
} from "../../alerts/object/watched-account-rows.ts";
import { markSeen } from "../../people/push-subscriptions/seen-push-rows.ts";
import { notifications } from "../../schema/alerts.ts";

/**
 * Records that a push was delivered, and that the browser of this subscription was seen; it may be shown before its sending
 * is recorded. Of several browsers the first counts. Returns the alert if that changed it and somebody watches it.
 */
export async function recordPushReceipt(
  db: Connection,
  { accountId, accountUserId, id }: NotificationKey,
  subscriptionId: string,
  now: number,
): Promise<readonly WatchedAlert[]> {
  const update = sql`update ${notifications} set status = 'delivered', reason = null,
      claimed_until = null, sent_at = coalesce(sent_at, ${now}), delivered_at = ${now}, updated_at = ${now}
    where account_id = ${accountId} and account_user_id = ${accountUserId} and id = ${id}
      and channel = 'push' and (status = 'sent' or (status = 'queued' and attempts > 0))`;
  const [changed, watched] = await batch(db, [
    returning(update, { id: notifications.id }),
    selectWatchedAlerts([{ accountId, accountUserId, id }], now),
    markSeen(accountUserId, subscriptionId, now),
  ]);
  return changed.length > 0 ? watched : [];
}
