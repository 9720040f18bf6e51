// The receivers that a router's rules and default name: finds them in the account by either form of
// the identifier, stores them beside the rules, and asserts that they exist and make no loop.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { routerReceivers, routers } from "../../../db/schema/integrations.ts";
import { teams } from "../../../db/schema/oncall.ts";
import { accountUsers } from "../../../db/schema/people.ts";
import { assertPrecondition } from "../../../db/shared/precondition.ts";
import { select } from "../../../db/shared/select.ts";
import type { Receiver } from "../../../domain/routing/routing.ts";
import { RECEIVER_TYPES, type ReceiverType } from "../../../domain/routing/rules/router-rules.ts";

const TABLES = { team: teams, router: routers, account_user: accountUsers } as const;

/** The receivers that a router's rules name, as JSON. */
export const receiversOfRouter: SQL = sql`(select
    json_group_array(json_object('type', receiver_type, 'id', receiver_id))
  from ${routerReceivers} where ${routerReceivers.routerId} = ${routers.id})`;

/** Teams, routers and account users with these identifiers. */
export function selectReceivers(accountId: string, identifiers: readonly string[]) {
  const named = JSON.stringify(identifiers);
  const selects = RECEIVER_TYPES.map((type) => {
    const table = TABLES[type];
    return sql`select ${type} as type, ${table.id} as id from ${table}
      where ${table.accountId} = ${accountId} and (${table.id} in (select value from json_each(${named}))
        or ${table.prefixId} in (select value from json_each(${named})))`;
  });
  return select(
    { type: sql<ReceiverType>`type`, id: sql<string>`id` },
    sql`from (${sql.join(selects, sql` union all `)})`,
  );
}

/** The statements that replace the receivers of a router's rules. */
export function writeReceivers(
  accountId: string,
  routerId: string,
  receivers: readonly Receiver[],
): SQLWrapper[] {
  return [
    sql`delete from ${routerReceivers} where ${routerReceivers.routerId} = ${routerId}`,
    sql`insert into ${routerReceivers} (account_id, router_id, receiver_type, receiver_id)
      select ${accountId}, ${routerId}, value->>'type', value->>'id'
      from json_each(${JSON.stringify(receivers)})`,
  ];
}

/** The precondition that the receivers still exist: a page to a deleted receiver reaches nobody. */
export function assertReceivers(accountId: string, receivers: readonly Receiver[]): SQL {
  const absent = RECEIVER_TYPES.map((type) => {
    const table = TABLES[type];
    return sql`(named.value->>'type' = ${type} and not exists (select 1 from ${table}
      where ${table.id} = named.value->>'id' and ${table.accountId} = ${accountId}))`;
  });
  return assertPrecondition(sql`not exists (select 1 from json_each(${JSON.stringify(receivers)}) as named
    where ${sql.join(absent, sql` or `)})`);
}

/** The edges of the router graph: a router to the router its default or a rule names. */
const edges = (accountId: string) =>
  sql`select ${routers.id} as id, ${routers.defaultReceiverId} as receiver_id from ${routers}
      where ${routers.accountId} = ${accountId} and ${routers.defaultReceiverType} = 'router'
    union all
    select ${routerReceivers.routerId}, ${routerReceivers.receiverId} from ${routerReceivers}
      join ${routers} on ${routers.id} = ${routerReceivers.routerId}
      where ${routers.accountId} = ${accountId} and ${routerReceivers.receiverType} = 'router'`;

/** The edges of the router graph, with the name of each source router. */
export const selectRouterEdges = (accountId: string) =>
  select(
    { id: routers.id, name: routers.name, receiverId: sql<string>`edges.receiver_id` },
    sql`from (${edges(accountId)}) as edges join ${routers} on ${routers.id} = edges.id`,
  );

/**
 * The precondition, at its place in the batch, that a router cannot reach itself: concurrent writes
 * could each add half of a loop.
 */
export function assertNoLoop(accountId: string, routerId: string): SQL {
  return assertPrecondition(sql`not exists (
    with recursive edges as (${edges(accountId)}), reached(id) as (
      select receiver_id from edges where id = ${routerId}
      union
      select edges.receiver_id from reached join edges on edges.id = reached.id
    ) select 1 from reached where id = ${routerId})`);
}
