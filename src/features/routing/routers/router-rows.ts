// Reads the routers that an alert can pass through, with their receivers, in one query.
import { sql } from "drizzle-orm";
import { routerReceivers, routers } from "../../../db/schema/integrations.ts";
import type { Connection } from "../../../db/shared/database.ts";
import { all, parsed, type RowOf, select } from "../../../db/shared/select.ts";
import type { Receiver, Router, Routers } from "../../../domain/routing/routing.ts";
import { type RouterRules, readRouterRules } from "../../../domain/routing/rules/router-rules.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { receiversOfRouter } from "./router-receiver-rows.ts";

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
