// Attempts to send messages, in the rows of their notifications: claimed with a lease, recorded, and read again to judge
// providers by.
import { type SQL, sql } from "drizzle-orm";
import type {
  RecordedDelivery,
  ReportedChannel,
} from "../../../domain/notifications/delivery-deadline.ts";
import type { NotificationKey } from "../../../domain/notifications/page.ts";
import { firstIdentifierAt } from "../../../domain/shared/retention.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { all, select } from "../../../kernel/db/select.ts";
import { notifications, notificationsByOwner } from "../../schema/alerts.ts";

/** The lease on a claimed row (ms); longer than any provider may take to respond. */
export const LEASE_MS = 20_000;

/** The condition that a row has one of these keys; `columns` where other tables are joined. */
export const hasKeyIn = (
  keys: readonly NotificationKey[],
  columns = sql`account_id, account_user_id, id`,
): SQL =>
  sql`(${columns}) in (
    select value->>'accountId', value->>'accountUserId', value->>'id'
    from json_each(${JSON.stringify(keys)}))`;

/** The condition that a row is to be sent now, and nobody is sending it. */
export const isUnclaimed = (now: number): SQL =>
  sql`${notifications.status} = 'queued' and ${notifications.dueAt} is null
    and coalesce(${notifications.claimedUntil}, 0) <= ${now}`;

export type RecordedAttempt = NotificationKey & {
  readonly status: "queued" | "sent" | "failed";
  readonly reason: string | null;
  readonly providerId: string | null;
  /** For `queued`: not to be retried before (epoch ms). */
  readonly claimedUntil: number | null;
};

/** Records the results of claimed rows. Rows that are already recorded do not change. */
export function recordAttempts(attempts: readonly RecordedAttempt[], now: number): SQL {
  return sql`update ${notifications} set status = it.value->>'status', reason = it.value->>'reason',
      provider_id = it.value->>'providerId', claimed_until = it.value->>'claimedUntil', updated_at = ${now},
      sent_at = case it.value->>'status' when 'sent' then ${now} end,
      failed_at = case it.value->>'status' when 'failed' then ${now} end
    from json_each(${JSON.stringify(attempts)}) as it
    where notifications.account_id = it.value->>'accountId'
      and notifications.account_user_id = it.value->>'accountUserId'
      and notifications.id = it.value->>'id' and notifications.status = 'queued'`;
}

/** Most notifications that are read, those of the latest alerts. */
const MAX_ROWS = 100;

/**
 * Reads the notifications of alerts and broadcasts since `since` (epoch ms). The index leads with
 * the account and the alert's id, which has its time: rows read do not grow with the table.
 */
export const readRecentDeliveries = (
  db: Connection,
  accountId: string,
  channel: ReportedChannel,
  since: number,
): Promise<readonly RecordedDelivery[]> =>
  all(
    db,
    select(
      {
        accountUserId: notifications.accountUserId,
        channel: sql<ReportedChannel>`${notifications.channel}`,
        status: notifications.status,
        providerId: notifications.providerId,
        reason: notifications.reason,
        sentAt: notifications.sentAt,
        deliveredAt: notifications.deliveredAt,
        failedAt: notifications.failedAt,
      },
      sql`from ${notificationsByOwner} where account_id = ${accountId}
        and owner_id >= ${firstIdentifierAt(since)} and channel = ${channel}
        and provider_id is not null
      order by owner_id desc limit ${MAX_ROWS}`,
    ),
  );
