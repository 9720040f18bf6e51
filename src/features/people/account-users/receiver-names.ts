// The teams and active members of an account by name: whom an alert can be sent to.
import { sql } from "drizzle-orm";
import type { NamedReceiver } from "../../../domain/people/receiver-name.ts";
import { containsFolded } from "../../../kernel/db/search.ts";
import { type Select, select } from "../../../kernel/db/select.ts";
import { teams } from "../../schema/oncall.ts";
import { accountUsers, users } from "../../schema/people.ts";

const columns = {
  type: sql<NamedReceiver["type"]>`type`,
  id: sql<string>`id`,
  prefixId: sql<string>`prefix_id`,
  name: sql<string>`name`,
};

/** Selects teams, then people, whose names contain a text in any case; all for an empty text. */
export function selectReceivers(
  accountId: string,
  search: string,
  most: number,
): Select<NamedReceiver> {
  const matches = (name: typeof teams.name | typeof users.name) =>
    search === "" ? sql`true` : containsFolded([name], search);
  return select(
    columns,
    sql`from (
      select 'team' as type, ${teams.id} as id, ${teams.prefixId} as prefix_id, ${teams.name} as name
        from ${teams} where ${teams.accountId} = ${accountId} and ${matches(teams.name)}
      union all
      select 'account_user', ${accountUsers.id}, ${accountUsers.prefixId}, ${users.name}
        from ${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}
        where ${accountUsers.accountId} = ${accountId} and ${accountUsers.state} = 'active'
          and ${matches(users.name)})
      order by type = 'account_user', name, id limit ${most}`,
  );
}
