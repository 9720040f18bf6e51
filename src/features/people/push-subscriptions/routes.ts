// The routes of Web Push subscriptions: one per browser of a person. Each person manages only their
// own; the account in which they subscribed sends the pushes.
import { created, deleted, found } from "../../../kernel/http/answers.ts";
import { listRecords, onRecord, readRecord } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { exactly, made, many, noBody, one } from "../../../kernel/http/shown.ts";
import type { PushKey } from "./contract.ts";
import { CreatePushSubscription } from "./parameters.ts";
import { pushSubscriptionRecords } from "./push-subscription-records.ts";
import { pushSubscriptionScope } from "./push-subscription-scope.ts";
import { vapidPublicKey } from "./vapid.ts";
import { createPushSubscription, deletePushSubscription, MAX_SUBSCRIPTIONS } from "./verbs.ts";

export const pushSubscriptionRoutes = [
  route({
    method: "GET",
    path: "/push_subscriptions/key",
    operation: "getPushKey",
    allow: "everyone",
    summary: "Get the public VAPID key",
    description:
      "The `applicationServerKey` for browsers; null if Web Push is not set up on this deployment.",
    shows: exactly("PushKey"),
    handle: async ({ env }) => found({ public_key: vapidPublicKey(env) } satisfies PushKey),
  }),
  route({
    method: "GET",
    path: "/push_subscriptions",
    operation: "listPushSubscriptions",
    allow: "everyone",
    summary: "List your push subscriptions",
    shows: many(pushSubscriptionRecords),
    handle: (request) =>
      listRecords(request, pushSubscriptionRecords, {
        scope: pushSubscriptionScope(request.actor),
      }),
  }),
  route({
    method: "GET",
    path: "/push_subscriptions/:id",
    operation: "getPushSubscription",
    allow: "everyone",
    summary: "Get a push subscription",
    shows: one(pushSubscriptionRecords),
    handle: onRecord("push_subscription", async ({ db, actor }, identifier) => {
      const scope = pushSubscriptionScope(actor);
      const records = pushSubscriptionRecords;
      return found(await readRecord(db, records, actor.accountId, identifier, scope));
    }),
  }),
  route({
    method: "POST",
    path: "/push_subscriptions",
    operation: "createPushSubscription",
    allow: "everyone",
    summary: "Subscribe a browser to your notifications",
    description: `Takes the \`toJSON()\` of a browser's \`PushSubscription\`. A browser that subscribes again replaces its subscription. At most ${MAX_SUBSCRIPTIONS} are stored; the oldest is removed.`,
    shows: made(pushSubscriptionRecords),
    refuses: ["conflict"],
    body: CreatePushSubscription,
    makes: pushSubscriptionRecords,
    handle: async (request) =>
      created(await createPushSubscription(request, request.recordId, request.body)),
  }),
  route({
    method: "DELETE",
    path: "/push_subscriptions/:id",
    operation: "deletePushSubscription",
    allow: "everyone",
    summary: "Unsubscribe a browser",
    shows: noBody,
    handle: onRecord("push_subscription", async (request, identifier) =>
      deleted(await deletePushSubscription(request, identifier)),
    ),
  }),
];
