// The storage of a team's object: who was last on call, the next boundary, the gaps, the pages.
// Synchronous.
import type { PageMessage } from "../../../domain/notifications/page.ts";
import type { GapMemory } from "../../../domain/oncall/notices/gaps.ts";
import type { OnCallLayers } from "../../../domain/oncall/shift-handoff.ts";
import { earliest } from "../../../kernel/objects/earliest.ts";
import type { WatchedTeam } from "../../rpc.ts";
import { PageOutbox } from "../notices/page-outbox.ts";

export type TeamWatch = WatchedTeam & {
  /** The next boundary (epoch ms); null = there is none, or nobody is notified. */
  readonly nextAt: number | null;
  /** Who was on call when this was written; null = nobody is notified of changes. */
  readonly onCall: OnCallLayers | null;
  /** Their names, by account user id. */
  readonly names: Readonly<Record<string, string>>;
  /** The number of handoffs notified so far: identifies a handoff. */
  readonly sent: number;
};

export type GapWatch = WatchedTeam & {
  /** Null: no gaps were looked for yet. */
  readonly memory: GapMemory | null;
  /** When changes since the last look began (epoch ms); null: there were none. */
  readonly changedAt: number | null;
  /** When to look again (epoch ms); null: after a change. */
  readonly nextAt: number | null;
  /** The number of looks that found new gaps: identifies a notice. */
  readonly sent: number;
};

/** The key of the `GapWatch`. */
const GAPS = "gaps";

export class TeamStorage {
  readonly #storage: DurableObjectStorage;
  readonly outbox: PageOutbox;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.outbox = new PageOutbox(storage);
  }

  #exists(): boolean {
    const query = "select 1 from sqlite_master where name = 'watch'";
    return this.#storage.sql.exec(query).toArray().length > 0;
  }

  read(): TeamWatch | null {
    if (!this.#exists()) return null;
    const [row] = this.#storage.sql.exec<{ body: string }>("select body from watch").toArray();
    return row ? (JSON.parse(row.body) as TeamWatch) : null;
  }

  /** Deletes everything, including the alarm. Writes nothing if nothing is stored. */
  async empty(): Promise<void> {
    if (this.#exists() || this.readGaps() !== null) await this.#storage.deleteAll();
  }

  /** Deletes who is on call; unconfirmed pages stay. */
  forget(): void {
    const watch = this.read();
    if (watch === null || watch.onCall === null) return;
    this.commit({ ...watch, onCall: null, nextAt: null, names: {} }, []);
  }

  /** Writes who is on call now and the resulting pages. One commit. */
  commit(watch: TeamWatch, pages: readonly PageMessage[]): void {
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      if (!this.#exists()) {
        sql.exec(
          "create table watch (one integer primary key check (one = 1), body text not null)",
        );
      }
      sql.exec(
        "insert into watch values (1, ?1) on conflict (one) do update set body = ?1",
        JSON.stringify(watch),
      );
      this.outbox.add(pages);
    });
  }

  readGaps(): GapWatch | null {
    return this.#storage.kv.get<GapWatch>(GAPS) ?? null;
  }

  /** Writes the known gaps and the pages of new ones. One commit. */
  commitGaps(watch: GapWatch, pages: readonly PageMessage[]): void {
    this.#storage.transactionSync(() => {
      this.#storage.kv.put(GAPS, watch);
      this.outbox.add(pages);
    });
  }

  /** Deletes the known gaps; unconfirmed pages stay. */
  forgetGaps(): void {
    if (this.readGaps() !== null) this.#storage.kv.delete(GAPS);
  }

  /** When the next boundary, look for gaps or page is due (epoch ms); null = none. */
  nextAt(): number | null {
    return earliest(
      this.read()?.nextAt ?? null,
      this.readGaps()?.nextAt ?? null,
      this.outbox.nextAt(),
    );
  }
}
