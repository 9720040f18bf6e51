// Counts D1 round trips and rows, by caller and by statement.

import type { Rows, Trips } from "./report.ts";
import { nameStatement } from "./statement-name.ts";

type Counted = D1PreparedStatement & { readonly inner: D1PreparedStatement; readonly name: string };
type Meta = { readonly rows_read?: number; readonly rows_written?: number };
type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

export class D1Counter {
  readonly #trips = new Map<string, Writable<Trips>>();
  readonly #statements = new Map<string, Writable<Rows>>();

  reset(): void {
    this.#trips.clear();
    this.#statements.clear();
  }

  report() {
    return {
      d1: Object.fromEntries(this.#trips),
      statements: Object.fromEntries(this.#statements),
    };
  }

  #record(who: string, names: readonly string[], metas: readonly (Meta | undefined)[]): void {
    const count = this.#trips.get(who) ?? { trips: 0, queries: 0, rowsRead: 0, rowsWritten: 0 };
    this.#trips.set(who, count);
    count.trips += 1;
    for (const [i, meta] of metas.entries()) {
      const { rows_read: read = 0, rows_written: written = 0 } = meta ?? {};
      count.queries += 1;
      count.rowsRead += read;
      count.rowsWritten += written;
      const name = names[i] ?? "";
      const rows = this.#statements.get(name) ?? { runs: 0, read: 0, written: 0 };
      this.#statements.set(name, rows);
      rows.runs += 1;
      rows.read += read;
      rows.written += written;
    }
  }

  /** Wraps a prepared statement to count its runs; `inner` is the original, for batches. */
  #counted(who: string, name: string, inner: D1PreparedStatement): Counted {
    const run = async () => {
      const result = await inner.all();
      this.#record(who, [name], [result.meta]);
      return result;
    };
    return {
      inner,
      name,
      bind: (...values: unknown[]) => this.#counted(who, name, inner.bind(...values)),
      all: run,
      run,
      first: async (column?: string) => {
        const row = (await run()).results[0] as Readonly<Record<string, unknown>> | undefined;
        return (column === undefined ? row : row?.[column]) ?? null;
      },
      // D1 counts no rows for `raw`: a select reads at least what it returns.
      raw: async (options: { columnNames?: false }) => {
        if (!name.startsWith("select")) {
          return (await run()).results.map((row) => Object.values(row as object));
        }
        const rows = await inner.raw(options);
        this.#record(who, [name], [{ rows_read: rows.length }]);
        return rows;
      },
    } as unknown as Counted;
  }

  /** Wraps the database, or a session on it, to count what `who` does. */
  connection<C extends Pick<D1Database, "prepare" | "batch">>(who: string, real: C): C {
    return new Proxy(real, {
      get: (target, name) => {
        if (name === "prepare") {
          return (query: string) => this.#counted(who, nameStatement(query), target.prepare(query));
        }
        if (name === "batch") {
          return async (statements: readonly Counted[]) => {
            const results = await target.batch(statements.map((it) => it.inner));
            const names = statements.map((it) => it.name);
            this.#record(
              who,
              names,
              results.map(({ meta }) => meta),
            );
            return results;
          };
        }
        if (name === "withSession") {
          const database = target as unknown as D1Database;
          return (constraint: string) => this.connection(who, database.withSession(constraint));
        }
        const value = Reflect.get(target, name) as unknown;
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }
}
