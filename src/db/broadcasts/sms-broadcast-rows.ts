// The broadcasts that the owner of a number got by SMS.
import { sql } from "drizzle-orm";
import { ownersOf } from "../people/phone-rows.ts";
import type { RawRow } from "../records/attributes.ts";
import { notifications } from "../schema/alerts.ts";
import { broadcastResponseOptions } from "../schema/messages.ts";
import { accountUsers } from "../schema/people.ts";
import { type Connection, statement } from "../shared/database.ts";

export type SmsBroadcast = {
  readonly id: string;
  readonly accountId: string;
  readonly accountUserId: string;
  readonly options: readonly { readonly id: string; readonly value: string }[];
};

/** How old a broadcast may be to be answered (ms), and how many are matched. */
const ANSWERABLE_MS = 30 * 86_400_000;
const MAX_BROADCASTS = 100;

/** Reads the broadcasts with options that a number's confirmed owners got, the latest first. */
export async function readSmsBroadcasts(
  db: Connection,
  number: string,
  now: number,
): Promise<readonly SmsBroadcast[]> {
  const query = sql`select distinct ${notifications.broadcastId} as id,
      ${notifications.accountId} as account_id, ${accountUsers.id} as account_user_id,
      (select json_group_array(json_object('id', ${broadcastResponseOptions.id},
          'value', ${broadcastResponseOptions.value}) order by ${broadcastResponseOptions.position})
        from ${broadcastResponseOptions}
        where ${broadcastResponseOptions.broadcastId} = ${notifications.broadcastId}) as options
    from ${ownersOf(number)} and ${notifications.channel} = 'sms' and ${notifications.to} = ${number}
      and ${notifications.broadcastId} is not null and ${notifications.attempts} > 0
      and ${notifications.createdAt} > ${now - ANSWERABLE_MS}
    order by ${notifications.createdAt} desc limit ${MAX_BROADCASTS}`;
  const { results } = await statement(db, query).all<RawRow>();
  const all = results.map((row) => ({
    id: String(row.id),
    accountId: String(row.account_id),
    accountUserId: String(row.account_user_id),
    options: JSON.parse(String(row.options)) as SmsBroadcast["options"],
  }));
  return all.filter(({ options }) => options.length > 0);
}
