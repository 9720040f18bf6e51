// Web Push subscriptions: one per browser of a person. Each person manages only their own; the
// account in which they subscribed sends the pushes.
import { and, eq, type SQL, sql } from "drizzle-orm";
import { arePushKeys } from "../../../channels/web-push/push-encryption.ts";
import { vapidPublicKey } from "../../../channels/web-push/vapid.ts";
import type { PushKey, PushKeys } from "../../../contract/people/push-subscription.ts";
import { CreatePushSubscription } from "../../../contract/people/push-subscription-parameters.ts";
import {
  commonAttributes,
  nested,
  type RawRow,
  reference,
  string,
} from "../../../db/records/attributes.ts";
import { identified, type Records } from "../../../db/records/records.ts";
import { accountUsers, pushSubscriptions } from "../../../db/schema/people.ts";
import { statement } from "../../../db/shared/database.ts";
import { newIdentity } from "../../../db/shared/identifiers.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { allowedHosts, outboundUrlFault } from "../../../domain/integrations/outbound-url.ts";
import {
  type FieldError,
  isRefusal,
  notFound,
  refuse,
  refuseFields,
} from "../../../domain/shared/refusal.ts";
import { type Answer, created, found, nothing } from "../../../http/answers.ts";
import { listRecords, pathIdentifier, readRecord, writeAndRead } from "../../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../../http/route.ts";
import { exactly, made, many, noBody, one } from "../../../http/shown.ts";

type Creation = ApiRequest<CreatePushSubscription>;

// ── Rows ──

/** The newest subscriptions of a person that are stored. */
const MOST_SUBSCRIPTIONS = 20;

const pushSubscriptionRecords: Records<"PushSubscription"> = {
  kind: "push_subscription",
  shows: "PushSubscription",
  from: pushSubscriptions,
  accountId: pushSubscriptions.accountId,
  id: pushSubscriptions.id,
  prefixId: pushSubscriptions.prefixId,
  attributes: {
    ...commonAttributes(pushSubscriptions),
    account_user_id: reference(
      pushSubscriptions.accountUserId,
      pushSubscriptions.accountId,
      accountUsers,
    ),
    name: string(pushSubscriptions.name),
    endpoint: string(pushSubscriptions.endpoint),
    keys: nested(sql<PushKeys>`json_object('p256dh', '***', 'auth', '***')`),
  },
  search: [pushSubscriptions.name],
  total: "push_subscriptions",
};

/** Inserts the subscription, after `deletePrevious` has deleted the browser's earlier one. */
function insertSubscription({ actor, now, body, recordId }: Creation): SQL {
  const { id, prefixId } = newIdentity("push_subscription", now, recordId);
  return sql`insert into ${pushSubscriptions} (id, prefix_id, created_at, updated_at, account_id,
      meta, account_user_id, name, endpoint, p256dh, auth)
    values (${id}, ${prefixId}, ${now}, ${now}, ${actor.accountId},
      ${JSON.stringify(body.meta ?? {})}, ${actor.accountUserId}, ${body.name ?? ""},
      ${body.endpoint}, ${body.keys.p256dh}, ${body.keys.auth})`;
}

const deletePrevious = ({ actor, body }: Creation): SQL =>
  sql`delete from ${pushSubscriptions} where account_user_id = ${actor.accountUserId}
    and endpoint = ${body.endpoint}`;

const deleteOldest = ({ actor }: Creation): SQL =>
  sql`delete from ${pushSubscriptions} where account_user_id = ${actor.accountUserId} and id not in
    (select id from ${pushSubscriptions} where account_user_id = ${actor.accountUserId}
      order by created_at desc, id desc limit ${MOST_SUBSCRIPTIONS})`;

// ── Rules ──

const scopeOf = ({ accountUserId }: MemberActor): SQL =>
  eq(pushSubscriptions.accountUserId, accountUserId);

function faultsOf({ env, body }: Creation): FieldError[] {
  const wrong = outboundUrlFault(body.endpoint, allowedHosts(env.ALLOWED_HOSTS));
  return [
    ...(wrong === null ? [] : [{ field: "endpoint", message: `endpoint ${wrong}` }]),
    ...(arePushKeys(body.keys)
      ? []
      : [{ field: "keys", message: "keys are not those of a browser's subscription" }]),
  ];
}

const NO_PUSH = refuse("conflict", "this deployment has no Web Push");

// ── Routes ──

async function create(request: Creation): Promise<Answer> {
  const { db, env, actor, recordId } = request;
  if (vapidPublicKey(env) === null) return NO_PUSH;
  const faults = faultsOf(request);
  if (faults.length > 0) return refuseFields(faults);
  const writes = [deletePrevious(request), insertSubscription(request), deleteOldest(request)];
  const identifier = { form: "id", value: recordId } as const;
  const { accountId } = actor;
  const record = await writeAndRead(db, writes, pushSubscriptionRecords, accountId, identifier);
  return isRefusal(record) ? record : created(record);
}

async function get(request: ApiRequest): Promise<Answer> {
  const { db, actor } = request;
  const identifier = pathIdentifier(request, "push_subscription");
  if (isRefusal(identifier)) return identifier;
  const records = pushSubscriptionRecords;
  const record = await readRecord(db, records, actor.accountId, identifier, scopeOf(actor));
  return isRefusal(record) ? record : found(record);
}

async function remove(request: ApiRequest): Promise<Answer> {
  const { db, actor } = request;
  const identifier = pathIdentifier(request, "push_subscription");
  if (isRefusal(identifier)) return identifier;
  const matches = and(
    eq(pushSubscriptions.accountId, actor.accountId),
    identified(pushSubscriptions, identifier),
    scopeOf(actor),
  );
  const deletion = sql`delete from ${pushSubscriptions} where ${matches}
    returning ${pushSubscriptions.id} as id`;
  const deleted = await statement(db, deletion).first<RawRow>();
  return deleted ? nothing : notFound("push_subscription");
}

export const pushSubscriptionRoutes: readonly DeclaredRoute[] = [
  route({
    method: "GET",
    path: "/push_subscriptions/key",
    operation: "getPushKey",
    summary: "Get the public VAPID key",
    description:
      "The `applicationServerKey` for browsers; null if Web Push is not set up on this deployment.",
    shows: exactly("PushKey"),
    handle: async ({ env }) => found<PushKey>({ public_key: vapidPublicKey(env) }),
  }),
  route({
    method: "GET",
    path: "/push_subscriptions",
    operation: "listPushSubscriptions",
    summary: "List your push subscriptions",
    shows: many(pushSubscriptionRecords),
    handle: (request) =>
      listRecords(request, pushSubscriptionRecords, { scope: scopeOf(request.actor) }),
  }),
  route({
    method: "GET",
    path: "/push_subscriptions/:id",
    operation: "getPushSubscription",
    summary: "Get a push subscription",
    shows: one(pushSubscriptionRecords),
    handle: get,
  }),
  route({
    method: "POST",
    path: "/push_subscriptions",
    operation: "createPushSubscription",
    summary: "Subscribe a browser to your notifications",
    description: `Takes the \`toJSON()\` of a browser's \`PushSubscription\`. A browser that subscribes again replaces its subscription. At most ${MOST_SUBSCRIPTIONS} are stored; the oldest is removed.`,
    shows: made(pushSubscriptionRecords),
    refuses: ["conflict"],
    body: CreatePushSubscription,
    makes: pushSubscriptionRecords,
    handle: (request) => retryOnConflict(() => create(request)),
  }),
  route({
    method: "DELETE",
    path: "/push_subscriptions/:id",
    operation: "deletePushSubscription",
    summary: "Unsubscribe a browser",
    shows: noBody,
    handle: remove,
  }),
];
