// When the browsers that receive a person's push messages last gave a sign of life.
import { type SQL, sql } from "drizzle-orm";
import { select } from "../../../kernel/db/select.ts";
import { accountUsers, pushSubscriptions, users } from "../../schema/people.ts";

/** How much later (ms) a further sign of life is worth a write. */
const SEEN_AGAIN_MS = 6 * 3_600_000;

const isOlder = (now: number): SQL =>
  sql`coalesce(${pushSubscriptions.seenAt}, ${pushSubscriptions.createdAt}) < ${now - SEEN_AGAIN_MS}`;

/** Records that a person's browser has shown a push (epoch ms). `id`: of its subscription. */
export const markSeen = (accountUserId: string, id: string, now: number): SQL =>
  sql`update ${pushSubscriptions} set seen_at = ${now}
    where ${pushSubscriptions.id} = ${id} and ${pushSubscriptions.accountUserId} = ${accountUserId}
      and ${isOlder(now)}`;

/** Records that the browser with this endpoint has opened the console (epoch ms). */
export const markOpened = (accountUserId: string, endpoint: string, now: number): SQL =>
  sql`update ${pushSubscriptions} set seen_at = ${now}
    where ${pushSubscriptions.accountUserId} = ${accountUserId}
      and ${pushSubscriptions.endpoint} = ${endpoint} and ${isOlder(now)}`;

/** Selects the browser with this endpoint, if it is subscribed for the person. */
export const selectSubscribed = (accountUserId: string, endpoint: string) =>
  select(
    { id: pushSubscriptions.id },
    sql`from ${pushSubscriptions} where ${pushSubscriptions.accountUserId} = ${accountUserId}
      and ${pushSubscriptions.endpoint} = ${endpoint}`,
  );

/** Selects the browsers of an active member, with the person's time zone. */
export const selectPushBrowsers = (accountId: string, accountUserId: string) =>
  select(
    {
      name: pushSubscriptions.name,
      seenAt: sql<number>`coalesce(${pushSubscriptions.seenAt}, ${pushSubscriptions.createdAt})`,
      timeZone: users.timeZone,
    },
    sql`from ${pushSubscriptions}
      join ${accountUsers} on ${accountUsers.id} = ${pushSubscriptions.accountUserId}
        and ${accountUsers.state} = 'active'
      join ${users} on ${users.id} = ${accountUsers.userId}
      where ${pushSubscriptions.accountId} = ${accountId}
        and ${pushSubscriptions.accountUserId} = ${accountUserId}
      order by ${pushSubscriptions.createdAt}, ${pushSubscriptions.id}`,
  );
