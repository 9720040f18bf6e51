// Other alerts that must learn of a step of this one. Stored in the step's commit, so that each of
// them learns of it, whatever fails.
import { logFault } from "../../../kernel/db/log-fault.ts";
import { type OutboxRow, refused } from "../../../kernel/objects/outbox.ts";

/** They are notified together: their calls need no queue, and answer themselves. */
type Pending<Item> = OutboxRow & { readonly items: readonly Item[] };

export class PendingAlerts<Item extends { readonly id: string }> {
  readonly #storage: DurableObjectStorage;
  readonly #key: string;
  #pending: Pending<Item> | null;

  constructor(storage: DurableObjectStorage, key: string) {
    this.#storage = storage;
    this.#key = key;
    this.#pending = storage.kv.get<Pending<Item>>(key) ?? null;
  }

  /** Stores alerts to be notified, as part of a step's commit. `nextAt` in epoch ms. */
  add(items: readonly Item[], nextAt: number): void {
    if (items.length === 0) return;
    const all = [...(this.#pending?.items ?? []), ...items];
    const unique = [...new Map(all.map((it) => [it.id, it])).values()];
    this.#put({ items: unique, attempts: 0, nextAt });
  }

  #put(pending: Pending<Item>): void {
    this.#pending = pending;
    this.#storage.kv.put(this.#key, pending);
  }

  /** When to try next (epoch ms); null if every alert is notified. */
  nextAt(): number | null {
    return this.#pending?.nextAt ?? null;
  }

  /**
   * Notifies the alerts. Never throws: one that could not be reached is retried.
   *
   * @param notify whether the alert has learned of the step, or never needs to
   */
  async deliver(notify: (item: Item) => Promise<boolean>): Promise<void> {
    const known = this.#pending;
    if (known === null) return;
    const attempt = async (item: Item) => {
      try {
        return (await notify(item)) ? [item.id] : [];
      } catch (error) {
        logFault("another alert could not be notified", error);
        return [];
      }
    };
    const notified = new Set((await Promise.all(known.items.map(attempt))).flat());
    // What was added meanwhile stays.
    const items = (this.#pending?.items ?? []).filter(({ id }) => !notified.has(id));
    if (items.length > 0) {
      this.#put(refused({ ...known, items }, Date.now()));
      return;
    }
    this.#pending = null;
    this.#storage.kv.delete(this.#key);
  }

  /** To be called when the object's storage is deleted. */
  reset(): void {
    this.#pending = null;
  }
}
