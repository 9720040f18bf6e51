// What an audit reads from D1, in one batch: alerts that have not ended and what belongs to them,
// by partial indexes; the rows read do not grow with what has ended. Each list of records that break
// an invariant is limited.
import { sql } from "drizzle-orm";
import { UNCONFIRMED } from "../../../domain/notifications/delivery-deadline.ts";
import { LATE_MS } from "../../../domain/operations/invariants.ts";
import { firstIdentifierAt } from "../../../domain/shared/retention.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../domain/shared/time.ts";
import { type Select, select } from "../../../kernel/db/select.ts";
import {
  type NamedObject,
  selectUnpaged,
  selectUnprojected,
} from "../../alerts/object/sweep-rows.ts";
import { alerts, notifications, notificationsByOwner } from "../../schema/alerts.ts";
import { deliveries, integrations } from "../../schema/integrations.ts";
import { broadcasts } from "../../schema/messages.ts";
import { accounts } from "../../schema/people.ts";

/** Records that break an invariant, at most. */
const MAX_FOUND = 100;
/** Above this number, waiting deliveries and ended alerts are not counted further. */
const MAX_COUNTED = 10_000;
/** How far back broadcasts and requests are checked (ms). */
const BROADCASTS_MS = 7 * DAY;
const REQUESTS_MS = 5 * MINUTE;
/** Before this age (ms), an alert's projection or notification may be under way. */
const UNDER_WAY_MS = 45 * SECOND;
/** Integrations whose inboxes are asked in one audit, and accounts whose teams are, in turn. */
export const MAX_INTEGRATIONS = 10;
export const MAX_ACCOUNTS = 3;
/** Between these ages (ms), a message should have a receipt. */
const RECEIPT_MS = { from: 90 * SECOND, to: 15 * MINUTE };

const livingAlerts = sql`${accounts} cross join ${alerts} on ${alerts.accountId} = ${accounts.id}
  and ${alerts.status} <> 'resolved' and ${alerts.status} in ('queued', 'open', 'acknowledged')`;

/** Alerts that have not ended, by status. */
export const selectAlertTotals = () =>
  select(
    { status: alerts.status, total: sql<number>`count(*)` },
    sql`from ${livingAlerts} group by ${alerts.status}`,
  );

/** Alerts that ended without an answer, by status, up to a maximum: they are many. */
export const selectEndedTotals = () =>
  select(
    { status: sql<string>`status`, total: sql<number>`count(*)` },
    sql`from (select ${alerts.status} as status from ${accounts} cross join ${alerts}
        on ${alerts.accountId} = ${accounts.id} and ${alerts.status} <> 'resolved'
          and ${alerts.status} in ('dropped', 'suppressed') limit ${MAX_COUNTED})
    group by status`,
  );

/** Open alerts without a next step. */
export const selectTimerless = (): Select<NamedObject> =>
  select(
    { name: alerts.prefixId },
    sql`from ${livingAlerts}
    where ${alerts.status} = 'open' and ${alerts.nextStepAt} is null limit ${MAX_FOUND}`,
  );

/** Alerts whose next step is late. `now` in epoch ms, here and below. */
export const selectLateSteps = (now: number): Select<NamedObject> =>
  select(
    { name: alerts.prefixId },
    sql`from ${livingAlerts}
    where ${alerts.nextStepAt} < ${now - LATE_MS.step} limit ${MAX_FOUND}`,
  );

const pagesOfOpenAlerts = sql`${livingAlerts} cross join ${notificationsByOwner}
    on ${notifications.accountId} = ${alerts.accountId} and ${notifications.ownerId} = ${alerts.id}
  where ${alerts.status} = 'open'`;

const isWaiting = sql`${notifications.status} = 'queued' and ${notifications.dueAt} is null`;

/** The oldest notification of an open alert that waits to be sent (epoch ms). */
export const selectOldestPage = () =>
  select(
    { at: sql<number | null>`min(${notifications.createdAt})` },
    sql`from ${pagesOfOpenAlerts} and ${isWaiting}`,
  );

/** Alerts with a notification that waits, and that nobody has tried for a while. */
export const selectUntriedPages = (now: number): Select<NamedObject> =>
  select(
    { name: alerts.prefixId },
    sql`from ${pagesOfOpenAlerts} and ${isWaiting}
      and ${notifications.createdAt} < ${now - LATE_MS.page}
      and coalesce(${notifications.claimedUntil}, 0) < ${now - LATE_MS.page}
    group by ${alerts.prefixId} limit ${MAX_FOUND}`,
  );

/** Alerts of which somebody was sent two messages on one address for one effect. */
export const selectRepeatedPages = (): Select<NamedObject> =>
  select(
    { name: alerts.prefixId },
    sql`from ${pagesOfOpenAlerts} and ${notifications.status} in ('sent', 'delivered')
    group by ${alerts.prefixId}, ${notifications.accountUserId}, ${notifications.effect},
      ${notifications.stage}, ${notifications.channel}, ${notifications.to}
    having count(*) > 1 limit ${MAX_FOUND}`,
  );

/** Alerts whose layer has no notification. */
export const selectUnnotifying = (now: number): Select<NamedObject> =>
  selectUnpaged(now - UNDER_WAY_MS, MAX_FOUND);

/** Alerts that recent requests name and that are not in D1. */
export const selectMissing = (now: number): Select<NamedObject> =>
  selectUnprojected(now - UNDER_WAY_MS, MAX_FOUND, REQUESTS_MS);

/** Broadcasts that wait to be sent, or that are open after their deadline. */
export const selectLateBroadcasts = (now: number): Select<NamedObject> => {
  const before = now - LATE_MS.broadcast;
  const isLate = sql`(${broadcasts.status} = 'queued' and ${broadcasts.createdAt} < ${before}
    or ${broadcasts.status} = 'open' and ${broadcasts.responseRequestedBy} < ${before})`;
  return select(
    { name: broadcasts.prefixId },
    sql`from ${accounts} cross join ${broadcasts} on ${broadcasts.accountId} = ${accounts.id}
      and ${broadcasts.createdAt} > ${now - BROADCASTS_MS}
    where ${isLate} limit ${MAX_FOUND}`,
  );
};

const queued = sql`${deliveries} where ${deliveries.status} = 'queued'`;

/** The number of waiting deliveries, up to a maximum. */
export const selectWaitingDeliveries = () =>
  select(
    { total: sql<number>`count(*)` },
    sql`from (select 1 from ${queued} limit ${MAX_COUNTED})`,
  );

/** Integrations with an overdue delivery: the first of its ordering key, which others wait for. */
export const selectOverdueDeliveries = (now: number): Select<NamedObject> =>
  select(
    { name: integrations.prefixId },
    sql`from ${deliveries} cross join ${integrations}
      on ${integrations.id} = ${deliveries.integrationId}
    where ${deliveries.status} = 'queued' and ${deliveries.nextAt} < ${now - LATE_MS.delivery}
      and not exists (select 1 from ${deliveries} as earlier where earlier.status = 'queued'
        and earlier.integration_id = ${deliveries.integrationId}
        and earlier.lane = ${deliveries.lane}
        and (earlier.happened_at, earlier.sequence)
          < (${deliveries.happenedAt}, ${deliveries.sequence}))
    group by ${integrations.prefixId} limit ${MAX_FOUND}`,
  );

/** The next integrations after an id that have received something: their inboxes are asked. */
export const selectInboxes = (after: string) =>
  select(
    { id: integrations.id, name: integrations.prefixId },
    sql`from ${integrations}
    where ${integrations.id} > ${after} and ${integrations.receivedAt} is not null
    order by ${integrations.id} limit ${MAX_INTEGRATIONS}`,
  );

/** The next accounts after an id: their teams are asked who is on call. */
export const selectNextAccounts = (after: string) =>
  select(
    { id: accounts.id },
    sql`from ${accounts} where ${accounts.id} > ${after} order by ${accounts.id}
    limit ${MAX_ACCOUNTS}`,
  );

/** Alerts created since then, of any status, count too (ms); at most so many, in a storm. */
const ENDED_MS = HOUR;
const MAX_ENDED = 200;

/**
 * By channel and provider, the messages whose receipts are due, and how many were delivered: those of
 * open alerts, of others that changed lately, and of alerts of the last hour that have ended since.
 * A message that was sent again since no report came was not delivered.
 */
export const selectReceipts = (now: number) => {
  const living = sql`select ${alerts.accountId} as account_id, ${alerts.id} as id from ${livingAlerts}
    where ${alerts.status} = 'open' or ${alerts.updatedAt} > ${now - RECEIPT_MS.to}`;
  const ended = sql`select ${alerts.accountId} as account_id, ${alerts.id} as id from ${accounts}
    cross join ${alerts} on ${alerts.accountId} = ${accounts.id}
      and ${alerts.id} >= ${firstIdentifierAt(now - ENDED_MS)}
    where ${alerts.status} not in ('queued', 'open', 'acknowledged') limit ${MAX_ENDED}`;
  const marker = sql`substr(${notifications.providerId}, 1, instr(${notifications.providerId}, ':'))`;
  return select(
    {
      channel: notifications.channel,
      marker: sql<string>`coalesce(${marker}, '')`,
      total: sql<number>`count(*)`,
      addresses: sql<number>`count(distinct ${notifications.to})`,
      delivered: sql<number>`sum(${notifications.status} = 'delivered')`,
    },
    sql`from (select * from (${living}) union all select * from (${ended})) as recent
      cross join ${notificationsByOwner} on ${notifications.accountId} = recent.account_id
        and ${notifications.ownerId} = recent.id
    where ${notifications.channel} in ('sms', 'voice', 'email', 'whatsapp')
      and (${notifications.status} in ('sent', 'delivered') or ${notifications.status} = 'failed'
        and substr(${notifications.reason}, 1, ${UNCONFIRMED.length}) = ${UNCONFIRMED})
      and ${notifications.sentAt} < ${now - RECEIPT_MS.from}
      and ${notifications.sentAt} > ${now - RECEIPT_MS.to}
    group by ${notifications.channel}, 2`,
  );
};
