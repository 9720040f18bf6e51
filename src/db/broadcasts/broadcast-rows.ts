// Recipients of a broadcast, resolved from its current destinations. Sending and answering share
// this definition, so that nobody is asked a question they may not answer.
import { type SQL, sql } from "drizzle-orm";
import type { BroadcastInPage } from "../../domain/alerts/notifications/page.ts";
import type { BroadcastQuestion, BroadcastStatus } from "../../domain/broadcasts/broadcast.ts";
import type { RawRow } from "../records/attributes.ts";
import { notifications } from "../schema/alerts.ts";
import { broadcastResponseOptions, broadcastResponses, broadcasts } from "../schema/messages.ts";
import { teamPeople } from "../schema/oncall.ts";
import { accountUsers, users } from "../schema/people.ts";
import { type Connection, statement } from "../shared/database.ts";

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

const selectBroadcast = (accountId: string, id: string) =>
  sql`select ${broadcasts.title} as title, ${broadcasts.description} as description,
      ${broadcasts.status} as status, ${broadcasts.responseRequested} as response_requested,
      ${broadcasts.responseRequestedBy} as response_requested_by,
      (select ${users.name} from ${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}
        where ${accountUsers.id} = ${broadcasts.accountUserId}) as sender,
      (select json_group_array(json_object('id', ${broadcastResponseOptions.id},
          'value', ${broadcastResponseOptions.value}) order by ${broadcastResponseOptions.position})
        from ${broadcastResponseOptions}
        where ${broadcastResponseOptions.broadcastId} = ${broadcasts.id}) as options
    from ${broadcasts} where ${broadcasts.id} = ${id} and ${broadcasts.accountId} = ${accountId}`;

/** Reads a broadcast, its recipients and its progress in one round trip; null if there is none. */
export async function readBroadcast(
  db: Connection,
  accountId: string,
  id: string,
): Promise<BroadcastFacts | null> {
  const [found, people, attempts] = await db.batch<RawRow>([
    statement(db, selectBroadcast(accountId, id)),
    statement(
      db,
      sql`select ${accountUsers.id} as id from ${broadcasts}, ${accountUsers}
      where ${broadcasts.id} = ${id} and ${isRecipient} order by ${accountUsers.id}`,
    ),
    statement(
      db,
      sql`select ${notifications.status} as status, count(*) as count from ${notifications}
      where ${notifications.accountId} = ${accountId} and ${notifications.broadcastId} = ${id}
      group by ${notifications.status}`,
    ),
  ]);
  const row = found?.results[0];
  if (!row) return null;
  const counts = new Map(attempts?.results.map((it) => [String(it.status), Number(it.count)]));
  const question = {
    status: row.status as BroadcastStatus,
    responseRequested: row.response_requested === 1,
    responseRequestedBy: row.response_requested_by as number | null,
  };
  return {
    question,
    content: contentOf(id, row, question),
    recipients: (people?.results ?? []).map((it) => String(it.id)),
    sent: ["sent", "delivered", "skipped"].reduce((sum, it) => sum + (counts.get(it) ?? 0), 0),
    waiting: counts.get("queued") ?? 0,
  };
}

function contentOf(id: string, row: RawRow, question: BroadcastQuestion): BroadcastInPage {
  return {
    id,
    title: String(row.title),
    description:
      row.description === null ? null : String(row.description).slice(0, MAX_DESCRIPTION),
    senderName: row.sender === null ? null : String(row.sender),
    respondBy: question.responseRequestedBy,
    options: question.responseRequested ? JSON.parse(String(row.options)) : [],
  };
}
