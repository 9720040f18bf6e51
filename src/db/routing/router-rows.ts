// Reads the routers that an alert can pass through, with their receivers, in one query.
import { type SQL, sql } from "drizzle-orm";
import type { Receiver, Router, Routers } from "../../domain/routing/routing.ts";
import { type RouterRules, readRouterRules } from "../../domain/routing/rules/router-rules.ts";
import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import type { RawRow } from "../records/attributes.ts";
import { routerReceivers, routers } from "../schema/integrations.ts";
import { type Connection, statement } from "../shared/database.ts";

/** Selects the routers with these identifiers (either form) and those reachable from them. */
export function selectReachableRouters(accountId: string, identifiers: readonly string[]): SQL {
  const idList = JSON.stringify(identifiers);
  return sql`with recursive reachable(id) as (
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
    )
    select ${routers.id} as id, ${routers.name} as name, ${routers.enabled} as enabled,
      ${routers.rules} as rules, ${routers.defaultReceiverType} as default_receiver_type,
      ${routers.defaultReceiverId} as default_receiver_id,
      (select json_group_array(json_object('type', receiver_type, 'id', receiver_id))
        from ${routerReceivers} where ${routerReceivers.routerId} = ${routers.id}) as receivers
    from reachable join ${routers} on ${routers.id} = reachable.id
    where ${routers.accountId} = ${accountId}`;
}

/** Reads the routers with these identifiers and those reachable from them. Throws if D1 does. */
export async function readRouters(
  db: Connection,
  accountId: string,
  identifiers: readonly string[],
): Promise<Routers> {
  const query = statement(db, selectReachableRouters(accountId, identifiers));
  return toRouters((await query.all<RawRow>()).results);
}

/** Converts rows of `selectReachableRouters` to routers by id. */
export function toRouters(rows: readonly RawRow[]): Routers {
  return new Map(rows.map((row) => [String(row.id), toRouter(row)]));
}

function toRouter(row: RawRow): Router {
  const receivers = JSON.parse(String(row.receivers)) as Receiver[];
  return {
    id: String(row.id),
    name: String(row.name),
    enabled: row.enabled === 1,
    rules: parseRules(String(row.rules)),
    receivers: byIdentifier(receivers),
    defaultReceiver: {
      type: row.default_receiver_type as Receiver["type"],
      id: String(row.default_receiver_id),
    },
  };
}

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
