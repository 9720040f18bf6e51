// Delivery reports of providers on accepted messages. A report may arrive before the send is
// recorded, twice, or out of order; final states do not change.
import { sql } from "drizzle-orm";
import type { NotificationKey } from "../../../domain/notifications/page.ts";
import type { Channel } from "../../../domain/people/contact.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { all, batch, type RowOf, returning } from "../../../kernel/db/select.ts";
import {
  selectWatchedAlerts,
  type WatchedAlert,
} from "../../alerts/object/watched-account-rows.ts";
import { hasKeyIn } from "../../people/channels/attempt-rows.ts";
import { notifications } from "../../schema/alerts.ts";

/** How long after failing notifications a repeated call still returns them (ms). */
const REPEATABLE_MS = 300_000;

export type DeliveryReport = {
  readonly status: "sent" | "delivered" | "failed";
  /** The provider's id. If a message was sent twice, only the recorded id can fail it. */
  readonly providerId: string;
  readonly reason: string | null;
};

const reportedColumns = {
  id: notifications.id,
  accountId: notifications.accountId,
  accountUserId: notifications.accountUserId,
  channel: sql<Channel>`${notifications.channel}`,
  to: sql<string>`${notifications.to}`,
  /** When it failed first; null if it has not failed. */
  failedAt: notifications.failedAt,
};

/** A notification changed by a report. */
type ReportedNotification = RowOf<typeof reportedColumns>;

/**
 * Records a report on a message or bundle. Returns the changed notifications, and the alert of the
 * message if somebody watches it. A repeated report of a failure returns them again for some minutes, so that
 * what follows can be repeated.
 */
export async function recordDelivery(
  db: Connection,
  key: NotificationKey,
  { status, providerId, reason }: DeliveryReport,
  now: number,
): Promise<{
  readonly reported: readonly ReportedNotification[];
  readonly watched: readonly WatchedAlert[];
}> {
  const { accountId, accountUserId, id } = key;
  const update = sql`update ${notifications} set status = ${status}, reason = ${reason},
      provider_id = coalesce(provider_id, ${providerId}), claimed_until = null, updated_at = ${now},
      sent_at = coalesce(sent_at, ${now}),
      delivered_at = ${status === "delivered" ? now : null},
      failed_at = case when status = 'failed' then failed_at else ${status === "failed" ? now : null} end
    where account_id = ${accountId} and account_user_id = ${accountUserId}
      and id in (select ${id} union all select bundled.id
        from notifications as bundled indexed by notifications_bundled
        where bundled.account_id = ${accountId} and bundled.account_user_id = ${accountUserId}
          and bundled.due_at is not null and bundled.provider_id = ${providerId})
      and channel in ('sms', 'voice', 'email', 'whatsapp')
      and (status in ('queued', ${status === "sent" ? "queued" : "sent"})
        or (${status} = 'failed' and status = 'failed' and provider_id = ${providerId}
          and reason is ${reason} and failed_at > ${now - REPEATABLE_MS}))
      and (${status} <> 'failed' or coalesce(provider_id, ${providerId}) = ${providerId})`;
  const [reported, watched] = await batch(db, [
    returning(update, reportedColumns),
    selectWatchedAlerts([key], now),
  ]);
  return { reported, watched };
}

/**
 * Fails the notifications of which no final report has come. Returns the ids of those, also if an
 * earlier call failed them, so that what follows can be repeated.
 */
export function failUnconfirmed(
  db: Connection,
  keys: readonly NotificationKey[],
  reason: string,
  now: number,
): Promise<readonly { readonly id: string }[]> {
  const update = sql`update ${notifications} set status = 'failed', reason = ${reason},
      failed_at = coalesce(failed_at, ${now}), updated_at = ${now}
    where ${hasKeyIn(keys)} and (status = 'sent'
      or (status = 'failed' and reason = ${reason} and failed_at > ${now - REPEATABLE_MS}))`;
  return all(db, returning(update, { id: notifications.id }));
}
