// The storage of an integration's inbox: its configuration, accepted events that are not delivered
// yet, requests whose log is not written yet, and its ordering keys. Synchronous: one turn, one
// commit. An inbox that never accepted anything stores nothing.
import type { IntegrationConfiguration } from "../../../domain/integrations/integration-configuration.ts";
import type { AlertReference } from "../../../domain/integrations/opsgenie-identifiers.ts";
import type { InboundEvent } from "../../../integrations/integration-type.ts";
import { hasTable, ORDERING_KEYS_SCHEMA, OrderingKeyStorage } from "./ordering-key-storage.ts";

type LogLevel = "info" | "warn" | "error";
export type EventOutcome = { readonly level: LogLevel; readonly message: string };

/** An event that creates, acknowledges or resolves an alert. */
export type ActionableEvent = Extract<InboundEvent, { kind: "create" | "acknowledge" | "resolve" }>;

export type AcceptedRequest = {
  readonly logId: string;
  readonly acceptedAt: number;
  /** The request as its log shows it, secrets redacted. */
  readonly request: Readonly<Record<string, unknown>>;
};

/** An event to deliver. Its content is read separately: thousands may be pending. */
export type PendingEvent = {
  readonly sequence: number;
  readonly logId: string;
  readonly kind: ActionableEvent["kind"];
  readonly acceptedAt: number;
};

/** An event whose outcome is known and whose log is not written yet. */
export type SettledRow = {
  readonly sequence: number;
  readonly logId: string;
  readonly position: number;
  readonly acceptedAt: number;
  readonly settledAt: number;
  readonly request: string | null;
  readonly level: LogLevel;
  readonly outcome: string;
};

type SettledColumns = {
  sequence: number;
  log_id: string;
  position: number;
  accepted_at: number;
  settled_at: number;
  request: string | null;
  level: LogLevel;
  outcome: string;
};

/** The outcome of a stored request; `settledAt` is null while it is pending. */
export type StoredOutcome = {
  readonly orderingKey: string | null;
  /** JSON. */
  readonly request: string | null;
  readonly settledAt: number | null;
  readonly outcome: string;
};

/** An ordering key with pending events. `urgent`: how many are acknowledges and resolves. */
export type PendingKey = { readonly id: string; readonly urgent: number };

/** The stored configuration of the integration. */
export type StoredConfiguration = {
  readonly body: IntegrationConfiguration;
  /** When it was read (epoch ms). */
  readonly loadedAt: number;
  /** The integration is deleted: pending events are delivered, and no more are accepted. */
  readonly gone: boolean;
};

/** Maximum size of a batch of logs (characters): D1 limits a parameter to 2 MB. */
const MAX_LOGGED = 500_000;

const SCHEMA = `
  create table configuration (one integer primary key check (one = 1), body text not null,
    loaded_at integer not null, gone integer not null default 0);
  create table events (sequence integer primary key autoincrement, lane text, kind text, event text,
    log_id text not null, position integer not null, accepted_at integer not null, request text,
    settled_at integer, level text, outcome text);
  create index events_waiting on events (lane, sequence) where settled_at is null;
  create index events_settled on events (sequence) where settled_at is not null;
  ${ORDERING_KEYS_SCHEMA}`;

export class InboxStorage {
  readonly orderingKeys: OrderingKeyStorage;
  readonly #storage: DurableObjectStorage;
  #exists: boolean;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.orderingKeys = new OrderingKeyStorage(storage.sql, () => this.#sql());
    const query = "select 1 from sqlite_master where name = 'configuration'";
    this.#exists = storage.sql.exec(query).toArray().length > 0;
  }

  get exists(): boolean {
    return this.#exists;
  }

  #sql(): SqlStorage {
    if (!this.#exists) {
      this.#storage.sql.exec(SCHEMA);
      this.#exists = true;
    }
    return this.#storage.sql;
  }

  configuration(): StoredConfiguration | null {
    if (!this.#exists) return null;
    const [row] = this.#storage.sql
      .exec<{ body: string; loaded_at: number; gone: number }>("select * from configuration")
      .toArray();
    if (row === undefined) return null;
    const body = JSON.parse(row.body) as IntegrationConfiguration;
    return { body, loadedAt: row.loaded_at, gone: row.gone === 1 };
  }

  storeConfiguration(configuration: IntegrationConfiguration, now: number): void {
    this.#sql().exec(
      `insert into configuration (one, body, loaded_at) values (1, ?1, ?2)
        on conflict (one) do update set body = ?1, loaded_at = ?2, gone = 0`,
      JSON.stringify(configuration),
      now,
    );
  }

  /** Records that the integration is deleted. */
  markGone(now: number): void {
    if (!this.#exists) return;
    this.#storage.sql.exec("update configuration set gone = 1, loaded_at = ?", now);
  }

  /** Whether any event is pending or has no log yet. */
  hasEvents(): boolean {
    if (!this.#exists) return false;
    return this.#storage.sql.exec("select 1 from events limit 1").toArray().length > 0;
  }

  /**
   * Appends the events of one request, all or none.
   *
   * @param forRules whether to store the request, for routing rules, until its last log is written
   */
  accept(
    accepted: AcceptedRequest,
    events: readonly { orderingKey: string; event: ActionableEvent }[],
    forRules: boolean,
  ): void {
    const sql = this.#sql();
    this.#storage.transactionSync(() => {
      if (forRules) {
        const { logId, request } = accepted;
        sql.exec("create table if not exists requests (log_id text primary key, request text)");
        sql.exec("insert into requests values (?, ?)", logId, JSON.stringify(request));
      }
      events.forEach(({ orderingKey, event }, position) => {
        sql.exec(
          `insert into events (lane, kind, event, log_id, position, accepted_at, request)
            values (?, ?, ?, ?, ?, ?, ?)`,
          orderingKey,
          event.kind,
          JSON.stringify(event),
          accepted.logId,
          position,
          accepted.acceptedAt,
          position === 0 ? JSON.stringify(accepted.request) : null,
        );
      });
    });
  }

  /** Stores a request that changes no alert, for its log, with the key of an alert it refers to. */
  storeSettled(
    accepted: AcceptedRequest,
    outcome: EventOutcome,
    orderingKey: string | null = null,
  ): void {
    this.#sql().exec(
      `insert into events (lane, log_id, position, accepted_at, request, settled_at, level, outcome)
        values (?, ?, 0, ?, ?, ?, ?, ?)`,
      orderingKey,
      accepted.logId,
      accepted.acceptedAt,
      JSON.stringify(accepted.request),
      accepted.acceptedAt,
      outcome.level,
      outcome.message,
    );
  }

  /** All ordering keys with pending events; read once, when the object wakes. */
  pendingKeys(): PendingKey[] {
    if (!this.#exists) return [];
    return this.#storage.sql
      .exec<{ lane: string; urgent: number }>(
        `select lane, sum(kind <> 'create') as urgent from events where settled_at is null group by lane`,
      )
      .toArray()
      .map(({ lane, urgent }) => ({ id: lane, urgent }));
  }

  /** The next pending events of an ordering key, in the order they were accepted. */
  pending(orderingKey: string, limit: number): PendingEvent[] {
    return this.#storage.sql
      .exec<{
        sequence: number;
        log_id: string;
        kind: ActionableEvent["kind"];
        accepted_at: number;
      }>(
        `select sequence, log_id, kind, accepted_at from events
          where lane = ? and settled_at is null order by sequence limit ?`,
        orderingKey,
        limit,
      )
      .toArray()
      .map(({ sequence, log_id, kind, accepted_at }) => ({
        sequence,
        logId: log_id,
        kind,
        acceptedAt: accepted_at,
      }));
  }

  /** The ordering key of the alert that a reference names; null if no alert of this integration. */
  findByReference(reference: AlertReference): string | null {
    if (!this.#exists) return null;
    if (reference.by !== "request") return this.orderingKeys.findByReference(reference);
    const query = "select lane from events where log_id = ? and lane is not null limit 1";
    const [row] = this.#storage.sql.exec<{ lane: string }>(query, reference.logId).toArray();
    return row?.lane ?? null;
  }

  /** The outcome of a request whose log is not written yet; null if it is, or the id is unknown. */
  findOutcome(logId: string): StoredOutcome | null {
    if (!this.#exists) return null;
    const [row] = this.#storage.sql
      .exec<SettledColumns & { lane: string | null }>(
        "select * from events where log_id = ? order by position limit 1",
        logId,
      )
      .toArray();
    if (row === undefined) return null;
    const { lane, request, settled_at: settledAt, outcome } = row;
    return { orderingKey: lane, request, settledAt, outcome };
  }

  /** The request of a pending event, as logged; null if it was not stored for rules. */
  readRequest(logId: string): Readonly<Record<string, unknown>> | null {
    if (!hasTable(this.#storage.sql, "requests")) return null;
    const [row] = this.#storage.sql
      .exec<{ request: string }>("select request from requests where log_id = ?", logId)
      .toArray();
    return row ? (JSON.parse(row.request) as Record<string, unknown>) : null;
  }

  /** The content of a pending event. */
  readEvent({ sequence }: PendingEvent): ActionableEvent {
    const { event } = this.#storage.sql
      .exec<{ event: string }>("select event from events where sequence = ?", sequence)
      .one();
    return JSON.parse(event) as ActionableEvent;
  }

  /** Records the outcome of events: only their log remains to be written. */
  settle(events: readonly PendingEvent[], outcome: EventOutcome, now: number): void {
    if (events.length === 0) return;
    this.#storage.sql.exec(
      `update events set settled_at = ?, level = ?, outcome = ?, event = null
        where sequence in (select value from json_each(?))`,
      now,
      outcome.level,
      outcome.message,
      JSON.stringify(events.map((event) => event.sequence)),
    );
  }

  /** The next rows whose log is to be written: as many as fit into one write, at least one. */
  readSettled(limit: number): SettledRow[] {
    if (!this.#exists) return [];
    const rows: SettledRow[] = [];
    let size = 0;
    const found = this.#storage.sql.exec<SettledColumns>(
      `select sequence, log_id, position, accepted_at, settled_at, request, level, outcome from events
        where settled_at is not null order by sequence limit ?`,
      limit,
    );
    for (const row of found) {
      size += row.request?.length ?? 0;
      if (rows.length > 0 && size > MAX_LOGGED) break;
      rows.push({
        sequence: row.sequence,
        logId: row.log_id,
        position: row.position,
        acceptedAt: row.accepted_at,
        settledAt: row.settled_at,
        request: row.request,
        level: row.level,
        outcome: row.outcome,
      });
    }
    return rows;
  }

  /** Deletes rows whose log is written. */
  deleteLogged(rows: readonly SettledRow[]): void {
    this.#storage.sql.exec(
      "delete from events where sequence in (select value from json_each(?))",
      JSON.stringify(rows.map((row) => row.sequence)),
    );
    if (hasTable(this.#storage.sql, "requests")) {
      this.#storage.sql.exec(
        `delete from requests where log_id in (select value from json_each(?))
          and log_id not in (select log_id from events)`,
        JSON.stringify(rows.map((row) => row.logId)),
      );
    }
  }
}
