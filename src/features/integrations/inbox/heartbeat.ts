// The stored state of a heartbeat: when the last call arrived, and whether its absence since then
// was reported. The inbox's alarm checks it.
import { counted } from "../../../domain/shared/counted.ts";
import { createEvent } from "../../../products/create-event.ts";
import type { InboundEvent, Options } from "../../../products/integration-type.ts";
import { HEARTBEAT_ID } from "../../../products/uptime/heartbeat.ts";

type Row = { last_at: number; silent: number };

const SCHEMA = `create table if not exists heartbeat (one integer primary key check (one = 1),
  last_at integer not null, silent integer not null)`;

export class Heartbeat {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  #row(): Row | null {
    const { sql } = this.#storage;
    const known = "select 1 from sqlite_master where name = 'heartbeat'";
    if (sql.exec(known).toArray().length === 0) return null;
    return sql.exec<Row>("select last_at, silent from heartbeat").toArray()[0] ?? null;
  }

  /** Whether a call is expected. */
  get isExpected(): boolean {
    return this.#row()?.silent === 0;
  }

  /** Records a call. It resolves a reported absence; otherwise it has no effect. */
  recordCall(now: number): InboundEvent {
    const wasSilent = this.#row()?.silent === 1;
    this.#storage.sql.exec(SCHEMA);
    this.#storage.sql.exec("insert or replace into heartbeat values (1, ?, 0)", now);
    return wasSilent
      ? { kind: "resolve", thirdpartyId: HEARTBEAT_ID, dedupKeys: [] }
      : { kind: "ignored", reason: "a heartbeat, in time" };
  }

  /** When the absence is to be reported (epoch ms); null if no call is expected. */
  dueAt(options: Options): number | null {
    const row = this.#row();
    const minutes = options.interval_minutes;
    if (row === null || row.silent === 1 || typeof minutes !== "number" || minutes <= 0)
      return null;
    return row.last_at + minutes * 60_000;
  }

  /** Records that the absence is reported; returns the event that reports it. */
  reportAbsence(name: string, options: Options): InboundEvent {
    const last = new Date(this.#row()?.last_at ?? 0).toISOString();
    this.#storage.sql.exec("update heartbeat set silent = 1");
    const minutes = options.interval_minutes;
    return createEvent({
      thirdpartyId: HEARTBEAT_ID,
      title: `${name}: no heartbeat for ${counted(Number(minutes), "minute")}`,
      description: `The last one came at ${last}.`,
    });
  }

  /** Expects no call until the next one arrives, which still resolves a reported absence. */
  stop(): void {
    if (this.isExpected) this.#storage.sql.exec("delete from heartbeat");
  }
}
