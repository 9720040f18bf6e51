// An account's recent notifications on a channel, as far as they say something of its providers.
import { sql } from "drizzle-orm";
import type {
  RecordedDelivery,
  ReportedChannel,
} from "../../../domain/notifications/delivery-deadline.ts";
import { firstIdentifierAt } from "../../../domain/shared/retention.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { all, select } from "../../../kernel/db/select.ts";
import { notifications, notificationsByOwner } from "../../schema/alerts.ts";

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
