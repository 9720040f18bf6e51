import { sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { allowedHosts, outboundUrlFault } from "../../../domain/integrations/outbound-url.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import {
  type FieldError,
  notFound,
  type Refusal,
  refuse,
  refuseFields,
} from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { oneRecord } from "../../../kernel/db/records.ts";
import { commitChange, commitUnread } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { pushSubscriptions } from "../../schema/people.ts";
import type { PushSubscription } from "./contract.ts";
import type { CreatePushSubscription } from "./parameters.ts";
import { arePushKeys } from "./push-encryption.ts";
import { pushSubscriptionRecords } from "./push-subscription-records.ts";
import { pushSubscriptionScope } from "./push-subscription-scope.ts";
import { vapidPublicKey } from "./vapid.ts";

/** The newest subscriptions of a person that are stored. */
export const MAX_SUBSCRIPTIONS = 20;

const NO_PUSH = refuse("conflict", "this deployment has no Web Push");

function faultsOf(env: Cloudflare.Env, { endpoint, keys }: CreatePushSubscription): FieldError[] {
  const wrong = outboundUrlFault(endpoint, allowedHosts(env.ALLOWED_HOSTS));
  return [
    ...(wrong === null ? [] : [{ field: "endpoint", message: `endpoint ${wrong}` }]),
    ...(arePushKeys(keys)
      ? []
      : [{ field: "keys", message: "keys are not those of a browser's subscription" }]),
  ];
}

/**
 * Subscribes a browser of the actor to Web Push; replaces the browser's earlier subscription, and
 * removes the person's oldest ones over the limit.
 *
 * @param id the ULID of the new subscription
 * @returns the subscription; 409 without Web Push; 422 for a forbidden address or malformed keys
 */
export async function createPushSubscription(
  context: Context<MemberActor>,
  id: string,
  body: CreatePushSubscription,
): Promise<PushSubscription | Refusal> {
  const { env, actor, now } = context;
  const { accountId, accountUserId } = actor;
  if (vapidPublicKey(env) === null) return NO_PUSH;
  const faults = faultsOf(env, body);
  if (faults.length > 0) return refuseFields(faults);
  const { endpoint, keys } = body;
  const row = {
    ...newIdentity("push_subscription", now, id),
    accountId,
    accountUserId,
    meta: body.meta ?? {},
    name: body.name ?? "",
    endpoint,
    p256dh: keys.p256dh,
    auth: keys.auth,
  };
  const deletePrevious = sql`delete from ${pushSubscriptions}
    where account_user_id = ${accountUserId} and endpoint = ${endpoint}`;
  const deleteOldest = sql`delete from ${pushSubscriptions}
    where account_user_id = ${accountUserId} and id not in
      (select id from ${pushSubscriptions} where account_user_id = ${accountUserId}
        order by created_at desc, id desc limit ${MAX_SUBSCRIPTIONS})`;
  const insert = build.insert(pushSubscriptions).values(row);
  const writes = [deletePrevious, insert, deleteOldest];
  return retryOnConflict(async () => {
    const change = { verb: "create", records: pushSubscriptionRecords, id, before: null, writes };
    const { after } = await commitChange(context, change);
    return after ?? notFound("push_subscription");
  });
}

/** Unsubscribes a browser of the actor; null, or 404. */
export async function deletePushSubscription(
  context: Context<MemberActor>,
  identifier: Identifier,
): Promise<Refusal | null> {
  const { actor } = context;
  const scope = pushSubscriptionScope(actor);
  const deletion = sql`delete from ${pushSubscriptions}
    where ${oneRecord(pushSubscriptions, actor.accountId, identifier)} and ${scope}`;
  const { before } = await commitUnread(context, {
    verb: "delete",
    records: pushSubscriptionRecords,
    identifier,
    scope,
    writes: [deletion],
  });
  return before ? null : notFound("push_subscription");
}
