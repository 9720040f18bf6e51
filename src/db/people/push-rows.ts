// The push subscriptions of a person's browsers, by membership.
import { sql } from "drizzle-orm";
import { accountUsers, pushSubscriptions } from "../schema/people.ts";
import { type Connection, statement } from "../shared/database.ts";

export type PushSubscription = {
  readonly id: string;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
};

/** Reads the subscriptions of the account user with this `prefix_id` in this account. */
export async function readPushSubscriptions(
  db: Connection,
  accountId: string,
  prefixId: string,
): Promise<readonly PushSubscription[]> {
  const query = sql`select ${pushSubscriptions.id} as id, ${pushSubscriptions.endpoint} as endpoint,
      ${pushSubscriptions.p256dh} as p256dh, ${pushSubscriptions.auth} as auth
    from ${pushSubscriptions} join ${accountUsers}
      on ${accountUsers.id} = ${pushSubscriptions.accountUserId}
    where ${accountUsers.accountId} = ${accountId} and ${accountUsers.prefixId} = ${prefixId}`;
  return (await statement(db, query).all<PushSubscription>()).results;
}

/** Deletes subscriptions that their push service no longer accepts. */
export async function deletePushSubscriptions(
  db: Connection,
  ids: readonly string[],
): Promise<void> {
  const query = sql`delete from ${pushSubscriptions}
    where id in (select value from json_each(${JSON.stringify(ids)}))`;
  await statement(db, query).run();
}
