// Broadcasts in the format of responses, and as a write reads them.
import { sql } from "drizzle-orm";
import type { BroadcastAnswer } from "../../contract/broadcasts/broadcast.ts";
import {
  boolean,
  commonAttributes,
  instant,
  list,
  nested,
  nestedAs,
  type RawRow,
  reference,
  references,
  string,
} from "../../db/records/attributes.ts";
import type { Records } from "../../db/records/records.ts";
import { oneRecord } from "../../db/records/records.ts";
import { broadcastResponses, broadcasts } from "../../db/schema/messages.ts";
import { teams } from "../../db/schema/oncall.ts";
import { accountUsers } from "../../db/schema/people.ts";
import type { BroadcastStatus } from "../../domain/broadcasts/broadcast.ts";
import type { Identifier } from "../../domain/shared/identifiers.ts";
import { formatInstant } from "../../domain/shared/time.ts";
import { optionsOf, type ResponseOption } from "./broadcast-response-options.ts";

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

export const broadcastRecords: Records<"Broadcast"> = {
  kind: "broadcast",
  shows: "Broadcast",
  from: broadcasts,
  accountId: broadcasts.accountId,
  id: broadcasts.id,
  prefixId: broadcasts.prefixId,
  attributes: {
    ...commonAttributes(broadcasts),
    title: string(broadcasts.title),
    description: string(broadcasts.description),
    tag_list: list(broadcasts.tags),
    tags: list(broadcasts.tags),
    status: string(broadcasts.status),
    response_requested: boolean(broadcasts.responseRequested),
    response_requested_by: instant(broadcasts.responseRequestedBy),
    destination_team_ids: references(broadcasts.destinationTeamIds, broadcasts.accountId, teams),
    destination_account_user_ids: references(
      broadcasts.destinationAccountUserIds,
      broadcasts.accountId,
      accountUsers,
    ),
    account_user_id: reference(broadcasts.accountUserId, broadcasts.accountId, accountUsers),
    broadcast_response_options: nested(optionsOf(broadcasts.id)),
    broadcast_responses: nestedAs(responses, showResponses),
  },
  search: [broadcasts.title, broadcasts.tags],
  total: "broadcasts",
};

/** The stored broadcast, as a write reads it. */
export type HeldBroadcast = {
  readonly id: string;
  readonly updatedAt: number;
  readonly status: BroadcastStatus;
  readonly responseRequested: boolean;
  readonly teamIds: readonly string[];
  readonly accountUserIds: readonly string[];
  readonly options: readonly ResponseOption[];
};

/** Selects the broadcast in the path: one row for `toHeldBroadcast`, or none. */
export const selectHeldBroadcast = (accountId: string, identifier: Identifier) =>
  sql`select ${broadcasts.id} as id, ${broadcasts.updatedAt} as updated_at,
      ${broadcasts.status} as status, ${broadcasts.responseRequested} as response_requested,
      ${broadcasts.destinationTeamIds} as team_ids,
      ${broadcasts.destinationAccountUserIds} as account_user_ids,
      ${optionsOf(broadcasts.id)} as options
    from ${broadcasts} where ${oneRecord(broadcasts, accountId, identifier)}`;

/** Converts a row of `selectHeldBroadcast`. */
export function toHeldBroadcast(row: RawRow): HeldBroadcast {
  return {
    id: String(row.id),
    updatedAt: Number(row.updated_at),
    status: row.status as BroadcastStatus,
    responseRequested: row.response_requested === 1,
    teamIds: JSON.parse(String(row.team_ids)) as string[],
    accountUserIds: JSON.parse(String(row.account_user_ids)) as string[],
    options: JSON.parse(String(row.options)) as ResponseOption[],
  };
}
