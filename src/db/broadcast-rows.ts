// Whom a broadcast is for, told by its destinations as they stand now. Whoever asks (answers, sending) asks here,
// so that nobody is sent a question they may not answer.
import { type SQL, sql } from "drizzle-orm";
import { broadcastResponses, broadcasts } from "./schema/messages.ts";
import { teamPeople } from "./schema/oncall.ts";
import { accountUsers } from "./schema/people.ts";

/** A condition on `account_users`, for selects beside `broadcasts`: named directly or by a team, and active. */
export const isRecipient: SQL = sql`(${accountUsers.accountId} = ${broadcasts.accountId}
  and ${accountUsers.state} = 'active'
  and ${accountUsers.id} in (
    select named.value from json_each(${broadcasts.destinationAccountUserIds}) as named
    union
    select ${teamPeople.accountUserId} from json_each(${broadcasts.destinationTeamIds}) as team
      join ${teamPeople} on ${teamPeople.teamId} = team.value
        and ${teamPeople.accountId} = ${broadcasts.accountId}
        and ${teamPeople.relation} in ('member', 'admin')))`;

/** Closes an open broadcast that every recipient has answered (`contract.md` 5). */
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
