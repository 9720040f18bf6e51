// After a change of an integration's maintenance windows, lets its alerts look at them again: what a
// window suppressed opens when it ends. What is left to do is stored, so that no crash loses it. An
// alert that is being created looks at them by itself, when its first alarm fires.
import type { IntegrationConfiguration } from "../../../domain/integrations/integration-configuration.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { alertObject } from "../../stubs.ts";
import { hasTable } from "./ordering-key-storage.ts";

/** Alerts poked at the same time: those of a storm open one after another. */
const AT_ONCE = 40;

const SCHEMA = `create table if not exists changed_windows (one integer primary key check (one = 1),
  after_id text not null)`;

type Windows = Pick<IntegrationConfiguration, "maintenanceWindows">;

export class ChangedWindows {
  readonly #sql: SqlStorage;
  #changes = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The last alert that was poked since the change; null: none is left. */
  get #afterId(): string | null {
    if (!hasTable(this.#sql, "changed_windows")) return null;
    const query = "select after_id from changed_windows";
    return this.#sql.exec<{ after_id: string }>(query).toArray()[0]?.after_id ?? null;
  }

  /** Whether alerts are left that do not know of a change. */
  get isPending(): boolean {
    return this.#afterId !== null;
  }

  /** Notes whether a window that had not ended is another one, or is gone. `now` in epoch ms. */
  note(before: Windows | undefined, after: Windows, now: number): void {
    const remaining = new Set(after.maintenanceWindows.map((it) => `${it.startAt} ${it.endAt}`));
    const isChanged = (before?.maintenanceWindows ?? []).some(
      ({ startAt, endAt }) => endAt > now && !remaining.has(`${startAt} ${endAt}`),
    );
    if (!isChanged) return;
    this.#sql.exec(SCHEMA);
    this.#sql.exec("insert or replace into changed_windows values (1, '')");
    this.#changes += 1;
  }

  /**
   * Pokes the next of the alerts that have not ended, the oldest first. Never throws.
   *
   * @returns whether the next ones can follow at once
   */
  async pokeNext(env: Cloudflare.Env): Promise<boolean> {
    const afterId = this.#afterId;
    if (afterId === null) return false;
    const changes = this.#changes;
    const rows = this.#sql.exec<{ alert_id: string }>(
      `select distinct alert_id from ordering_keys where alert_id > ? order by alert_id limit ${AT_ONCE}`,
      afterId,
    );
    const ids = rows.toArray().map((row) => row.alert_id);
    try {
      await Promise.all(ids.map((id) => alertObject(env, prefixIdOf("alert", id)).poke()));
    } catch (error) {
      logFault("alerts could not learn of a changed window", error);
      return false;
    }
    // A change in the meantime starts over.
    if (this.#changes !== changes) return true;
    const last = ids.length < AT_ONCE ? undefined : ids.at(-1);
    if (last === undefined) this.#sql.exec("delete from changed_windows");
    else this.#sql.exec("update changed_windows set after_id = ?", last);
    return last !== undefined;
  }
}
