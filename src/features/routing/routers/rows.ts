// Routers: what a record shows, and what a write reads (contract 2, Routers).
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Receiver, Router, Routers } from "../../../domain/routing/routing.ts";
import {
  RECEIVER_TYPES,
  type ReceiverType,
  type RouterRules,
  readRouterRules,
} from "../../../domain/routing/rules/router-rules.ts";
import { routerWarnings } from "../../../domain/routing/rules/router-warnings.ts";
import { type Identifier, prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { nestedAs, reference } from "../../../kernel/db/attributes.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { plainAttributes } from "../../../kernel/db/plain-attributes.ts";
import { assertPrecondition } from "../../../kernel/db/precondition.ts";
import { oneRecord, type Records } from "../../../kernel/db/records.ts";
import { all, parsed, type RowOf, select, truth } from "../../../kernel/db/select.ts";
import { logs } from "../../schema/alerts.ts";
import { routerReceivers, routers } from "../../schema/integrations.ts";
import { teams } from "../../schema/oncall.ts";
import { accountUsers, users } from "../../schema/people.ts";

// Reads what a replay of a router needs: the last requests of the account, and the names of the
// receivers.

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

// The receivers that a router's rules and default name: finds them in the account by either form of
// the identifier, stores them beside the rules, and asserts that they exist and make no loop.

const TABLES = { team: teams, router: routers, account_user: accountUsers } as const;

/** The receivers that a router's rules name, as JSON. */
const receiversOfRouter: SQL = sql`(select
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

/** The id of the default receiver if it has this type, else null. */
const defaultReceiver = (
  type: Receiver["type"],
  table: typeof teams | typeof routers | typeof accountUsers,
) => {
  const id = sql<
    string | null
  >`iif(${routers.defaultReceiverType} = ${sql.raw(`'${type}'`)}, ${routers.defaultReceiverId}, null)`;
  return reference(id, routers.accountId, table);
};

export const routerRecords: Records<"Router"> = {
  kind: "router",
  shows: "Router",
  from: routers,
  accountId: routers.accountId,
  id: routers.id,
  prefixId: routers.prefixId,
  attributes: {
    ...plainAttributes("Router", routers, ["default_receiver_type"]),
    warnings: nestedAs(sql<readonly [string]>`json_array(${routers.rules})`, ([rules]) =>
      routerWarnings(rules),
    ),
    default_receiver_team_id: defaultReceiver("team", teams),
    default_receiver_router_id: defaultReceiver("router", routers),
    default_receiver_account_user_id: defaultReceiver("account_user", accountUsers),
  },
  search: [routers.name],
  total: "routers",
};

const storedColumns = {
  id: routers.id,
  name: routers.name,
  updatedAt: routers.updatedAt,
  defaultReceiverType: routers.defaultReceiverType,
  defaultReceiverId: routers.defaultReceiverId,
  receivers: parsed<readonly Receiver[]>(receiversOfRouter),
};

/** The stored router and the receivers its rules name, as a write reads it. */
export type StoredRouter = RowOf<typeof storedColumns>;

export const selectStoredRouter = (accountId: string, identifier: Identifier) =>
  select(storedColumns, sql`from ${routers} where ${oneRecord(routers, accountId, identifier)}`);

const columns = {
  id: routers.id,
  name: routers.name,
  enabled: routers.enabled,
  rules: routers.rules,
  defaultReceiverType: routers.defaultReceiverType,
  defaultReceiverId: routers.defaultReceiverId,
  receivers: parsed<readonly Receiver[]>(receiversOfRouter),
};

/** Selects the routers with these identifiers (either form) and those reachable from them. */
function selectReachableRouters(accountId: string, identifiers: readonly string[]) {
  const idList = JSON.stringify(identifiers);
  return select(
    columns,
    sql`from (with recursive reachable(id) as (
        select ${routers.id} from ${routers} where ${routers.accountId} = ${accountId}
          and (${routers.id} in (select value from json_each(${idList}))
            or ${routers.prefixId} in (select value from json_each(${idList})))
        union
        select ${routers.defaultReceiverId} from reachable join ${routers} on ${routers.id} = reachable.id
          where ${routers.defaultReceiverType} = 'router'
        union
        select ${routerReceivers.receiverId} from reachable
          join ${routerReceivers} on ${routerReceivers.routerId} = reachable.id
          where ${routerReceivers.receiverType} = 'router'
      ) select id from reachable) as reached
      join ${routers} on ${routers.id} = reached.id
    where ${routers.accountId} = ${accountId}`,
  );
}

/** Reads the routers with these identifiers and those reachable from them. Throws if D1 does. */
export async function readRouters(
  db: Connection,
  accountId: string,
  identifiers: readonly string[],
): Promise<Routers> {
  const rows = await all(db, selectReachableRouters(accountId, identifiers));
  return new Map(rows.map((row) => [row.id, toRouter(row)]));
}

const toRouter = (row: RowOf<typeof columns>): Router => ({
  id: row.id,
  name: row.name,
  enabled: row.enabled,
  rules: parseRules(row.rules),
  receivers: byIdentifier(row.receivers),
  defaultReceiver: { type: row.defaultReceiverType, id: row.defaultReceiverId },
});

/** Receivers by either form of their identifier, as rules may name them. */
export const byIdentifier = (receivers: readonly Receiver[]): Router["receivers"] =>
  new Map(
    receivers.flatMap((receiver) => [
      [receiver.id, receiver] as const,
      [prefixIdOf(receiver.type, receiver.id), receiver] as const,
    ]),
  );

// Parsing takes far longer than matching, and an account's alerts use the same few documents.
const MAX_CACHED = 200;
const cache = new Map<string, RouterRules | null>();

/** The rules of a stored document; null if it cannot be parsed (any more). */
function parseRules(text: string): RouterRules | null {
  const cached = cache.get(text);
  if (cached !== undefined) return cached;
  const result = readRouterRules(text);
  const rules = result.ok ? result.rules : null;
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(text, rules);
  return rules;
}
