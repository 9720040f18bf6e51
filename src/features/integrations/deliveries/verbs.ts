import type { AnnouncementPayload } from "../../../domain/integrations/announcement.ts";
import type { AttemptOutcome } from "../../../domain/integrations/delivery-attempts.ts";
import { allowedHosts } from "../../../domain/integrations/outbound-url.ts";
import { type Identifier, prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { baseUrl } from "../../../domain/shared/urls.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { batch } from "../../../kernel/db/select.ts";
import { extendTrail } from "../../../products/outgoing/trail.ts";
import { integrationTypeNamed } from "../../../products/registry.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { outgoingObject } from "../../stubs.ts";
import type { Delivery } from "./contract.ts";
import {
  deliveryRecords,
  type OutgoingIntegration,
  requeueDelivery,
  selectStoredDelivery,
  type WaitingDelivery,
} from "./rows.ts";
import { sendOutgoing, sendRequest } from "./send-outgoing.ts";
import { type ChatProgress, sendToChat } from "./send-to-chat.ts";

/**
 * Queues a failed or cancelled delivery again, and attempts a queued one immediately (contract 2,
 * Integrations).
 *
 * @returns the queued delivery; 404; 409 if it was delivered, or its integration is disabled
 */
export async function retryDelivery(
  context: Context,
  identifier: Identifier,
): Promise<Delivery | Refusal> {
  const { db, env, actor, now } = context;
  const [[stored], [before]] = await batch(db, [
    selectStoredDelivery(actor.accountId, identifier),
    selectRecord(deliveryRecords, actor.accountId, identifier),
  ]);
  if (!stored || !before) return notFound("delivery");
  const { id, status, integrationPrefixId, integrationEnabled } = stored;
  if (!integrationEnabled) {
    return refuse("conflict", "the integration is disabled; enable it first");
  }
  if (status === "delivered") return refuse("conflict", "the delivery has succeeded");
  const writes = [requeueDelivery(id, now)];
  const change = { verb: "retry", records: deliveryRecords, id, before, writes };
  const { after } = await commitChange(context, change);
  await outgoingObject(env, integrationPrefixId).refresh();
  return after ?? notFound("delivery");
}

const UNSUPPORTED: AttemptOutcome = {
  kind: "refused",
  responseCode: null,
  reason: "the integration's type has nothing to say of it",
  retryAfterMs: null,
};

/**
 * Sends a delivery. Never throws.
 *
 * @param progress stores which calls of a chat's delivery are done
 */
export async function sendDelivery(
  env: Cloudflare.Env,
  integration: OutgoingIntegration,
  delivery: WaitingDelivery,
  progress: ChatProgress,
): Promise<AttemptOutcome> {
  const { id, accountId, type, options, secrets } = integration;
  const { prefixId, event, happenedAt, content } = delivery;
  const { payload, trail = [] } = content;
  const outgoing = integrationTypeNamed(type)?.outgoing;
  if (outgoing === undefined || payload === undefined) return UNSUPPORTED;
  const origin = baseUrl(env.PUBLIC_URL);
  const integrationId = prefixIdOf("integration", id);
  const url = consoleUrlOf(origin, payload);
  const app = origin === "" ? null : { origin, integrationId };
  const announced = { event, at: happenedAt, payload, url, app };
  const request = outgoing.announce(announced, options, secrets);
  if (request === null) return UNSUPPORTED;
  const envelope = {
    id: prefixId,
    userAgent: `Tocsin (${integrationId})`,
    trail: extendTrail(trail, accountId),
  };
  const allowed = allowedHosts(env.ALLOWED_HOSTS);
  const { chat } = outgoing;
  return chat === undefined
    ? sendOutgoing(outgoing, request, envelope, allowed)
    : sendToChat(
        { db: env.DB, integration, deliveryId: delivery.id, announced, chat, progress },
        request,
        (call, read) => sendRequest(call, envelope, allowed, read),
      );
}

/** The URL of the payload's alert in the console; null without one, or without a public URL. */
function consoleUrlOf(origin: string, payload: AnnouncementPayload): string | null {
  const record = payload.about === "alert" ? payload.alert.id : commentedAlertId(payload);
  if (origin === "" || typeof record !== "string") return null;
  return `${origin}/alerts/${prefixIdOf("alert", record)}`;
}

function commentedAlertId(payload: AnnouncementPayload): unknown {
  if (payload.about !== "comment" || payload.comment.commentable_type !== "Alert") return null;
  return payload.comment.commentable_id;
}
