// The table of an inbox's accepted events, until their logs are in D1, with its index in memory.
// Synchronous: one turn, one commit. An event costs two rows: its insert and its delete. Only an
// acknowledge's or a resolve's outcome is stored in between, because a repeated delivery would
// apply it to a newer alert; a repeated create is recognized by the alert.
import { checksum } from "../../../products/reading/bounds.ts";
import {
  type ActionableEvent,
  type EventOutcome,
  type PendingEvent,
  type SettledEvent,
  type StoredEvent,
  StoredEvents,
} from "./stored-events.ts";

/** No autoincrement, which costs another row: numbers come from the clock. */
export const EVENTS_SCHEMA = `
  create table events (sequence integer primary key, ordering_key text, kind text, event text,
    log_id text not null, position integer not null, accepted_at integer not null, request text,
    settled_at integer, level text, outcome text, alert_id text);`;

/** Sequence numbers per millisecond; 2^53 / 1000 ms is in the year 2255. */
const SEQUENCES_PER_MS = 1_000;

/** A row to insert. */
export type NewEvent = Pick<StoredEvent, "logId" | "position" | "orderingKey" | "acceptedAt"> & {
  readonly event: ActionableEvent | null;
  /** JSON; null except in the first row of a request. */
  readonly request: string | null;
  /** Null: it is pending. */
  readonly outcome: EventOutcome | null;
};

type Row = {
  sequence: number;
  ordering_key: string | null;
  kind: ActionableEvent["kind"] | null;
  thirdparty_id: string | null;
  urgency: string | null;
  members: string | null;
  warning: string | null;
  log_id: string;
  position: number;
  accepted_at: number;
  settled_at: number | null;
  level: EventOutcome["level"] | null;
  outcome: string | null;
  alert_id: string | null;
};

/**
 * Whether a crash must not deliver it again. A create with another `Id` than its ordering key's
 * (creates of one title) is counted under its own `Id` or under that of the first one delivered.
 */
const isStoredOnce = (
  kind: StoredEvent["kind"],
  thirdpartyId: string | null,
  orderingKey: string | null,
) => kind !== "create" || (thirdpartyId !== null && thirdpartyId !== orderingKey);

/** Limit on ordering keys whose latest create is remembered. */
const MAX_REMEMBERED = 5_000;

/** What may be news of a create: its urgency, its members (JSON), and whether it has a warning. */
const newsOf = (urgency: string | null, members: string | null, warning: string | null) =>
  `${urgency ?? ""} ${members === null ? "" : checksum(members)}${warning === null ? "" : " !"}`;

export class EventStorage {
  readonly #sql: SqlStorage;
  #events = new StoredEvents();
  #lastSequence = 0;
  /** What the latest create of each ordering key said, the most recent last. */
  readonly #news = new Map<string, string>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The stored events. */
  get index(): StoredEvents {
    return this.#events;
  }

  /** Whether an event must not wait as a repetition does; remembers what a create says. */
  #isUrgent(kind: StoredEvent["kind"], orderingKey: string | null, news: string): boolean {
    if (kind !== "create" || orderingKey === null) return kind !== null;
    const known = this.#news.get(orderingKey);
    this.#news.delete(orderingKey);
    this.#news.set(orderingKey, news);
    const [oldest] = this.#news.keys();
    if (this.#news.size > MAX_REMEMBERED && oldest !== undefined) this.#news.delete(oldest);
    return known !== undefined && known !== news;
  }

  /** Reads the table again: when the object wakes, or after its texts were changed. */
  load(): void {
    this.#events = new StoredEvents();
    const rows = this.#sql.exec<Row>(
      `select sequence, ordering_key, kind, event ->> 'thirdpartyId' as thirdparty_id,
        event ->> 'urgency' as urgency, event -> 'members' as members,
        event ->> 'warning' as warning, log_id, position, accepted_at, settled_at, level, outcome, alert_id from events order by sequence`,
    );
    for (const row of rows) {
      const { sequence, kind, ordering_key: orderingKey } = row;
      this.#lastSequence = Math.max(this.#lastSequence, sequence);
      const news = newsOf(row.urgency, row.members, row.warning);
      this.#events.put({
        ...{ news, isUrgent: this.#isUrgent(kind, orderingKey, news) },
        ...{ sequence, kind, orderingKey, logId: row.log_id, position: row.position },
        acceptedAt: row.accepted_at,
        isStoredOnce: isStoredOnce(kind, row.thirdparty_id, orderingKey),
        isAttempted: true,
        settled: settledOf(row),
      });
    }
  }

  /** Inserts the events of a request. */
  insert(events: readonly NewEvent[]): readonly StoredEvent[] {
    const inserted: StoredEvent[] = [];
    for (const { logId, position, orderingKey, acceptedAt, event, request, outcome } of events) {
      const sequence = Math.max(this.#lastSequence + 1, acceptedAt * SEQUENCES_PER_MS);
      const kind = event?.kind ?? null;
      const create = event?.kind === "create" ? event : null;
      const members = create?.members ? JSON.stringify(create.members) : null;
      const news = newsOf(create?.urgency ?? null, members, create?.warning ?? null);
      this.#sql.exec(
        `insert into events (sequence, ordering_key, kind, event, log_id, position, accepted_at,
          request, settled_at, level, outcome, alert_id) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[sequence, orderingKey, kind, event && JSON.stringify(event), logId, position],
        ...[acceptedAt, request, outcome && acceptedAt, outcome?.level ?? null],
        ...[outcome?.message ?? null, outcome?.alertId ?? null],
      );
      this.#lastSequence = sequence;
      inserted.push({
        ...{ sequence, kind, orderingKey, logId, position, acceptedAt },
        ...{ news, isUrgent: this.#isUrgent(kind, orderingKey, news) },
        isStoredOnce: isStoredOnce(kind, event?.thirdpartyId ?? null, orderingKey),
        isAttempted: false,
        settled: outcome && { ...outcome, at: acceptedAt, isStored: true },
      });
    }
    for (const event of inserted) this.#events.put(event);
    return inserted;
  }

  /** The content of a pending event. */
  read({ sequence }: PendingEvent): ActionableEvent {
    const { event } = this.#sql
      .exec<{ event: string }>("select event from events where sequence = ?", sequence)
      .one();
    return JSON.parse(event) as ActionableEvent;
  }

  /** The requests of these logs as logged (JSON), by log id, where the first row is still stored. */
  readRequests(logIds: readonly string[]): ReadonlyMap<string, string> {
    const firsts = logIds.flatMap((logId) => this.#events.ofLog(logId).slice(0, 1));
    // An inbox that stores nothing has no table: of an integration that does not exist, or one that was emptied.
    if (firsts.length === 0) return new Map();
    const rows = this.#sql.exec<{ log_id: string; request: string }>(
      `select log_id, request from events
        where sequence in (select value from json_each(?)) and request is not null`,
      JSON.stringify(firsts.map((event) => event.sequence)),
    );
    return new Map(rows.toArray().map((row) => [row.log_id, row.request]));
  }

  /** Notes that the alert may have received these events. */
  markAttempted(events: readonly PendingEvent[]): void {
    for (const { sequence } of events) {
      const event = this.#events.get(sequence);
      if (event) this.#events.put({ ...event, isAttempted: true });
    }
  }

  /** Records the outcome of pending events: only their log remains to be written. */
  settle(events: readonly PendingEvent[], outcome: EventOutcome, now: number): void {
    const stored = events.flatMap(({ sequence }) => this.#events.get(sequence) ?? []);
    const isStored = stored.some((event) => event.isStoredOnce);
    for (const event of stored) {
      this.#events.put({ ...event, settled: { ...outcome, at: now, isStored: false } });
    }
    if (isStored) this.#storeOutcomes(stored.map((event) => event.sequence));
  }

  /**
   * Stores the outcomes of an ordering key's creates before its next alert replaces the one that
   * counted them: only that alert recognizes their numbers.
   */
  storeOutcomesOf(orderingKey: string): void {
    this.#storeOutcomes(this.#events.ofKey(orderingKey).map((event) => event.sequence));
  }

  #storeOutcomes(sequences: readonly number[]): void {
    for (const sequence of sequences) {
      const event = this.#events.get(sequence);
      const settled = event?.settled;
      if (!event || !settled || settled.isStored) continue;
      this.#sql.exec(
        `update events set settled_at = ?, level = ?, outcome = ?, alert_id = ?, event = null
          where sequence = ?`,
        ...[settled.at, settled.level, settled.message, settled.alertId, sequence],
      );
      this.#events.put({ ...event, settled: { ...settled, isStored: true } });
    }
  }

  /** Gives the pending events of an ordering key new numbers above `above`, in their order. */
  renumber(orderingKey: string, above: number): void {
    this.#lastSequence = Math.max(this.#lastSequence, above);
    for (const event of this.#events.pending(orderingKey, Number.POSITIVE_INFINITY)) {
      const sequence = this.#lastSequence + 1;
      const { sequence: former } = event;
      this.#sql.exec("update events set sequence = ? where sequence = ?", sequence, former);
      this.#lastSequence = sequence;
      this.#events.remove(former);
      this.#events.put({ ...event, sequence, isAttempted: false });
    }
  }

  /** Deletes events whose logs are written. */
  delete(events: readonly SettledEvent[]): void {
    this.#sql.exec(
      "delete from events where sequence in (select value from json_each(?))",
      JSON.stringify(events.map((event) => event.sequence)),
    );
    for (const { sequence } of events) this.#events.remove(sequence);
  }
}

function settledOf({ settled_at: at, level, outcome, alert_id: alertId }: Row) {
  if (at === null) return null;
  return { at, level: level ?? "info", message: outcome ?? "", alertId, isStored: true };
}
