// Routers: rules that decide where an alert goes (contract 2, Routers). Where no rule matches, the
// alert goes to the default receiver. A router never leads back to itself.

import { eq, sql } from "drizzle-orm";
import { CreateRouter, UpdateRouter } from "../../contract/routing/router-parameters.ts";
import {
  boolean,
  commonAttributes,
  nestedAs,
  reference,
  string,
} from "../../db/records/attributes.ts";
import type { Records } from "../../db/records/records.ts";
import { routers } from "../../db/schema/integrations.ts";
import { teams } from "../../db/schema/oncall.ts";
import { accountUsers } from "../../db/schema/people.ts";
import { build } from "../../db/shared/database.ts";
import { newIdentity } from "../../db/shared/identifiers.ts";
import {
  assertUnchanged,
  nextUpdatedAt,
  retryOnConflict,
} from "../../db/shared/optimistic-retry.ts";
import { routerWarnings } from "../../domain/integrations/template-warnings.ts";
import type { Receiver } from "../../domain/routing/routing.ts";
import type { Identifier } from "../../domain/shared/identifiers.ts";
import { isRefusal } from "../../domain/shared/refusal.ts";
import { type Answer, created, deleted, found } from "../../http/answers.ts";
import { onRecord, pathIdentifier, readRoutes, writeAndRead } from "../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route, updateRoutes } from "../../http/route.ts";
import { made, noBody, one } from "../../http/shown.ts";
import { deleteRecord } from "../../services/shared/delete-record.ts";
import { decideRouter, routerChecks } from "./router-parameters.ts";
import { demandNoLoop, demandReceivers, writeReceivers } from "./router-receivers.ts";
import { usesOfRouter } from "./router-uses.ts";

// ── Rows ──

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

const routerRecords: Records<"Router"> = {
  kind: "router",
  shows: "Router",
  from: routers,
  accountId: routers.accountId,
  id: routers.id,
  prefixId: routers.prefixId,
  attributes: {
    ...commonAttributes(routers),
    name: string(routers.name),
    enabled: boolean(routers.enabled),
    rules: string(routers.rules),
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

/** The columns that the parameters set; omitted parameters leave theirs unchanged. */
function columnsOf(body: UpdateRouter, receiver: Receiver) {
  return {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.enabled !== undefined && { enabled: body.enabled }),
    ...(body.rules !== undefined && { rules: body.rules.text }),
    ...(body.meta !== undefined && { meta: body.meta }),
    defaultReceiverType: receiver.type,
    defaultReceiverId: receiver.id,
  };
}

// ── Routes ──

async function create(request: ApiRequest<CreateRouter>): Promise<Answer> {
  const { db, actor, now, body, recordId } = request;
  const { accountId } = actor;
  const decided = await decideRouter(db, accountId, body, null);
  if (isRefusal(decided)) return decided;
  const { defaultReceiver: receiver, receivers } = decided;
  const identity = newIdentity("router", now, recordId);
  const row = { ...identity, accountId, ...columnsOf(body, receiver), name: body.name };
  const writes = [
    demandReceivers(accountId, [receiver, ...receivers]),
    build.insert(routers).values(row),
    ...writeReceivers(accountId, row.id, receivers),
  ];
  const identifier = { form: "id", value: row.id } as const;
  const record = await writeAndRead(db, writes, routerRecords, accountId, identifier);
  return isRefusal(record) ? record : created(record);
}

async function update(request: ApiRequest<UpdateRouter>, identifier: Identifier): Promise<Answer> {
  const { db, actor, now, body } = request;
  const { accountId } = actor;
  const decided = await decideRouter(db, accountId, body, identifier);
  if (isRefusal(decided)) return decided;
  const { held, defaultReceiver: receiver, receivers } = decided;
  const columns = {
    ...columnsOf(body, receiver),
    updatedAt: nextUpdatedAt(held.updatedAt, now),
  };
  const writes = [
    assertUnchanged(routers, held.id, held.updatedAt),
    demandReceivers(accountId, [receiver, ...receivers]),
    build.update(routers).set(columns).where(eq(routers.id, held.id)),
    ...writeReceivers(accountId, held.id, receivers),
    demandNoLoop(accountId, held.id),
  ];
  const record = await writeAndRead(db, writes, routerRecords, accountId, identifier);
  return isRefusal(record) ? record : found(record);
}

export const routerRoutes: readonly DeclaredRoute[] = [
  ...readRoutes("/routers", "Router", routerRecords),
  route({
    method: "POST",
    path: "/routers",
    operation: "createRouter",
    summary: "Create a router",
    shows: made(routerRecords),
    body: CreateRouter,
    furtherChecks: (body) => routerChecks(body, true),
    makes: routerRecords,
    handle: (request) => retryOnConflict(() => create(request)),
  }),
  ...updateRoutes({
    path: "/routers/:id",
    operation: "updateRouter",
    summary: "Update a router",
    shows: one(routerRecords),
    body: UpdateRouter,
    furtherChecks: (body) => routerChecks(body, false),
    handle: async (request) => {
      const identifier = pathIdentifier(request, "router");
      if (isRefusal(identifier)) return identifier;
      return retryOnConflict(() => update(request, identifier));
    },
  }),
  route({
    method: "DELETE",
    path: "/routers/:id",
    operation: "deleteRouter",
    summary: "Delete a router",
    shows: noBody,
    refuses: ["conflict"],
    handle: onRecord("router", async (request, identifier) => {
      const reasons = usesOfRouter(request.actor.accountId);
      const deletes = (id: string) => [build.delete(routers).where(eq(routers.id, id))];
      return deleted(await deleteRecord(request, routerRecords, identifier, { reasons, deletes }));
    }),
  }),
];
