// Routers: rules that say where an alert goes (`contract.md` 2). A router always leads somewhere: to what its rules
// name, else to its default receiver, and never back to itself.
import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import {
  boolean,
  commonAttributes,
  orNull,
  type RawRow,
  reference,
  string,
} from "../db/attributes.ts";
import { decideAndWrite, demandUnchanged, nextUpdatedAt } from "../db/contention.ts";
import { build } from "../db/database.ts";
import { newIdentity } from "../db/identifiers.ts";
import type { Records } from "../db/records.ts";
import { type Reference, type Resolved, resolveWith } from "../db/references.ts";
import { routerReceivers, routers } from "../db/schema/integrations.ts";
import { teams } from "../db/schema/oncall.ts";
import { accountUsers } from "../db/schema/people.ts";
import type { Identifier } from "../domain/identifiers.ts";
import { type FieldError, isRefusal, refuseFields } from "../domain/refusal.ts";
import type { Receiver } from "../domain/routing.ts";
import { mentionsOf, RECEIVER_TYPES, readRouterRules } from "../domain/rules/router-rules.ts";
import { type Answer, created, found } from "../http/answers.ts";
import * as field from "../http/fields.ts";
import { notFound, oneRecord, pathIdentifier, readRoutes, writeAndRead } from "../http/records.ts";
import { type ApiRequest, type Route, route, updateRoutes } from "../http/route.ts";
import { made, noBody, one } from "../http/shown.ts";
import { deleteUnless } from "./deletion.ts";
import {
  demandNoLoop,
  demandReceivers,
  findLoop,
  resolveMentions,
  selectNamedLeads,
  selectReceivers,
  writeReceivers,
} from "./router-receivers.ts";
import { usesOfRouter } from "./router-uses.ts";
import { rulesParameter } from "./rules-parameter.ts";

// ── Shape ──

const createRouter = z
  .object({
    name: field.requiredText(255),
    enabled: field.optionalFlag,
    rules: rulesParameter(readRouterRules).optional(),
    default_receiver_team_id: field.identifier,
    default_receiver_router_id: field.identifier,
    default_receiver_account_user_id: field.identifier,
    meta: field.hash.optional(),
  })
  .meta(
    field.oneOfThese(
      "default_receiver_team_id",
      "default_receiver_router_id",
      "default_receiver_account_user_id",
    ),
  );
const updateRouter = createRouter.partial();
type RouterParameters = z.output<typeof updateRouter>;

// ── Rows ──

/** The id of the default receiver, if it is of this type. */
const defaultReceiver = (
  type: Receiver["type"],
  table: typeof teams | typeof routers | typeof accountUsers,
) => {
  const id = sql`iif(${routers.defaultReceiverType} = ${sql.raw(`'${type}'`)}, ${routers.defaultReceiverId}, null)`;
  return orNull(reference(id, routers.accountId, table));
};

export const routerRecords: Records = {
  kind: "router",
  from: routers,
  accountId: routers.accountId,
  id: routers.id,
  prefixId: routers.prefixId,
  attributes: {
    ...commonAttributes(routers),
    name: string(routers.name),
    enabled: boolean(routers.enabled),
    rules: string(routers.rules),
    default_receiver_team_id: defaultReceiver("team", teams),
    default_receiver_router_id: defaultReceiver("router", routers),
    default_receiver_account_user_id: defaultReceiver("account_user", accountUsers),
  },
  search: [routers.name],
  total: "routers",
};

/** What a write is decided on: the router as it is, with what its rules name. */
const selectHeld = (accountId: string, identifier: Identifier) =>
  sql`select ${routers.id} as id, ${routers.name} as name, ${routers.updatedAt} as updated_at,
      ${routers.defaultReceiverType} as type, ${routers.defaultReceiverId} as receiver_id,
      (select json_group_array(json_object('type', receiver_type, 'id', receiver_id))
        from ${routerReceivers} where ${routerReceivers.routerId} = ${routers.id}) as receivers
    from ${routers} where ${oneRecord(routers, accountId, identifier)}`;

type Held = {
  readonly id: string;
  readonly name: string;
  readonly updatedAt: number;
  readonly defaultReceiver: Receiver;
  readonly receivers: readonly Receiver[];
};

const toHeld = (row: RawRow): Held => ({
  id: String(row.id),
  name: String(row.name),
  updatedAt: Number(row.updated_at),
  defaultReceiver: { type: row.type as Receiver["type"], id: String(row.receiver_id) },
  receivers: JSON.parse(String(row.receivers)) as Receiver[],
});

/** The columns that the parameters set; what is not given stays as it is. */
function columnsOf(body: RouterParameters, receiver: Receiver) {
  return {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.enabled !== undefined && { enabled: body.enabled }),
    ...(body.rules !== undefined && { rules: body.rules.text }),
    ...(body.meta !== undefined && { meta: body.meta }),
    defaultReceiverType: receiver.type,
    defaultReceiverId: receiver.id,
  };
}

// ── Rules ──

const defaultField = (type: Receiver["type"]) => `default_receiver_${type}_id` as const;
const DEFAULT_FIELDS = RECEIVER_TYPES.map(defaultField);

const defaultReferences = (body: RouterParameters): Reference[] =>
  RECEIVER_TYPES.map((type) => {
    const given = body[defaultField(type)];
    return { field: defaultField(type), kind: type, ids: given ? [given] : [] };
  });

/** Exactly one default receiver: the one that is given, or the one held, unless it is taken away. */
function wrongDefault(body: RouterParameters, held: Held | null): FieldError[] {
  const given = DEFAULT_FIELDS.filter((name) => body[name] != null).length;
  const kept = held !== null && body[defaultField(held.defaultReceiver.type)] !== null;
  if (given === 1 || (given === 0 && kept)) return [];
  const message = `exactly one of ${DEFAULT_FIELDS.join(", ")} must name the default receiver`;
  return [{ field: "default_receiver_team_id", message }];
}

function givenDefault(resolved: Extract<Resolved, { ok: true }>): Receiver | null {
  for (const type of RECEIVER_TYPES) {
    const [id] = resolved.idsOf(defaultField(type));
    if (id !== undefined) return { type, id };
  }
  return null;
}

const isRouter = ({ type }: Receiver) => type === "router";

/** A loop would never page anybody. */
function loopError(
  router: { readonly id: string; readonly name: string },
  receiver: Receiver,
  receivers: readonly Receiver[],
  leads: readonly RawRow[],
): FieldError[] {
  const next = [receiver, ...receivers].filter(isRouter).map(({ id }) => id);
  const loop = findLoop(router, next, leads);
  if (loop === null) return [];
  const byDefault = isRouter(receiver) && findLoop(router, [receiver.id], leads) !== null;
  const name = byDefault ? "default_receiver_router_id" : "rules";
  return [{ field: name, message: `${name} makes a loop: ${loop.join(" → ")}` }];
}

// ── Routes ──

async function create(request: ApiRequest<z.output<typeof createRouter>>): Promise<Answer> {
  const { db, actor, now, body, recordId } = request;
  const { accountId } = actor;
  const mentions = mentionsOf(body.rules?.rules ?? []);
  const { resolved, rows } = await resolveWith(db, accountId, defaultReferences(body), [
    selectReceivers(accountId, mentions),
  ]);
  const { receivers, errors } = resolveMentions(mentions, rows[0] ?? []);
  const faults = [...wrongDefault(body, null), ...errors];
  if (!resolved.ok) return refuseFields([...faults, ...resolved.errors]);
  const receiver = givenDefault(resolved);
  if (faults.length > 0 || receiver === null) return refuseFields(faults);
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

async function update(
  request: ApiRequest<RouterParameters>,
  identifier: Identifier,
): Promise<Answer> {
  const { db, actor, now, body } = request;
  const { accountId } = actor;
  const mentions = mentionsOf(body.rules?.rules ?? []);
  const { resolved, rows } = await resolveWith(db, accountId, defaultReferences(body), [
    selectHeld(accountId, identifier),
    selectReceivers(accountId, mentions),
    selectNamedLeads(accountId),
  ]);
  const [heldRow] = rows[0] ?? [];
  if (!heldRow) return notFound("router");
  const held = toHeld(heldRow);
  const named = resolveMentions(mentions, rows[1] ?? []);
  const faults = [...wrongDefault(body, held), ...named.errors];
  if (!resolved.ok) return refuseFields([...faults, ...resolved.errors]);
  if (faults.length > 0) return refuseFields(faults);
  const receiver = givenDefault(resolved) ?? held.defaultReceiver;
  const receivers = body.rules === undefined ? held.receivers : named.receivers;
  const loop = loopError(held, receiver, receivers, rows[2] ?? []);
  if (loop.length > 0) return refuseFields(loop);
  const columns = {
    ...columnsOf(body, receiver),
    updatedAt: nextUpdatedAt(held.updatedAt, now),
  };
  const writes = [
    demandUnchanged(routers, held.id, held.updatedAt),
    demandReceivers(accountId, [receiver, ...receivers]),
    build.update(routers).set(columns).where(eq(routers.id, held.id)),
    ...writeReceivers(accountId, held.id, receivers),
    demandNoLoop(accountId, held.id),
  ];
  const record = await writeAndRead(db, writes, routerRecords, accountId, identifier);
  return isRefusal(record) ? record : found(record);
}

export const routerRoutes: readonly Route[] = [
  ...readRoutes("/routers", "Router", routerRecords),
  route({
    method: "POST",
    path: "/routers",
    operation: "createRouter",
    summary: "Create a router",
    shows: made(routerRecords),
    allow: "admin",
    body: createRouter,
    makes: routerRecords,
    handle: (request) => decideAndWrite(() => create(request)),
  }),
  ...updateRoutes({
    path: "/routers/:id",
    operation: "updateRouter",
    summary: "Change a router",
    shows: one(routerRecords),
    allow: "admin",
    body: updateRouter,
    handle: async (request) => {
      const identifier = pathIdentifier(request, "router");
      if (isRefusal(identifier)) return identifier;
      return decideAndWrite(() => update(request, identifier));
    },
  }),
  route({
    method: "DELETE",
    path: "/routers/:id",
    operation: "deleteRouter",
    summary: "Delete a router",
    shows: noBody,
    refuses: ["conflict"],
    allow: "admin",
    handle: (request) =>
      deleteUnless(request, routerRecords, usesOfRouter(request.actor.accountId), (id) => [
        build.delete(routers).where(eq(routers.id, id)),
      ]),
  }),
];
