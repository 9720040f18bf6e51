// Sends changes of alerts in messages: the first at once, those that follow within a moment
// together, so that a storm of alerts does not become a storm of messages.
import type { ChangedAlert } from "../../rpc.ts";

/** The interval between two messages (ms). */
const INTERVAL_MS = 200;
/** A message that would list more alerts asks for a refresh instead. */
const MAX_LISTED = 50;

export class ChangeQueue {
  readonly #send: (text: string) => void;
  /** Versions by alert id; null: no step. */
  #pending = new Map<string, number | null>();
  #isPaused = false;

  /** @param send called with a message, as JSON */
  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  add({ id, version }: ChangedAlert): void {
    const before = this.#pending.get(id) ?? null;
    this.#pending.set(id, version === null ? before : Math.max(version, before ?? 0));
    if (!this.#isPaused) this.#flush();
  }

  #flush(): void {
    this.#isPaused = this.#pending.size > 0;
    if (!this.#isPaused) return;
    const changes = [...this.#pending].map(([id, version]) => ({ id, version }));
    this.#pending = new Map();
    this.#send(JSON.stringify(changes.length > MAX_LISTED ? { refresh: true } : { changes }));
    setTimeout(() => this.#flush(), INTERVAL_MS);
  }
}
