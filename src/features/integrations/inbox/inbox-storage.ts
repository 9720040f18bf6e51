// The storage of an integration's inbox: its configuration, its accepted events until their logs
// are written, and its ordering keys. Synchronous: one turn, one commit. The inbox of a name that
// no integration has stores nothing.
import type { IntegrationConfiguration } from "../../../domain/integrations/integration-configuration.ts";
import type { AlertReference } from "../../../domain/integrations/opsgenie-identifiers.ts";
import { newDatedId } from "../../../kernel/db/identifiers.ts";
import { ChangedWindows } from "./changed-windows.ts";
import { EVENTS_SCHEMA, EventStorage, type NewEvent } from "./event-storage.ts";
import { hasTable, ORDERING_KEYS_SCHEMA, OrderingKeyStorage } from "./ordering-key-storage.ts";
import type { ActionableEvent, EventOutcome, SettledEvent, StoredEvent } from "./stored-events.ts";

export type AcceptedRequest = {
  readonly logId: string;
  readonly acceptedAt: number;
  /** The request as its log shows it, secrets redacted. */
  readonly request: Readonly<Record<string, unknown>>;
};

/** The stored configuration of the integration. */
export type StoredConfiguration = {
  readonly body: IntegrationConfiguration;
  /** When it was read (epoch ms). */
  readonly loadedAt: number;
  /** The integration is deleted: pending events are delivered, and no more are accepted. */
  readonly gone: boolean;
};

const CONFIGURATION_SCHEMA = `
  create table configuration (one integer primary key check (one = 1), body text not null,
    loaded_at integer not null, gone integer not null default 0);`;

export class InboxStorage {
  readonly events: EventStorage;
  readonly orderingKeys: OrderingKeyStorage;
  readonly windows: ChangedWindows;
  readonly #storage: DurableObjectStorage;
  #exists: boolean;
  /** When an unchanged configuration was read again (epoch ms). */
  #confirmedAt = 0;
  /** The stored configuration, as each request reads it; null: it is to be read from the table. */
  #known: StoredConfiguration | null = null;
  /** The alerts that ended while events of their ordering keys were stored, by ordering key. */
  readonly #ended = new Map<string, string>();
  /** The alerts that are the newest of their ordering keys and that nothing has asked to be created yet. */
  readonly #announced = new Map<string, string>();

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.events = new EventStorage(storage.sql);
    this.orderingKeys = new OrderingKeyStorage(storage.sql, () => this.#sql());
    this.windows = new ChangedWindows(storage.sql);
    this.#exists = hasTable(storage.sql, "configuration");
    this.reload();
  }

  get exists(): boolean {
    return this.#exists;
  }

  /** Reads the stored events again: when the object wakes, or after its texts were changed. */
  reload(): void {
    this.#announced.clear();
    this.#known = null;
    if (this.#exists) this.events.load();
  }

  #sql(): SqlStorage {
    if (!this.#exists) {
      const schema = CONFIGURATION_SCHEMA + EVENTS_SCHEMA + ORDERING_KEYS_SCHEMA;
      this.#storage.sql.exec(schema);
      this.#exists = true;
    }
    return this.#storage.sql;
  }

  configuration(): StoredConfiguration | null {
    if (!this.#exists) return null;
    this.#known ??= this.#readConfiguration();
    return (
      this.#known && {
        ...this.#known,
        loadedAt: Math.max(this.#known.loadedAt, this.#confirmedAt),
      }
    );
  }

  #readConfiguration(): StoredConfiguration | null {
    const [row] = this.#storage.sql
      .exec<{ body: string; loaded_at: number; gone: number }>("select * from configuration")
      .toArray();
    if (row === undefined) return null;
    const body = JSON.parse(row.body) as IntegrationConfiguration;
    return { body, loadedAt: row.loaded_at, gone: row.gone === 1 };
  }

  /** Stores the configuration, and that its windows have changed. An unchanged one, read every minute, costs no write. */
  storeConfiguration(configuration: IntegrationConfiguration, now: number): void {
    this.windows.note(this.configuration()?.body, configuration, now);
    this.#known = null;
    const { rowsWritten } = this.#sql().exec(
      `insert into configuration (one, body, loaded_at) values (1, ?1, ?2)
        on conflict (one) do update set body = ?1, loaded_at = ?2, gone = 0
        where body <> ?1 or gone = 1`,
      JSON.stringify(configuration),
      now,
    );
    if (rowsWritten === 0) this.#confirmedAt = now;
  }

  /** Records that the integration is deleted. */
  markGone(now: number): void {
    if (!this.#exists) return;
    this.#known = null;
    this.#storage.sql.exec("update configuration set gone = 1, loaded_at = ?", now);
  }

  /** How many events wait, and the bytes of all that is stored. */
  size(): { readonly events: number; readonly bytes: number } {
    return { events: this.events.index.size, bytes: this.#storage.sql.databaseSize };
  }

  /** Whether any event is pending or has no log yet, or alerts do not know of a changed window. */
  hasWork(): boolean {
    return this.events.index.size > 0 || this.windows.isPending;
  }

  /**
   * Appends the events of one request, all or none; returns them. The alert of an ordering key's first event gets
   * its id in the same commit: the delivery need not wait for one of its own.
   *
   * @param forRules whether to store the request, for routing rules, until its last log is written
   * @param warning what the log says of the request's other events
   */
  accept(
    accepted: AcceptedRequest,
    events: readonly { orderingKey: string; event: ActionableEvent }[],
    forRules: boolean,
    warning: EventOutcome | null = null,
  ): readonly StoredEvent[] {
    const { logId, acceptedAt } = accepted;
    const request = JSON.stringify(accepted.request);
    const sql = this.#sql();
    return this.#storage.transactionSync(() => {
      if (forRules) {
        sql.exec("create table if not exists requests (log_id text primary key, request text)");
        sql.exec("insert into requests values (?, ?)", logId, request);
      }
      const rows: NewEvent[] = events.map(({ orderingKey, event }, position) => ({
        ...{ logId, position, orderingKey, acceptedAt, event, outcome: null },
        request: position === 0 ? request : null,
      }));
      if (warning !== null) {
        const other = { logId, position: rows.length, acceptedAt, outcome: warning };
        rows.push({ ...other, orderingKey: null, event: null, request: null });
      }
      this.#announceAlerts(events, acceptedAt);
      return this.events.insert(rows);
    });
  }

  /** Those with dedup keys get theirs by the objects of the keys, when they are delivered. */
  #announceAlerts(
    events: readonly { orderingKey: string; event: ActionableEvent }[],
    now: number,
  ): void {
    const seen = new Set<string>();
    for (const { orderingKey, event } of events) {
      const isFirst = !seen.has(orderingKey) && !this.events.index.hasKey(orderingKey);
      seen.add(orderingKey);
      if (!isFirst || event.kind !== "create" || event.dedupKeys.length > 0) continue;
      if (this.orderingKeys.newest(orderingKey) !== null) continue;
      const alertId = newDatedId(now);
      this.orderingKeys.store(orderingKey, alertId);
      this.#announced.set(orderingKey, alertId);
    }
  }

  /** The id of an ordering key's alert that is to be created by the first event; null if there is none. */
  announcedAlert(orderingKey: string): string | null {
    return this.#announced.get(orderingKey) ?? null;
  }

  /** Notes that the alert of an ordering key may have been created. */
  markCreated(orderingKey: string): void {
    this.#announced.delete(orderingKey);
  }

  /** Stores a request that changes no alert, for its log, with the key of an alert it refers to. */
  storeSettled(
    { logId, acceptedAt, request }: AcceptedRequest,
    outcome: EventOutcome,
    orderingKey: string | null = null,
  ): void {
    this.#sql();
    const event = { logId, position: 0, orderingKey, acceptedAt, event: null, outcome };
    this.events.insert([{ ...event, request: JSON.stringify(request) }]);
  }

  /** The ordering key of the alert that a reference names; null if it is not known here. */
  findByReference(reference: AlertReference): string | null {
    if (!this.#exists) return null;
    if (reference.by !== "request") return this.orderingKeys.findByReference(reference);
    const found = this.events.index.ofLog(reference.logId);
    return found.find((event) => event.orderingKey !== null)?.orderingKey ?? null;
  }

  /** The request of a pending event, as logged; null if it was not stored for rules. */
  readRequest(logId: string): Readonly<Record<string, unknown>> | null {
    if (!hasTable(this.#storage.sql, "requests")) return null;
    const [row] = this.#storage.sql
      .exec<{ request: string }>("select request from requests where log_id = ?", logId)
      .toArray();
    return row ? (JSON.parse(row.request) as Record<string, unknown>) : null;
  }

  /** Stores the newest alert of an ordering key, in place of one that has ended. */
  replaceAlert(orderingKey: string, alertId: string): void {
    this.events.storeOutcomesOf(orderingKey);
    this.orderingKeys.store(orderingKey, alertId);
  }

  /** Deletes events whose logs are written, and ordering keys that waited for that. */
  deleteLogged(events: readonly SettledEvent[]): void {
    this.events.delete(events);
    const { index } = this.events;
    if (hasTable(this.#storage.sql, "requests")) {
      const logIds = events.map((event) => event.logId);
      this.#storage.sql.exec(
        "delete from requests where log_id in (select value from json_each(?))",
        JSON.stringify(logIds.filter((logId) => index.ofLog(logId).length === 0)),
      );
    }
    for (const { orderingKey } of events) {
      const alertId = orderingKey === null ? undefined : this.#ended.get(orderingKey);
      if (orderingKey !== null && alertId !== undefined) this.#forget(orderingKey, alertId);
    }
  }

  /**
   * Deletes the ordering keys of an alert that has ended. Not while an event of the key is stored:
   * delivered again after a crash, it would create another alert. Then it is deleted afterwards.
   *
   * @returns whether nothing is left
   */
  forgetAlert(alertId: string, orderingKey: string): boolean {
    if (!this.#exists) return true;
    const others = this.orderingKeys.othersOf(alertId, orderingKey);
    const forgotten = [orderingKey, ...others].map((key) => this.#forget(key, alertId));
    return forgotten.every((isForgotten) => isForgotten);
  }

  /** Makes the alert the newest of the ordering key, unless another one than `inPlaceOf` is it. */
  claimAlert(alertId: string, orderingKey: string, inPlaceOf: string | null): string {
    // An inbox that was never used, or is gone, has no events to count.
    if (!this.#exists) return alertId;
    const newest = this.orderingKeys.newest(orderingKey);
    if (newest !== null && newest !== alertId && newest !== inPlaceOf) return newest;
    this.#ended.delete(orderingKey);
    this.replaceAlert(orderingKey, alertId);
    return alertId;
  }

  #forget(orderingKey: string, alertId: string): boolean {
    if (this.events.index.hasKey(orderingKey)) {
      this.#ended.set(orderingKey, alertId);
      return false;
    }
    this.#ended.delete(orderingKey);
    this.orderingKeys.forget(orderingKey, alertId);
    return true;
  }
}
