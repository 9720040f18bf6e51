// What an integration's inbox keeps: its configuration, the events it has accepted and not yet handed on, the
// requests whose log is not yet written; and its lanes (`lane-storage.ts`). All synchronous: one turn, one commit.
// An inbox that never accepted anything keeps nothing at all.
import type { IntegrationConfiguration } from "../domain/integration-configuration.ts";
import type { AlertReference } from "../domain/opsgenie-identifiers.ts";
import type { InboundEvent } from "../integrations/integration-type.ts";
import { hasTable, LANES_SCHEMA, LaneStorage } from "./lane-storage.ts";

type LogLevel = "info" | "warn" | "error";
export type Told = { readonly level: LogLevel; readonly message: string };

/** An event that counts: what it says, and the `Id` it says it of. */
export type HandableEvent = Extract<InboundEvent, { kind: "create" | "acknowledge" | "resolve" }>;

export type AcceptedRequest = {
  readonly logId: string;
  readonly acceptedAt: number;
  /** The request as its log shows it, secrets redacted. */
  readonly request: Readonly<Record<string, unknown>>;
};

/** An event that waits. What it says is read when it is needed: thousands may wait. */
export type PendingEvent = {
  readonly sequence: number;
  readonly logId: string;
  readonly kind: HandableEvent["kind"];
  readonly acceptedAt: number;
};

/** A row whose outcome is known and whose log is to be written. */
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

/** What is known of a request that is held: `settledAt` is null while it waits. */
export type HeldOutcome = {
  readonly lane: string | null;
  /** JSON. */
  readonly request: string | null;
  readonly settledAt: number | null;
  readonly outcome: string;
};

/** A lane with events waiting, and how many of them must not wait. */
export type WaitingLane = { readonly id: string; readonly urgent: number };

/** What is kept of the integration's configuration. */
export type HeldConfiguration = {
  readonly body: IntegrationConfiguration;
  /** When it was read (epoch ms). */
  readonly loadedAt: number;
  /** The integration was deleted: what it accepted is still handed on, and nothing more is accepted. */
  readonly gone: boolean;
};

/** Characters of requests in one batch of logs: it is one parameter to D1, which takes 2 MB. */
const MOST_LOGGED = 500_000;

const SCHEMA = `
  create table configuration (one integer primary key check (one = 1), body text not null,
    loaded_at integer not null, gone integer not null default 0);
  create table events (sequence integer primary key autoincrement, lane text, kind text, event text,
    log_id text not null, position integer not null, accepted_at integer not null, request text,
    settled_at integer, level text, outcome text);
  create index events_waiting on events (lane, sequence) where settled_at is null;
  create index events_settled on events (sequence) where settled_at is not null;
  ${LANES_SCHEMA}`;

export class InboxStorage {
  readonly lanes: LaneStorage;
  readonly #storage: DurableObjectStorage;
  #exists: boolean;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.lanes = new LaneStorage(storage.sql, () => this.#sql());
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

  configuration(): HeldConfiguration | null {
    if (!this.#exists) return null;
    const [row] = this.#storage.sql
      .exec<{ body: string; loaded_at: number; gone: number }>("select * from configuration")
      .toArray();
    if (row === undefined) return null;
    const body = JSON.parse(row.body) as IntegrationConfiguration;
    return { body, loadedAt: row.loaded_at, gone: row.gone === 1 };
  }

  keepConfiguration(configuration: IntegrationConfiguration, now: number): void {
    this.#sql().exec(
      `insert into configuration (one, body, loaded_at) values (1, ?1, ?2)
        on conflict (one) do update set body = ?1, loaded_at = ?2, gone = 0`,
      JSON.stringify(configuration),
      now,
    );
  }

  /** Notes that the integration is no more. */
  noteGone(now: number): void {
    if (!this.#exists) return;
    this.#storage.sql.exec("update configuration set gone = 1, loaded_at = ?", now);
  }

  /** Whether anything waits: to be handed on, or for its log to be written. */
  holdsEvents(): boolean {
    if (!this.#exists) return false;
    return this.#storage.sql.exec("select 1 from events limit 1").toArray().length > 0;
  }

  /**
   * Appends the events of one request, each to the lane of its `Id`: all of them or none. `forRules`: the request is
   * kept until its last event has been handed on.
   */
  accept(
    accepted: AcceptedRequest,
    events: readonly { lane: string; event: HandableEvent }[],
    forRules: boolean,
  ): void {
    const sql = this.#sql();
    this.#storage.transactionSync(() => {
      if (forRules) {
        const { logId, request } = accepted;
        sql.exec("create table if not exists requests (log_id text primary key, request text)");
        sql.exec("insert into requests values (?, ?)", logId, JSON.stringify(request));
      }
      events.forEach(({ lane, event }, position) => {
        sql.exec(
          `insert into events (lane, kind, event, log_id, position, accepted_at, request)
            values (?, ?, ?, ?, ?, ?, ?)`,
          lane,
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

  /** Keeps a request that changes no alert, for its log; `lane` is that of an alert it speaks of. */
  note(accepted: AcceptedRequest, told: Told, lane: string | null = null): void {
    this.#sql().exec(
      `insert into events (lane, log_id, position, accepted_at, request, settled_at, level, outcome)
        values (?, ?, 0, ?, ?, ?, ?, ?)`,
      lane,
      accepted.logId,
      accepted.acceptedAt,
      JSON.stringify(accepted.request),
      accepted.acceptedAt,
      told.level,
      told.message,
    );
  }

  /** Every lane with events waiting; read once, when the object wakes. */
  waitingLanes(): WaitingLane[] {
    if (!this.#exists) return [];
    return this.#storage.sql
      .exec<{ lane: string; urgent: number }>(
        `select lane, sum(kind <> 'create') as urgent from events where settled_at is null group by lane`,
      )
      .toArray()
      .map(({ lane, urgent }) => ({ id: lane, urgent }));
  }

  /** The next events of a lane, in the order they were accepted. */
  waiting(lane: string, limit: number): PendingEvent[] {
    return this.#storage.sql
      .exec<{
        sequence: number;
        log_id: string;
        kind: HandableEvent["kind"];
        accepted_at: number;
      }>(
        `select sequence, log_id, kind, accepted_at from events
          where lane = ? and settled_at is null order by sequence limit ?`,
        lane,
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

  /** The ordering key of the alert that a reference names; null when none of this integration's is. */
  laneOfReference(reference: AlertReference): string | null {
    if (!this.#exists) return null;
    if (reference.by !== "request") return this.lanes.ofReference(reference);
    const query = "select lane from events where log_id = ? and lane is not null limit 1";
    const [row] = this.#storage.sql.exec<{ lane: string }>(query, reference.logId).toArray();
    return row?.lane ?? null;
  }

  /** What became of a request whose log is not yet written; null when it is, or there was no such request. */
  outcomeOf(logId: string): HeldOutcome | null {
    if (!this.#exists) return null;
    const [row] = this.#storage.sql
      .exec<SettledColumns & { lane: string | null }>(
        "select * from events where log_id = ? order by position limit 1",
        logId,
      )
      .toArray();
    if (row === undefined) return null;
    const { lane, request, settled_at: settledAt, outcome } = row;
    return { lane, request, settledAt, outcome };
  }

  /** The request of an event that waits, as it is logged; null when it was not kept. */
  requestOf(logId: string): Readonly<Record<string, unknown>> | null {
    if (!hasTable(this.#storage.sql, "requests")) return null;
    const [row] = this.#storage.sql
      .exec<{ request: string }>("select request from requests where log_id = ?", logId)
      .toArray();
    return row ? (JSON.parse(row.request) as Record<string, unknown>) : null;
  }

  /** What an event that waits says. */
  saidBy({ sequence }: PendingEvent): HandableEvent {
    const { event } = this.#storage.sql
      .exec<{ event: string }>("select event from events where sequence = ?", sequence)
      .one();
    return JSON.parse(event) as HandableEvent;
  }

  /** Notes what became of events: they wait no longer, only their log does. */
  settle(events: readonly PendingEvent[], told: Told, now: number): void {
    if (events.length === 0) return;
    this.#storage.sql.exec(
      `update events set settled_at = ?, level = ?, outcome = ?, event = null
        where sequence in (select value from json_each(?))`,
      now,
      told.level,
      told.message,
      JSON.stringify(events.map((event) => event.sequence)),
    );
  }

  /** Rows whose log is to be written: as many as fit into one write, and at least one if there is any. */
  settled(limit: number): SettledRow[] {
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
      if (rows.length > 0 && size > MOST_LOGGED) break;
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

  /** Forgets rows whose log has been written. */
  forget(rows: readonly SettledRow[]): void {
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
