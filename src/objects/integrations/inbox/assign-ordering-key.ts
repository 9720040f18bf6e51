// Decides which events are delivered in order: those that share an ordering key.
import { newId } from "../../../db/shared/identifiers.ts";
import type { InboxStorage } from "./storage/inbox-storage.ts";
import type { ActionableEvent } from "./storage/stored-events.ts";

/**
 * Assigns an event's ordering key. Without an `Id`: that of the last create with one of its dedup
 * keys. Creates of one title share a key during the aggregation window, or until a resolve.
 *
 * @param windowMs the aggregation window; null = none
 * @param now epoch ms
 */
export function assignOrderingKey(
  storage: InboxStorage,
  event: ActionableEvent,
  windowMs: number | null,
  now: number,
): string {
  const named =
    event.kind !== "create" && event.reference ? storage.findByReference(event.reference) : null;
  const { orderingKeys } = storage;
  const known = named ?? event.thirdpartyId ?? orderingKeys.findByDedupKeys(event.dedupKeys);
  const own = known ?? newId(now);
  if (event.kind === "resolve") orderingKeys.endTitle(own);
  if (event.kind !== "create") return own;
  const key = windowMs === null ? own : orderingKeys.claimTitle(event.title, own, windowMs, now);
  orderingKeys.storeDedupKeys(event.dedupKeys, key);
  return key;
}
