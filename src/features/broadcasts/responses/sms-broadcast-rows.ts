// The broadcasts that the owner of a number got by SMS.
import { sql } from "drizzle-orm";
import { firstIdentifierAt } from "../../../domain/shared/retention.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { all, parsed, select } from "../../../kernel/db/select.ts";
import { ownersOf } from "../../people/contacts/phone-rows.ts";
import { notifications } from "../../schema/alerts.ts";
import { broadcastResponseOptions } from "../../schema/messages.ts";
import { accountUsers, users } from "../../schema/people.ts";

export type SmsBroadcast = {
  readonly id: string;
  readonly accountId: string;
  readonly accountUserId: string;
  /** The person's name. */
  readonly name: string;
  /** The notifications of it, the latest last. */
  readonly notificationIds: readonly string[];
  readonly options: readonly Option[];
};

type Option = { readonly id: string; readonly value: string };

/** How old a broadcast may be to be answered (ms), and how many are matched. */
const ANSWERABLE_MS = 30 * 86_400_000;
const MAX_BROADCASTS = 100;

/** Reads the broadcasts with options that a number's confirmed owners got, the latest first. */
export async function readSmsBroadcasts(
  db: Connection,
  number: string,
  now: number,
): Promise<readonly SmsBroadcast[]> {
  const query = select(
    {
      id: sql<string>`${notifications.broadcastId}`,
      accountId: notifications.accountId,
      accountUserId: accountUsers.id,
      name: users.name,
      notificationIds: parsed<readonly string[]>(
        sql`json_group_array(${notifications.id} order by ${notifications.id})`,
      ),
      options: parsed<readonly Option[]>(sql`(select json_group_array(
          json_object('id', ${broadcastResponseOptions.id},
            'value', ${broadcastResponseOptions.value})
          order by ${broadcastResponseOptions.position})
        from ${broadcastResponseOptions}
        where ${broadcastResponseOptions.broadcastId} = ${notifications.broadcastId})`),
    },
    sql`from ${ownersOf(number)} and ${notifications.channel} = 'sms'
        and ${notifications.to} = ${number} and ${notifications.broadcastId} is not null
        and ${notifications.attempts} > 0 and ${notifications.id} > ${firstIdentifierAt(now - ANSWERABLE_MS)}
      group by ${notifications.broadcastId}, ${accountUsers.id}
      order by max(${notifications.createdAt}) desc limit ${MAX_BROADCASTS}`,
  );
  return (await all(db, query)).filter(({ options }) => options.length > 0);
}
