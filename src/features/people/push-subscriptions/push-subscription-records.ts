// The push subscriptions of a person's browsers: what a record shows, and the subscriptions that a
// push is sent to.
import { sql } from "drizzle-orm";
import { commonAttributes, nested, reference, string } from "../../../kernel/db/attributes.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { all, batch, type RowOf, select } from "../../../kernel/db/select.ts";
import { accountUsers, pushSubscriptions } from "../../schema/people.ts";
import type { PushKeys } from "./contract.ts";

export const pushSubscriptionRecords: Records<"PushSubscription"> = {
  kind: "push_subscription",
  shows: "PushSubscription",
  from: pushSubscriptions,
  accountId: pushSubscriptions.accountId,
  id: pushSubscriptions.id,
  prefixId: pushSubscriptions.prefixId,
  attributes: {
    ...commonAttributes(pushSubscriptions),
    account_user_id: reference(
      pushSubscriptions.accountUserId,
      pushSubscriptions.accountId,
      accountUsers,
    ),
    name: string(pushSubscriptions.name),
    endpoint: string(pushSubscriptions.endpoint),
    keys: nested(sql<PushKeys>`json_object('p256dh', '***', 'auth', '***')`),
  },
  search: [pushSubscriptions.name],
  total: "push_subscriptions",
};

const storedColumns = {
  id: pushSubscriptions.id,
  endpoint: pushSubscriptions.endpoint,
  p256dh: pushSubscriptions.p256dh,
  auth: pushSubscriptions.auth,
};

export type StoredSubscription = RowOf<typeof storedColumns>;

/** Reads the subscriptions of the account user with this `prefix_id` in this account. */
export const readPushSubscriptions = (
  db: Connection,
  accountId: string,
  prefixId: string,
): Promise<readonly StoredSubscription[]> =>
  all(
    db,
    select(
      storedColumns,
      sql`from ${pushSubscriptions} join ${accountUsers}
        on ${accountUsers.id} = ${pushSubscriptions.accountUserId}
      where ${accountUsers.accountId} = ${accountId} and ${accountUsers.prefixId} = ${prefixId}`,
    ),
  );

/**
 * Deletes subscriptions that their push service no longer accepts, and stores with their people that
 * they ended (epoch ms).
 */
export async function deletePushSubscriptions(
  db: Connection,
  ids: readonly string[],
  now: number,
): Promise<void> {
  const those = sql`${pushSubscriptions} where ${pushSubscriptions.id}
    in (select value from json_each(${JSON.stringify(ids)}))`;
  await batch(db, [
    sql`update ${accountUsers} set push_ended_at = ${now}
      where ${accountUsers.id} in (select ${pushSubscriptions.accountUserId} from ${those})`,
    sql`delete from ${those}`,
  ]);
}
