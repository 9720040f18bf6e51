// The storage of a schedule's object: the next reminder for integrations, the known shifts of its
// people, the pages. Synchronous.
import { earliest } from "../../../kernel/objects/earliest.ts";
import type { WatchedSchedule } from "../../rpc.ts";
import { PageOutbox } from "../notices/page-outbox.ts";
import { type ShiftWatch, shiftNoticeAt, type WatchUpdate } from "../notices/shift-notices.ts";

type IntegrationWatch = WatchedSchedule & {
  /** When the next reminder for integrations is due (epoch ms); null = none. */
  readonly remindAt: number | null;
};

/** The key of the `ShiftWatch`. */
const SHIFTS = "shifts";

export class ScheduleStorage {
  readonly #storage: DurableObjectStorage;
  readonly outbox: PageOutbox;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.outbox = new PageOutbox(storage);
  }

  read(): IntegrationWatch | null {
    const { sql } = this.#storage;
    const known = sql.exec("select 1 from sqlite_master where name = 'watch'").toArray();
    if (known.length === 0) return null;
    const [row] = sql.exec<{ body: string }>("select body from watch").toArray();
    return row ? (JSON.parse(row.body) as IntegrationWatch) : null;
  }

  write(watch: IntegrationWatch): void {
    const { sql } = this.#storage;
    sql.exec(
      "create table if not exists watch (one integer primary key check (one = 1), body text not null)",
    );
    sql.exec(
      "insert into watch values (1, ?1) on conflict (one) do update set body = ?1",
      JSON.stringify(watch),
    );
  }

  readShifts(): ShiftWatch | null {
    return this.#storage.kv.get<ShiftWatch>(SHIFTS) ?? null;
  }

  /** Writes what is known of the shifts and the pages. One commit; nothing if nothing changed. */
  commitShifts({ watch, pages }: WatchUpdate): void {
    const known = this.readShifts();
    this.#storage.transactionSync(() => {
      if (watch !== null && JSON.stringify(watch) !== JSON.stringify(known)) {
        this.#storage.kv.put(SHIFTS, watch);
      }
      if (watch === null && known !== null) this.#storage.kv.delete(SHIFTS);
      this.outbox.add(pages);
    });
  }

  /** When the next reminder, notice, reading or page is due (epoch ms); null = none. */
  nextAt(): number | null {
    const shifts = this.readShifts();
    return earliest(
      this.read()?.remindAt ?? null,
      shifts && shiftNoticeAt(shifts),
      this.outbox.nextAt(),
    );
  }
}
