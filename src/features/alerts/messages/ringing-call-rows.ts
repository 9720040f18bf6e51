// Calls about an alert that may still be ringing although nobody in them is asked any more.
import { type AnyColumn, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { StoredEntry } from "../../../domain/alerts/stored-alert.ts";
import type { NotificationKey } from "../../../domain/notifications/page.ts";
import { MINUTE } from "../../../domain/shared/time.ts";
import { parsed, type RowOf, returning, select, truth } from "../../../kernel/db/select.ts";
import { hasKeyIn } from "../../people/channels/attempt-rows.ts";
import { alerts, notifications } from "../../schema/alerts.ts";
import { timelineOfAlert } from "../alerts/timeline-rows.ts";
import { isAnswered } from "./open-message-rows.ts";

/** How long a call takes at most (ms): until somebody takes it, its text twice, and a key. */
const CALL_MS = 5 * MINUTE;

type Columns = Record<
  "accountId" | "ownerId" | "event" | "channel" | "providerId" | "closedAt" | "status" | "sentAt",
  AnyColumn
>;

/** A call that is being hung up is `skipped` already: its report is no failure to deliver. */
const isRinging = (row: Columns, accountId: string, alertId: string, now: number) =>
  sql`${row.accountId} = ${accountId} and ${row.ownerId} = ${alertId}
    and ${row.event} = 'alert.open' and ${row.channel} = 'voice'
    and ${row.providerId} is not null and ${row.closedAt} is null
    and ${row.status} in ('sent', 'skipped') and ${row.sentAt} > ${now - CALL_MS}`;

/** Selects one row if a call about the alert may be ringing. `now` in epoch ms. */
export const selectHasRinging = (accountId: string, alertId: string, now: number) =>
  select(
    { id: notifications.id },
    sql`from notifications indexed by notifications_owner
      where ${isRinging(notifications, accountId, alertId, now)} limit 1`,
  );

const callColumns = {
  accountId: notifications.accountId,
  accountUserId: notifications.accountUserId,
  id: notifications.id,
  /** Never null: a condition of the select. The same for all notifications of one call. */
  providerId: sql<string>`${notifications.providerId}`,
  isAnswered: truth(isAnswered),
  entries: parsed<readonly StoredEntry[]>(sql`coalesce(${timelineOfAlert}, '[]')`),
};

/** A notification that a call is about. */
export type RingingCall = RowOf<typeof callColumns>;

const ringing = alias(notifications, "ringing");
const bundled = alias(notifications, "bundled");

/** Selects the notifications of the calls about an alert: a call may be about other alerts too. */
export const selectRinging = (accountId: string, alertId: string, now: number) =>
  select(
    callColumns,
    sql`from ${notifications}
      left join ${alerts} on ${alerts.accountId} = ${notifications.accountId}
        and ${alerts.id} = ${notifications.ownerId}
      where ${notifications.accountId} = ${accountId}
        and (${notifications.accountUserId}, ${notifications.id}) in (
          select ringing.account_user_id, ringing.id
            from notifications as ringing indexed by notifications_owner
            where ${isRinging(ringing, accountId, alertId, now)}
          union select bundled.account_user_id, bundled.id
            from notifications as ringing indexed by notifications_owner
            cross join notifications as bundled indexed by notifications_bundled
              on ${bundled.accountId} = ${ringing.accountId}
              and ${bundled.accountUserId} = ${ringing.accountUserId}
              and ${bundled.providerId} = ${ringing.providerId} and ${bundled.dueAt} is not null
            where ${isRinging(ringing, accountId, alertId, now)})`,
  );

/**
 * Says that calls are being hung up, before they are. Returns those that a report has not ended
 * meanwhile, also if an earlier attempt has said so.
 */
export const markHangingUp = (keys: readonly NotificationKey[], reason: string, now: number) =>
  returning(
    sql`update ${notifications} set status = 'skipped', reason = ${reason}, updated_at = ${now}
      where ${hasKeyIn(keys)} and status in ('sent', 'skipped')`,
    { id: notifications.id },
  );
