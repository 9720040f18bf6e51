// The references that prevent the deletion of a router, one message each: integrations, other
// routers and unfinished alerts (contract 2, Deletion).
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alerts } from "../../db/schema/alerts.ts";
import {
  integrationReceivers,
  integrations,
  routerReceivers,
  routers,
} from "../../db/schema/integrations.ts";
import type { AlertStatus } from "../../domain/alerts/alert.ts";

const UNFINISHED: readonly AlertStatus[] = ["queued", "open", "acknowledged", "dropped"];
const MOST_NAMED = 5;

const message = (kind: string, prefixId: SQLWrapper, name: SQLWrapper) =>
  sql`${`still in use by the ${kind} `} || ${prefixId} || ' (' || substr(${name}, 1, 80) || ')' as message`;

const byIntegrations = (accountId: string): SQL =>
  sql`select ${message("integration", integrations.prefixId, integrations.name)}
    from ${integrationReceivers}
      join ${integrations} on ${integrations.id} = ${integrationReceivers.integrationId}
    where ${integrationReceivers.accountId} = ${accountId}
      and ${integrationReceivers.receiverId} = (select id from target)
    limit ${MOST_NAMED}`;

const byRouters = (accountId: string): SQL =>
  sql`select ${message("router", routers.prefixId, routers.name)}
    from ${routers}, target where ${routers.accountId} = ${accountId} and ${routers.id} <> target.id
      and (${routers.defaultReceiverId} = target.id or exists (select 1 from ${routerReceivers}
        where ${routerReceivers.routerId} = ${routers.id} and ${routerReceivers.receiverId} = target.id))
    limit ${MOST_NAMED}`;

const byAlerts = (accountId: string): SQL =>
  sql`select ${message("alert", alerts.prefixId, alerts.title)}
    from ${alerts} where ${alerts.accountId} = ${accountId}
      and ${alerts.status} in (select value from json_each(${JSON.stringify(UNFINISHED)}))
      and exists (select 1 from json_each(${alerts.destinationRouterIds}) as named
        where named.value = (select id from target))
    limit ${MOST_NAMED}`;

/** Selects for `deleteRecord`. */
export const usesOfRouter = (accountId: string): SQL[] => [
  byIntegrations(accountId),
  byRouters(accountId),
  byAlerts(accountId),
];
