// What the count of a day on Cloudflare's free plan reads and writes. Only what is new since the last count is read.
import { sql } from "drizzle-orm";
import { firstIdentifierAt } from "../../../domain/shared/retention.ts";
import { changeDay, ofDay } from "../../../kernel/db/daily-use.ts";
import { returning, select } from "../../../kernel/db/select.ts";
import { dailyUse } from "../../../kernel/db/tables.ts";
import { alerts, notifications } from "../../schema/alerts.ts";
import { accounts, accountUsers, userEmails } from "../../schema/people.ts";

const { day, told, alerts: alertCount, messages: messageCount } = dailyUse;
const count = { total: sql<number>`count(*)` };

/** Alerts between two identifiers, the second included. */
export const selectNewAlerts = (after: string, to: string) =>
  select(
    count,
    sql`from ${accounts} cross join ${alerts} on ${alerts.accountId} = ${accounts.id}
      and ${alerts.id} > ${after} and ${alerts.id} <= ${to}`,
  );

/** Messages to people between two identifiers, the second included. */
export const selectNewMessages = (after: string, to: string) =>
  select(
    count,
    sql`from ${accountUsers} cross join ${notifications}
      on ${notifications.accountId} = ${accountUsers.accountId}
      and ${notifications.accountUserId} = ${accountUsers.id}
      and ${notifications.id} > ${after} and ${notifications.id} <= ${to}`,
  );

/** The identifier up to which is counted at an instant (epoch ms). */
export const countableTo = (at: number): string => firstIdentifierAt(at);

/** Adds to a day's counts. `today`: its start (epoch ms), here and below. */
export const addToDay = (
  today: number,
  added: { readonly alerts: number; readonly messages: number },
  to: string,
) =>
  changeDay(today, {
    alerts: sql`${ofDay(alertCount, today, 0)} + ${added.alerts}`,
    messages: sql`${ofDay(messageCount, today, 0)} + ${added.messages}`,
    countedTo: sql`${to}`,
  });

/** Claims the mail of a day; the second has a row unless it was claimed before. */
export function claimMail(today: number) {
  const [begin, claim] = changeDay(
    today,
    { told: sql`1` },
    sql`not (${day} = ${today} and ${told} = 1)`,
  );
  return [begin, returning(claim, { day })] as const;
}

/** Gives the claim back: nothing could be sent. */
export const releaseMail = (today: number) => changeDay(today, { told: sql`0` });

/** Addresses of admins that are mailed at most. */
const MAX_ADMINS = 20;

/** The primary addresses of the admins of all accounts. */
export const selectAdminAddresses = () =>
  select(
    { email: sql<string>`distinct ${userEmails.email}` },
    sql`from ${accountUsers} cross join ${userEmails} on ${userEmails.userId} = ${accountUsers.userId}
      where ${accountUsers.admin} = 1 and ${accountUsers.state} = 'active'
        and ${userEmails.primary} = 1 and ${userEmails.blockedAt} is null
      order by 1 limit ${MAX_ADMINS}`,
  );
