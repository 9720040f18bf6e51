// The receivers that a router's rules and default name: resolves them in the account by either form
// of the identifier, stores them beside the rules, and detects loops.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { RawRow } from "../../db/records/attributes.ts";
import { routerReceivers, routers } from "../../db/schema/integrations.ts";
import { teams } from "../../db/schema/oncall.ts";
import { accountUsers } from "../../db/schema/people.ts";
import { assertPrecondition } from "../../db/shared/precondition.ts";
import { describeFault } from "../../domain/routing/conditions/located.ts";
import type { Receiver } from "../../domain/routing/routing.ts";
import {
  type Mention,
  RECEIVER_TYPES,
  type ReceiverType,
} from "../../domain/routing/rules/router-rules.ts";
import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import type { FieldError } from "../../domain/shared/refusal.ts";

const TABLES = { team: teams, router: routers, account_user: accountUsers } as const;

/** Teams, routers and account users with these identifiers. */
export function selectReceivers(accountId: string, mentions: readonly Mention[]): SQL {
  const identifiers = JSON.stringify(mentions.map(({ receiver }) => receiver));
  const selects = RECEIVER_TYPES.map((type) => {
    const table = TABLES[type];
    return sql`select ${type} as type, ${table.id} as id from ${table}
      where ${table.accountId} = ${accountId} and (${table.id} in (select value from json_each(${identifiers}))
        or ${table.prefixId} in (select value from json_each(${identifiers})))`;
  });
  return sql.join(selects, sql` union all `);
}

/** The receivers found, and an error for each mention of one that does not exist. */
export function resolveMentions(mentions: readonly Mention[], rows: readonly RawRow[]) {
  const receivers = rows.map(
    (row): Receiver => ({ type: row.type as ReceiverType, id: String(row.id) }),
  );
  const known = new Set(receivers.flatMap(({ type, id }) => [id, prefixIdOf(type, id)]));
  const errors = mentions
    .filter(({ receiver }) => !known.has(receiver))
    .map((mention): FieldError => {
      const message = `no such team, router or account user ${mention.receiver}`;
      return { field: "rules", message: `rules ${describeFault({ ...mention, message })}` };
    });
  return { receivers, errors };
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
export function demandReceivers(accountId: string, receivers: readonly Receiver[]): SQL {
  const absent = RECEIVER_TYPES.map((type) => {
    const table = TABLES[type];
    return sql`(named.value->>'type' = ${type} and not exists (select 1 from ${table}
      where ${table.id} = named.value->>'id' and ${table.accountId} = ${accountId}))`;
  });
  return assertPrecondition(sql`not exists (select 1 from json_each(${JSON.stringify(receivers)}) as named
    where ${sql.join(absent, sql` or `)})`);
}

/** The edges of the router graph: a router to the router its default or a rule names. */
const selectLeads = (accountId: string) =>
  sql`select ${routers.id} as id, ${routers.defaultReceiverId} as receiver_id from ${routers}
      where ${routers.accountId} = ${accountId} and ${routers.defaultReceiverType} = 'router'
    union all
    select ${routerReceivers.routerId}, ${routerReceivers.receiverId} from ${routerReceivers}
      join ${routers} on ${routers.id} = ${routerReceivers.routerId}
      where ${routers.accountId} = ${accountId} and ${routerReceivers.receiverType} = 'router'`;

/** The edges of the router graph, with the name of each source router. */
export const selectNamedLeads = (accountId: string): SQL =>
  sql`select leads.id as id, ${routers.name} as name, leads.receiver_id as receiver_id
    from (${selectLeads(accountId)}) as leads join ${routers} on ${routers.id} = leads.id`;

/**
 * The precondition, at its place in the batch, that a router cannot reach itself: concurrent writes
 * could each add half of a loop.
 */
export function demandNoLoop(accountId: string, routerId: string): SQL {
  return assertPrecondition(sql`not exists (
    with recursive leads as (${selectLeads(accountId)}), reached(id) as (
      select receiver_id from leads where id = ${routerId}
      union
      select leads.receiver_id from reached join leads on leads.id = reached.id
    ) select 1 from reached where id = ${routerId})`);
}

/**
 * The names along a path from a router back to itself; null when there is none.
 *
 * @param next the routers it will lead to
 * @param rows the rows of `selectNamedLeads`; those of the router itself are outdated
 */
export function findLoop(
  router: { readonly id: string; readonly name: string },
  next: readonly string[],
  rows: readonly RawRow[],
): readonly string[] | null {
  const names = new Map(rows.map(({ id, name }) => [String(id), String(name)]));
  const leads = new Map<string, string[]>();
  for (const { id, receiver_id } of rows) {
    if (id === router.id) continue;
    leads.set(String(id), [...(leads.get(String(id)) ?? []), String(receiver_id)]);
  }
  const seen = new Set<string>();
  const open = next.map((id) => [id]);
  for (let way = open.shift(); way; way = open.shift()) {
    const last = way.at(-1) ?? "";
    if (last === router.id) {
      return [router.name, ...way.slice(0, -1).map((id) => names.get(id) ?? id), router.name];
    }
    if (seen.has(last)) continue;
    seen.add(last);
    for (const id of leads.get(last) ?? []) open.push([...way, id]);
  }
  return null;
}
