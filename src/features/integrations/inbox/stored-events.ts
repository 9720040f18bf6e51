// The inbox's stored events in memory: which are pending, by ordering key and in order, and which
// are settled and only need their log. It is rebuilt from the table when the object wakes, so that
// the table needs no index. Per event it has a few short values; contents are read by sequence.
import type { InboundEvent } from "../../../products/integration-type.ts";

export type ActionableEvent = Exclude<InboundEvent, { kind: "ignored" | "invalid" | "note" }>;

type LogLevel = "debug" | "info" | "warn" | "error";

/** What an event did, for its log. */
export type EventOutcome = {
  readonly level: LogLevel;
  readonly message: string;
  /** The alert that it created, was counted on, or answered. */
  readonly alertId: string | null;
};

/** An event of a request in the inbox's table. */
export type StoredEvent = {
  /** Larger than those of all earlier events of the inbox. */
  readonly sequence: number;
  readonly logId: string;
  /** Its position in the request. */
  readonly position: number;
  /** Null: the request changes no alert. */
  readonly kind: ActionableEvent["kind"] | null;
  readonly orderingKey: string | null;
  readonly acceptedAt: number;
  /**
   * Whether its outcome is stored once it is known. Otherwise a crash delivers it again, and the
   * alert recognizes its sequence number.
   */
  readonly isStoredOnce: boolean;
  /** What may be news of a create, as a short key: a repetition has the key of the one before. */
  readonly news: string;
  /** Whether it must not wait as a repetition does: it answers an alert, or may have news of it. */
  readonly isUrgent: boolean;
  /** Whether its alert may have received it already. */
  readonly isAttempted: boolean;
  /** Null while it is pending. */
  readonly settled: (EventOutcome & { readonly at: number; readonly isStored: boolean }) | null;
};

/** An event that is to be delivered. */
export type PendingEvent = StoredEvent & {
  readonly kind: ActionableEvent["kind"];
  readonly orderingKey: string;
};

/** A settled event, whose log is to be written. */
export type SettledEvent = StoredEvent & { readonly settled: NonNullable<StoredEvent["settled"]> };

/** An ordering key with pending events. `urgent`: how many must not wait. */
export type PendingKey = { readonly id: string; readonly urgent: number };

const isPending = (event: StoredEvent): event is PendingEvent =>
  event.settled === null && event.kind !== null && event.orderingKey !== null;
const isSettled = (event: StoredEvent): event is SettledEvent => event.settled !== null;

/** Adds a value to the map of a key, which is created if missing. */
function addTo<Value>(
  maps: Map<string, Map<number, Value>>,
  key: string,
  sequence: number,
  value: Value,
): void {
  const map = maps.get(key) ?? new Map<number, Value>();
  map.set(sequence, value);
  maps.set(key, map);
}

/** The first values, at most `limit`. */
function firstOf<Value>(values: Iterable<Value> | undefined, limit: number): Value[] {
  const first: Value[] = [];
  for (const value of values ?? []) {
    if (first.length >= limit) break;
    first.push(value);
  }
  return first;
}

function removeFrom<Value>(maps: Map<string, Map<number, Value>>, key: string, sequence: number) {
  const map = maps.get(key);
  map?.delete(sequence);
  if (map?.size === 0) maps.delete(key);
}

export class StoredEvents {
  readonly #all = new Map<number, StoredEvent>();
  readonly #pending = new Map<string, Map<number, PendingEvent>>();
  /** In the order in which they were settled. */
  readonly #settled = new Map<number, SettledEvent>();
  readonly #byKey = new Map<string, Map<number, StoredEvent>>();
  readonly #byLog = new Map<string, Map<number, StoredEvent>>();

  get size(): number {
    return this.#all.size;
  }

  /** Adds an event, or replaces the one with its sequence number. */
  put(event: StoredEvent): void {
    const { sequence, orderingKey, logId } = event;
    this.#all.set(sequence, event);
    addTo(this.#byLog, logId, sequence, event);
    if (orderingKey !== null) addTo(this.#byKey, orderingKey, sequence, event);
    if (isPending(event)) addTo(this.#pending, event.orderingKey, sequence, event);
    else if (orderingKey !== null) removeFrom(this.#pending, orderingKey, sequence);
    if (isSettled(event)) this.#settled.set(sequence, event);
  }

  remove(sequence: number): void {
    const event = this.#all.get(sequence);
    if (event === undefined) return;
    this.#all.delete(sequence);
    this.#settled.delete(sequence);
    removeFrom(this.#byLog, event.logId, sequence);
    if (event.orderingKey === null) return;
    removeFrom(this.#byKey, event.orderingKey, sequence);
    removeFrom(this.#pending, event.orderingKey, sequence);
  }

  get(sequence: number): StoredEvent | null {
    return this.#all.get(sequence) ?? null;
  }

  pendingKeys(): PendingKey[] {
    return [...this.#pending].map(([id, events]) => ({
      id,
      urgent: [...events.values()].filter((event) => event.isUrgent).length,
    }));
  }

  /** The next pending events of an ordering key, in the order they were accepted. */
  pending(orderingKey: string, limit: number): PendingEvent[] {
    return firstOf(this.#pending.get(orderingKey)?.values(), limit);
  }

  /** When the oldest pending event was accepted (epoch ms); null if none is pending. */
  oldestPending(): number | null {
    let oldest: number | null = null;
    for (const events of this.#pending.values()) {
      const [first] = events.values();
      if (first !== undefined) oldest = Math.min(oldest ?? first.acceptedAt, first.acceptedAt);
    }
    return oldest;
  }

  /** The events that were settled first. */
  settled(limit: number): SettledEvent[] {
    return firstOf(this.#settled.values(), limit);
  }

  /** Whether any event of an ordering key is stored, pending or settled. */
  hasKey(orderingKey: string): boolean {
    return this.#byKey.has(orderingKey);
  }

  /** All events of an ordering key, pending or settled. */
  ofKey(orderingKey: string): StoredEvent[] {
    return [...(this.#byKey.get(orderingKey)?.values() ?? [])];
  }

  /** The events of a request, in their order. */
  ofLog(logId: string): StoredEvent[] {
    return [...(this.#byLog.get(logId)?.values() ?? [])];
  }
}
