// Rows of accounts whose alerts somebody watches in the console, and the watchers' sessions.
import { type SQL, sql } from "drizzle-orm";
import type { NotificationKey } from "../../../domain/notifications/page.ts";
import { type Select, select } from "../../../kernel/db/select.ts";
import { notifications } from "../../schema/alerts.ts";
import { watchedAccounts } from "../../schema/bookkeeping.ts";
import { accountUsers } from "../../schema/people.ts";
import { sessions } from "../../schema/sessions.ts";

/** Selects the account if it is watched at `now` (epoch ms). Reads no row if it is not. */
export const selectWatched = (accountId: string, now: number): Select<{ until: number }> =>
  select(
    { until: watchedAccounts.until },
    sql`from ${watchedAccounts}
      where ${watchedAccounts.accountId} = ${accountId} and ${watchedAccounts.until} > ${now}`,
  );

/** An alert of an account that somebody watches. */
export type WatchedAlert = { readonly accountId: string; readonly alertId: string };

/**
 * Selects the alerts of notifications whose accounts are watched at `now` (epoch ms). Of accounts
 * that nobody watches it reads no row.
 */
export const selectWatchedAlerts = (
  keys: readonly NotificationKey[],
  now: number,
): Select<WatchedAlert> => {
  const sent = JSON.stringify(keys.map((it) => [it.accountId, it.accountUserId, it.id]));
  return select(
    {
      accountId: watchedAccounts.accountId,
      alertId: sql<string>`${notifications.alertId}`,
    },
    sql`from json_each(${sent}) as it
      cross join ${watchedAccounts} on ${watchedAccounts.accountId} = it.value ->> 0
        and ${watchedAccounts.until} > ${now}
      cross join ${notifications} on ${notifications.accountId} = ${watchedAccounts.accountId}
        and ${notifications.accountUserId} = it.value ->> 1
        and ${notifications.id} = it.value ->> 2
      where ${notifications.alertId} is not null group by 1, 2`,
  );
};

/** Marks the account as watched until an instant (epoch ms). */
export const watchAccount = (accountId: string, until: number): SQL =>
  sql`insert into ${watchedAccounts} (account_id, until) values (${accountId}, ${until})
    on conflict do update set until = excluded.until`;

export const unwatchAccount = (accountId: string): SQL =>
  sql`delete from ${watchedAccounts} where account_id = ${accountId}`;

/** Selects those of the sessions, by token hash, that may watch the account's alerts at `now`. */
export const selectWatchingSessions = (
  accountId: string,
  tokenHashes: readonly string[],
  now: number,
): Select<{ tokenHash: string }> =>
  select(
    { tokenHash: sessions.tokenHash },
    sql`from json_each(${JSON.stringify(tokenHashes)}) as watching
      join ${sessions} on ${sessions.tokenHash} = watching.value
      where ${sessions.expiresAt} > ${now} and exists (select 1 from ${accountUsers}
        where ${accountUsers.userId} = ${sessions.userId}
          and ${accountUsers.accountId} = ${accountId} and ${accountUsers.state} = 'active')`,
  );
