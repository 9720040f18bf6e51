// Reads what a replay of a router needs: the last requests of the account, and the names of the
// receivers.
import { sql } from "drizzle-orm";
import { logs } from "../../../db/schema/alerts.ts";
import { teams } from "../../../db/schema/oncall.ts";
import { accountUsers, users } from "../../../db/schema/people.ts";
import { select, truth } from "../../../db/shared/select.ts";

/** The most bytes of requests that one replay reads. */
const MAX_BYTES = 4_000_000;

/**
 * Selects the newest requests, newest first, with the one that makes them too large together, if
 * there is one. Reads `limit` rows of the logs at most.
 */
export function selectRecentRequests(accountId: string, limit: number) {
  return select(
    {
      id: logs.id,
      createdAt: logs.createdAt,
      ownerId: logs.ownerId,
      request: logs.request,
      isTooMuch: truth(sql`total > ${MAX_BYTES}`),
    },
    sql`from (select *, sum(length(request)) over (order by id desc) as total
        from (select * from ${logs} where ${logs.accountId} = ${accountId}
          order by ${logs.id} desc limit ${limit})
      ) as logs
      where ${logs.ownerType} = 'Integration' and total - length(request) <= ${MAX_BYTES} order by ${logs.id} desc`,
  );
}

/** Selects the names of teams and members by their ids. */
export function selectReceiverNames(accountId: string, ids: readonly string[]) {
  const named = sql`(select value from json_each(${JSON.stringify(ids)}))`;
  return select(
    { id: sql<string>`id`, name: sql<string>`name` },
    sql`from (
      select ${teams.id} as id, ${teams.name} as name from ${teams}
        where ${teams.accountId} = ${accountId} and ${teams.id} in ${named}
      union all
      select ${accountUsers.id}, ${users.name} from ${accountUsers}
        join ${users} on ${users.id} = ${accountUsers.userId}
        where ${accountUsers.accountId} = ${accountId} and ${accountUsers.id} in ${named})`,
  );
}
