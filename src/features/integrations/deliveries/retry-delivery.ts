import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { batch } from "../../../kernel/db/select.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { outgoingObject } from "../../stubs.ts";
import type { Delivery } from "./contract.ts";
import { deliveryRecords, selectStoredDelivery } from "./delivery-records.ts";
import { requeueDelivery } from "./outgoing-rows.ts";

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
