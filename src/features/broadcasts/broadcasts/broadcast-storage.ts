// The storage of a broadcast's object: whom it has notified, unconfirmed pages, and when to check
// the broadcast in D1 again. Synchronous: one turn, one commit.

import type { BroadcastStep } from "../../../domain/broadcasts/broadcast.ts";
import {
  type BroadcastInPage,
  EMPTY_RULE_VIEW,
  type PageMessage,
} from "../../../domain/notifications/page.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { earliest } from "../../../kernel/objects/earliest.ts";
import type { OutboxStore } from "../../../kernel/objects/outbox.ts";
import { OutboxTable, type TableRow } from "../../../kernel/objects/outbox-table.ts";
import type { WatchedBroadcast } from "../../rpc.ts";

export type ObservedBroadcast = WatchedBroadcast & {
  readonly since: number;
  /** Whether anyone was notified. */
  readonly hasBegun: boolean;
  /** Closed or errored by the object itself: pending pages are still sent. */
  readonly isEnding: boolean;
  /** When to check D1 again (epoch ms); null = no check is scheduled. */
  readonly checkAt: number | null;
  /** The content to send; null before anyone is notified. */
  readonly content: BroadcastInPage | null;
};

/** A recipient, the key of the row, whose page is not confirmed. All pages have the same content. */
export type RecipientRow = TableRow<Record<never, string>>;

export class BroadcastStorage {
  readonly #storage: DurableObjectStorage;
  readonly #outbox: OutboxTable<Record<never, string>>;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#outbox = new OutboxTable(storage, {
      name: "outbox",
      key: "account_user_id",
      columns: [],
    });
  }

  /** The recipients whose pages are not confirmed. */
  get pages(): OutboxStore<RecipientRow> {
    return this.#outbox;
  }

  read(): ObservedBroadcast | null {
    return this.#storage.kv.get<ObservedBroadcast>("broadcast") ?? null;
  }

  #change(changes: Partial<ObservedBroadcast>): void {
    const stored = this.read();
    if (stored !== null) this.#storage.kv.put("broadcast", { ...stored, ...changes });
  }

  /** Stores a new broadcast. */
  start(broadcast: WatchedBroadcast, checkAt: number): void {
    this.#storage.transactionSync(() => {
      this.#storage.sql.exec(
        "create table if not exists notified (account_user_id text primary key, at integer not null)",
      );
      const state = { hasBegun: false, isEnding: false, checkAt, content: null };
      this.#storage.kv.put("broadcast", { ...broadcast, ...state, since: Date.now() });
    });
  }

  /** Schedules a check at `at` (epoch ms), unless an earlier one is scheduled. */
  checkAt(at: number): void {
    const stored = this.read();
    if (stored !== null) this.#change({ checkAt: Math.min(at, stored.checkAt ?? at) });
  }

  /** Schedules the next check at `at` (epoch ms), also if an earlier one is scheduled. */
  postpone(at: number): void {
    this.#change({ checkAt: at });
  }

  notifiedIds(): Set<string> {
    const rows = this.#storage.sql.exec<{ id: string }>(
      "select account_user_id as id from notified",
    );
    return new Set(rows.toArray().map(({ id }) => id));
  }

  unconfirmed(): number {
    return this.#outbox.size();
  }

  /** Commits a step: whom it notifies, and when to check again. */
  commit(
    content: BroadcastInPage,
    { toNotify, status, checkAt }: BroadcastStep,
    now: number,
  ): void {
    this.#storage.transactionSync(() => {
      for (const id of toNotify) {
        this.#storage.sql.exec("insert into notified values (?, ?)", id, now);
      }
      this.#outbox.add(toNotify.map((key) => ({ key })));
      const isEnding = status === "closed" || status === "errored";
      const hasBegun = this.read()?.hasBegun === true || toNotify.length > 0;
      this.#change({ content, checkAt, hasBegun, isEnding });
    });
  }

  /** The pages of recipients. */
  messagesOf(recipients: readonly RecipientRow[]): PageMessage[] {
    const stored = this.read();
    if (stored === null || stored.content === null) return [];
    const { content } = stored;
    return recipients.map(({ key }) => messageOf(stored, content, key, this.#notifiedAt(key)));
  }

  /** When a recipient was notified (epoch ms): the same for every copy of the page. */
  #notifiedAt(accountUserId: string): number {
    const query = "select at from notified where account_user_id = ?";
    return this.#storage.sql.exec<{ at: number }>(query, accountUserId).one().at;
  }

  /** Removes pages whose attempts are recorded; returns how many are left. */
  confirm(effectIds: readonly string[]): number {
    this.#outbox.confirm(effectIds.map((effectId) => effectId.split(":")[1] ?? ""));
    return this.unconfirmed();
  }

  /** Deletes everything, including the alarm. */
  deleteAll(): void {
    this.#storage.kv.delete("broadcast");
    void this.#storage.deleteAlarm();
    void this.#storage.deleteAll();
  }

  /** When the next check or page is due (epoch ms); null = neither. */
  nextAt(): number | null {
    const stored = this.read();
    if (stored === null) return null;
    return earliest(stored.checkAt, this.#outbox.nextAt());
  }
}

/** The page of one recipient, with an id derived from the broadcast's and the recipient's. */
function messageOf(
  { id, accountId }: WatchedBroadcast,
  broadcast: BroadcastInPage,
  accountUserId: string,
  at: number,
): PageMessage {
  const text = broadcast.description ?? "";
  return {
    accountId,
    page: {
      effectId: `${id}:${accountUserId}`,
      event: "broadcast.sent",
      accountUserId,
      workflowId: null,
      layer: null,
      pass: null,
      at,
      until: null,
      detail: null,
    },
    alert: null,
    notice: { schedule: prefixIdOf("broadcast", id), subject: broadcast.title, text, broadcast },
    stage: 0,
    view: EMPTY_RULE_VIEW,
  };
}
