// The pages of a team's, a schedule's or an absence's object that the consumer has not confirmed.
// Synchronous.

import type { PageMessage } from "../../../domain/notifications/page.ts";
import { sendDue } from "../../../kernel/objects/outbox.ts";
import { OutboxTable } from "../../../kernel/objects/outbox-table.ts";
import type { Sender } from "../../../kernel/objects/pages-queue.ts";

export class PageOutbox {
  readonly #table: OutboxTable<{ readonly message: string }>;

  constructor(storage: DurableObjectStorage) {
    const key = "effect_id";
    this.#table = new OutboxTable(storage, { name: "outbox", key, columns: ["message"] });
  }

  /** Stores pages; those that are stored already stay as they are. */
  add(pages: readonly PageMessage[]): void {
    this.#table.add(
      pages.map((message) => ({ key: message.page.effectId, message: JSON.stringify(message) })),
    );
  }

  /** Removes pages whose attempts the consumer has recorded. */
  confirm(effectIds: readonly string[]): void {
    this.#table.confirm(effectIds);
  }

  /**
   * Sends the pages that are due to the queue. They stay stored, and are due again unless they are
   * confirmed in time. Throws if the queue refuses them.
   *
   * @param arm sets the object's alarm
   */
  send(queue: Sender, arm: () => void): Promise<void> {
    return sendDue({
      ...{ store: this.#table, queue, arm },
      messagesOf: (rows) => rows.map(({ message }) => JSON.parse(message)),
    });
  }

  /** When the next page is due (epoch ms); null: there is none. */
  nextAt(): number | null {
    return this.#table.nextAt();
  }
}
