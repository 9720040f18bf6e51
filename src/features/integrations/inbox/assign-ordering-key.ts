// Decides which events are delivered in order: those that share an ordering key.
import { newId } from "../../../kernel/db/identifiers.ts";
import type { InboxStorage } from "./inbox-storage.ts";
import type { ActionableEvent } from "./stored-events.ts";

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
  const { orderingKeys } = storage;
  const own = findOrderingKey(storage, event) ?? newId(now);
  if (event.kind === "resolve") orderingKeys.endTitle(own);
  if (event.kind !== "create") return own;
  const key = windowMs === null ? own : orderingKeys.claimTitle(event.title, own, windowMs, now);
  orderingKeys.storeDedupKeys(event.dedupKeys, key);
  return key;
}

/**
 * Whether events open something, and none belongs to an alert or to events that are stored. Where
 * one does they are accepted together: a resolve that is refused is a false page later.
 */
export function opensOnlyNew(
  storage: InboxStorage,
  events: readonly ActionableEvent[],
  windowMs: number | null,
  now: number,
): boolean {
  const { orderingKeys, events: stored } = storage;
  const isKnown = (event: ActionableEvent) => {
    const key = findOrderingKey(storage, event);
    if (key !== null && (stored.index.hasKey(key) || orderingKeys.newest(key) !== null))
      return true;
    return event.kind === "create" && windowMs !== null && orderingKeys.hasTitle(event.title, now);
  };
  return events.length > 0 && !events.some(isKnown);
}

/** The key that an event names; null if it names none that can be found. */
function findOrderingKey(storage: InboxStorage, event: ActionableEvent): string | null {
  const named =
    event.kind !== "create" && event.reference ? storage.findByReference(event.reference) : null;
  return named ?? event.thirdpartyId ?? storage.orderingKeys.findByDedupKeys(event.dedupKeys);
}
