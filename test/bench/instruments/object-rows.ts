// Counts the rows that objects read and write, by class and operation, as Cloudflare bills them.

import type { Rows } from "./report.ts";
import { nameStatement } from "./statement-name.ts";

type Cursor = { readonly rowsRead: number; readonly rowsWritten: number };

/** A table of the local simulator: its rows are reported apart, since Cloudflare bills none. */
const SIMULATORS_TABLE = /\b__miniflare_/;

/** A count: fixed, or a cursor, whose counts are final once it is read. */
type Entry = { readonly name: string; readonly cursor: Cursor };

/** A call that writes without a statement counts as this. */
const written = (rows: number): Cursor => ({ rowsRead: 0, rowsWritten: rows });

export class ObjectRows {
  /** Whether it counts; retains every cursor. */
  #counts = false;
  #entries: Entry[] = [];

  reset(counts: boolean): void {
    this.#counts = counts;
    this.#entries = [];
  }

  report() {
    return {
      objects: this.#totals((name) => !SIMULATORS_TABLE.test(name)),
      simulator: this.#totals((name) => SIMULATORS_TABLE.test(name)),
    };
  }

  #totals(includes: (name: string) => boolean): Record<string, Rows> {
    const totals: Record<string, { runs: number; read: number; written: number }> = {};
    for (const { name, cursor } of this.#entries) {
      if (!includes(name)) continue;
      const total = totals[name] ?? { runs: 0, read: 0, written: 0 };
      totals[name] = total;
      total.runs += 1;
      total.read += cursor.rowsRead;
      total.written += cursor.rowsWritten;
    }
    return totals;
  }

  /**
   * Counts what an object of the class does to its storage. A write of a key, an alarm set or
   * deleted and the deletion of everything count as one row each.
   */
  watch(className: string, storage: DurableObjectStorage): void {
    const add = (what: string, cursor: Cursor) => {
      if (this.#counts) this.#entries.push({ name: `${className}: ${what}`, cursor });
    };
    replace(storage.sql, "exec", (exec) => (...parameters) => {
      const cursor = exec(...parameters) as Cursor;
      add(nameStatement(String(parameters[0])), cursor);
      return cursor;
    });
    const count = (target: object, method: string, name: string, rows = (_: unknown) => 1) =>
      replace(target, method, (call) => (...parameters) => {
        add(name, written(rows(parameters[0])));
        return call(...parameters);
      });
    count(storage.kv, "put", "kv.put");
    count(storage.kv, "delete", "kv.delete");
    count(storage, "put", "put", (it) => (typeof it === "object" && it ? keysOf(it) : 1));
    count(storage, "delete", "delete", (it) => (Array.isArray(it) ? it.length : 1));
    for (const method of ["setAlarm", "deleteAlarm", "deleteAll"]) count(storage, method, method);
  }
}

const keysOf = (values: object) => Object.keys(values).length;

type Method = (...parameters: unknown[]) => unknown;

/** Replaces a method of this one instance. */
function replace(target: object, name: string, by: (original: Method) => Method): void {
  const original = Reflect.get(target, name) as Method;
  Object.defineProperty(target, name, { value: by(original.bind(target)), configurable: true });
}
