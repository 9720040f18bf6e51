// Responses to broadcasts: what a record shows, and what a response reads and writes. Each
// recipient has one response, over any channel; the last counts (contract 5).
import { type SQL, sql } from "drizzle-orm";
import { type Identifier, parseIdentifier } from "../../../domain/shared/identifiers.ts";
import { firstIdentifierAt } from "../../../domain/shared/retention.ts";
import { instant, reference, selectList, string } from "../../../kernel/db/attributes.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { oneRecord, presentRecord, type Records, selectId } from "../../../kernel/db/records.ts";
import { all, parsed, type Select, select, truth } from "../../../kernel/db/select.ts";
import { ownersOf } from "../../people/contacts/phone-rows.ts";
import { notifications } from "../../schema/alerts.ts";
import { broadcastResponseOptions, broadcastResponses, broadcasts } from "../../schema/messages.ts";
import { accountUsers, users } from "../../schema/people.ts";
import { broadcastRecords, isRecipient } from "../broadcasts/rows.ts";
import type { BroadcastResponse } from "./contract.ts";

const { accountId } = broadcastResponses;

export const broadcastResponseRecords: Records<"BroadcastResponse"> = {
  kind: "broadcast_response",
  shows: "BroadcastResponse",
  from: broadcastResponses,
  accountId,
  id: broadcastResponses.id,
  prefixId: broadcastResponses.prefixId,
  attributes: {
    id: string(broadcastResponses.id),
    prefix_id: string(broadcastResponses.prefixId),
    account_id: string(accountId),
    created_at: instant(broadcastResponses.createdAt),
    updated_at: instant(broadcastResponses.updatedAt),
    broadcast_id: reference(broadcastResponses.broadcastId, accountId, broadcasts),
    account_user_id: reference(broadcastResponses.accountUserId, accountId, accountUsers),
    broadcast_response_option_id: string(broadcastResponses.broadcastResponseOptionId),
    channel: string(broadcastResponses.channel),
  },
  search: [],
  total: "broadcast_responses",
};

type Person = { readonly accountId: string; readonly accountUserId: string };

/**
 * Selects the broadcast, whether the person is a recipient, and the chosen option; `optionId` is
 * null if the broadcast has no such option.
 *
 * @param option the option in either form, as it was sent
 */
export function selectQuestion(person: Person, broadcast: Identifier, option: string) {
  const chosen = parseIdentifier("broadcast_response_option", option)?.value ?? "";
  return select(
    {
      id: broadcasts.id,
      updatedAt: broadcasts.updatedAt,
      status: broadcasts.status,
      responseRequested: broadcasts.responseRequested,
      responseRequestedBy: broadcasts.responseRequestedBy,
      isRecipient: truth(sql`exists (select 1 from ${accountUsers}
        where ${accountUsers.id} = ${person.accountUserId} and ${isRecipient})`),
      optionId: sql<string | null>`(select ${broadcastResponseOptions.id}
        from ${broadcastResponseOptions}
        where ${broadcastResponseOptions.broadcastId} = ${broadcasts.id}
          and (${broadcastResponseOptions.id} = ${chosen}
            or ${broadcastResponseOptions.prefixId} = ${chosen}))`,
    },
    sql`from ${broadcasts} where ${oneRecord(broadcasts, person.accountId, broadcast)}`,
  );
}

/** Selects the person's response to the broadcast. */
export function selectResponseOf(person: Person, broadcast: Identifier): Select<BroadcastResponse> {
  const broadcastId = selectId(broadcastRecords, person.accountId, broadcast);
  const query = sql`select ${selectList(broadcastResponseRecords.attributes)}
    from ${broadcastResponses} where ${broadcastResponses.broadcastId} = (${broadcastId})
      and ${broadcastResponses.accountUserId} = ${person.accountUserId}`;
  return {
    getSQL: () => query,
    toRow: (row) => presentRecord(broadcastResponseRecords, row),
  };
}

type Response = Person & {
  readonly id: string;
  readonly broadcastId: string;
  readonly optionId: string;
  readonly channel: string;
};

/** Inserts a person's response or replaces their earlier one. */
export function putResponse(response: Response, now: number): SQL {
  const { accountId, accountUserId, broadcastId, optionId, channel } = response;
  const { id, prefixId } = newIdentity("broadcast_response", now, response.id);
  return sql`insert into ${broadcastResponses} (id, prefix_id, created_at, updated_at, account_id,
      broadcast_id, account_user_id, broadcast_response_option_id, channel)
    values (${id}, ${prefixId}, ${now}, ${now}, ${accountId}, ${broadcastId},
      ${accountUserId}, ${optionId}, ${channel})
    on conflict (broadcast_id, account_user_id) do update set id = excluded.id,
      prefix_id = excluded.prefix_id, created_at = excluded.created_at, updated_at = excluded.updated_at,
      broadcast_response_option_id = excluded.broadcast_response_option_id, channel = excluded.channel`;
}

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
