// Broadcasts: what a record shows, and what a write reads (contract 5).
import { type SQL, sql } from "drizzle-orm";
import type { BroadcastQuestion, BroadcastStatus } from "../../../domain/broadcasts/broadcast.ts";
import type { BroadcastInPage } from "../../../domain/notifications/page.ts";
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
import type { Connection } from "../../../kernel/db/database.ts";
import { plainAttributes } from "../../../kernel/db/plain-attributes.ts";
import { oneRecord, type Records } from "../../../kernel/db/records.ts";
import { batch, parsed, type RowOf, select } from "../../../kernel/db/select.ts";
import { notifications, notificationsByOwner } from "../../schema/alerts.ts";
import { broadcastResponseOptions, broadcastResponses, broadcasts } from "../../schema/messages.ts";
import { teamPeople, teams } from "../../schema/oncall.ts";
import { accountUsers, users } from "../../schema/people.ts";
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

// Recipients of a broadcast, resolved from its current destinations. Sending and answering share
// this definition, so that nobody is asked a question they may not answer.

/** For selects from `broadcasts` and `account_users`: active, and named directly or by a team. */
export const isRecipient: SQL = sql`(${accountUsers.accountId} = ${broadcasts.accountId}
  and ${accountUsers.state} = 'active'
  and ${accountUsers.id} in (
    select named.value from json_each(${broadcasts.destinationAccountUserIds}) as named
    union
    select ${teamPeople.accountUserId} from json_each(${broadcasts.destinationTeamIds}) as team
      join ${teamPeople} on ${teamPeople.teamId} = team.value
        and ${teamPeople.accountId} = ${broadcasts.accountId}
        and ${teamPeople.relation} in ('member', 'admin')))`;

/** Closes an open broadcast that every recipient has answered (contract 5). */
export function closeIfAllAnswered(broadcastId: string, now: number): SQL {
  return sql`update ${broadcasts}
    set status = 'closed', updated_at = max(${now}, ${broadcasts.updatedAt} + 1)
    where ${broadcasts.id} = ${broadcastId} and ${broadcasts.status} = 'open'
      and ${broadcasts.responseRequested}
      and not exists (select 1 from ${accountUsers} where ${isRecipient}
        and not exists (select 1 from ${broadcastResponses}
          where ${broadcastResponses.broadcastId} = ${broadcasts.id}
            and ${broadcastResponses.accountUserId} = ${accountUsers.id}))`;
}

/** Sets the status of a broadcast that is not finished and does not have the status yet. */
export function setBroadcastStatus(broadcastId: string, status: BroadcastStatus, now: number): SQL {
  return sql`update ${broadcasts}
    set status = ${status}, updated_at = max(${now}, ${broadcasts.updatedAt} + 1)
    where ${broadcasts.id} = ${broadcastId} and ${broadcasts.status} in ('queued', 'open')
      and ${broadcasts.status} <> ${status}`;
}

/** What is needed to send a broadcast. */
export type BroadcastFacts = {
  readonly question: BroadcastQuestion;
  readonly content: BroadcastInPage;
  /** Ids of account users. */
  readonly recipients: readonly string[];
  /** Numbers of its notifications; those skipped by a person's own rule count as sent. */
  readonly sent: number;
  readonly waiting: number;
};

/** Maximum length of the description in messages. */
const MAX_DESCRIPTION = 2_000;

type Option = BroadcastInPage["options"][number];

const selectBroadcast = (accountId: string, id: string) =>
  select(
    {
      title: broadcasts.title,
      description: broadcasts.description,
      status: broadcasts.status,
      responseRequested: broadcasts.responseRequested,
      responseRequestedBy: broadcasts.responseRequestedBy,
      sender: sql<string | null>`(select ${users.name} from ${accountUsers}
          join ${users} on ${users.id} = ${accountUsers.userId}
        where ${accountUsers.id} = ${broadcasts.accountUserId})`,
      options: parsed<readonly Option[]>(sql`(select json_group_array(
          json_object('id', ${broadcastResponseOptions.id},
            'value', ${broadcastResponseOptions.value})
          order by ${broadcastResponseOptions.position})
        from ${broadcastResponseOptions}
        where ${broadcastResponseOptions.broadcastId} = ${broadcasts.id})`),
    },
    sql`from ${broadcasts}
      where ${broadcasts.id} = ${id} and ${broadcasts.accountId} = ${accountId}`,
  );

const selectRecipients = (id: string) =>
  select(
    { id: accountUsers.id },
    sql`from ${broadcasts}, ${accountUsers} where ${broadcasts.id} = ${id} and ${isRecipient}
      order by ${accountUsers.id}`,
  );

/** Counts a broadcast's notifications by status. */
const countNotifications = (accountId: string, id: string) =>
  select(
    { status: notifications.status, count: sql<number>`count(*)` },
    sql`from ${notificationsByOwner}
      where ${notifications.accountId} = ${accountId} and ${notifications.ownerId} = ${id}
      group by ${notifications.status}`,
  );

/** Reads a broadcast, its recipients and its progress in one round trip; null if there is none. */
export async function readBroadcast(
  db: Connection,
  accountId: string,
  id: string,
): Promise<BroadcastFacts | null> {
  const [[found], people, attempts] = await batch(db, [
    selectBroadcast(accountId, id),
    selectRecipients(id),
    countNotifications(accountId, id),
  ]);
  if (!found) return null;
  const { title, description, sender, options, ...question } = found;
  const countOf = (statuses: readonly string[]) =>
    attempts.reduce((sum, it) => sum + (statuses.includes(it.status) ? it.count : 0), 0);
  return {
    question,
    content: {
      id,
      title,
      description: description?.slice(0, MAX_DESCRIPTION) ?? null,
      senderName: sender,
      respondBy: question.responseRequestedBy,
      options: question.responseRequested ? options : [],
    },
    recipients: people.map((it) => it.id),
    sent: countOf(["sent", "delivered", "skipped"]),
    waiting: countOf(["queued"]),
  };
}
