// Broadcasts: what a record shows, and what a write reads (contract 5).

import { sql } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import {
  instant,
  list,
  nested,
  nestedAs,
  reference,
  references,
} from "../../../kernel/db/attributes.ts";
import { plainAttributes } from "../../../kernel/db/plain-attributes.ts";
import { oneRecord, type Records } from "../../../kernel/db/records.ts";
import { parsed, type RowOf, select } from "../../../kernel/db/select.ts";
import { broadcastResponseOptions, broadcastResponses, broadcasts } from "../../schema/messages.ts";
import { teams } from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";
import type { BroadcastAnswer, BroadcastResponseOption } from "./contract.ts";

type StoredResponse = Omit<BroadcastAnswer, "created_at"> & { readonly created_at: number };

const responses = sql<
  readonly StoredResponse[]
>`(select json_group_array(json_object('id', ${broadcastResponses.id},
    'prefix_id', ${broadcastResponses.prefixId}, 'account_user_id', ${broadcastResponses.accountUserId},
    'broadcast_response_option_id', ${broadcastResponses.broadcastResponseOptionId},
    'channel', ${broadcastResponses.channel}, 'created_at', ${broadcastResponses.createdAt})
    order by ${broadcastResponses.createdAt}, ${broadcastResponses.id})
  from ${broadcastResponses} where ${broadcastResponses.broadcastId} = ${broadcasts.id})`;

const showResponses = (responses: readonly StoredResponse[]): readonly BroadcastAnswer[] =>
  responses.map((response) => ({
    ...response,
    created_at: formatInstant(response.created_at),
  }));

/** The options as JSON, by position, each with its number of responses. */
const options = sql<
  readonly BroadcastResponseOption[]
>`(select json_group_array(json_object('id', ${broadcastResponseOptions.id},
      'prefix_id', ${broadcastResponseOptions.prefixId}, 'value', ${broadcastResponseOptions.value},
      'position', ${broadcastResponseOptions.position}, 'broadcast_responses_count',
      (select count(*) from ${broadcastResponses}
        where ${broadcastResponses.broadcastId} = ${broadcastResponseOptions.broadcastId}
          and ${broadcastResponses.broadcastResponseOptionId} = ${broadcastResponseOptions.id}))
      order by ${broadcastResponseOptions.position})
    from ${broadcastResponseOptions} where ${broadcastResponseOptions.broadcastId} = ${broadcasts.id})`;

export const broadcastRecords: Records<"Broadcast"> = {
  kind: "broadcast",
  shows: "Broadcast",
  from: broadcasts,
  accountId: broadcasts.accountId,
  id: broadcasts.id,
  prefixId: broadcasts.prefixId,
  attributes: {
    ...plainAttributes("Broadcast", broadcasts, []),
    tag_list: list(broadcasts.tags),
    tags: list(broadcasts.tags),
    response_requested_by: instant(broadcasts.responseRequestedBy),
    destination_team_ids: references(broadcasts.destinationTeamIds, broadcasts.accountId, teams),
    destination_account_user_ids: references(
      broadcasts.destinationAccountUserIds,
      broadcasts.accountId,
      accountUsers,
    ),
    account_user_id: reference(broadcasts.accountUserId, broadcasts.accountId, accountUsers),
    broadcast_response_options: nested(options),
    broadcast_responses: nestedAs(responses, showResponses),
  },
  search: [broadcasts.title, broadcasts.tags],
  total: "broadcasts",
};

const storedColumns = {
  id: broadcasts.id,
  updatedAt: broadcasts.updatedAt,
  status: broadcasts.status,
  responseRequested: broadcasts.responseRequested,
  teamIds: broadcasts.destinationTeamIds,
  accountUserIds: broadcasts.destinationAccountUserIds,
  options: parsed<readonly BroadcastResponseOption[]>(options),
};

/** The stored broadcast, as a write reads it. */
export type StoredBroadcast = RowOf<typeof storedColumns>;

export const selectStoredBroadcast = (accountId: string, identifier: Identifier) =>
  select(
    storedColumns,
    sql`from ${broadcasts} where ${oneRecord(broadcasts, accountId, identifier)}`,
  );
