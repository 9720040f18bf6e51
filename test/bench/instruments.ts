// Counts the worker's D1 round trips, object calls, rows of object storage, queue messages and
// mails. Not deployed.

type Count = { trips: number; queries: number; rowsRead: number; rowsWritten: number };

/** The counts since the last reset. */
export class Instruments {
  readonly d1 = new Map<string, Count>();
  readonly calls: { subject: string; to: string; at: number }[] = [];
  requests = 0;
  objectCalls = 0;
  /** The duration of objects' calls and alarms, as measured by their callers (ms). */
  objectMs = 0;
  queueBatches = 0;
  queueMessages = 0;
  /** Whether rows of objects' storage are counted, which retains every cursor. */
  countsRows = false;
  #cursors: { rowsRead: number; rowsWritten: number }[] = [];
  #alarms = 0;

  reset(countsRows: boolean): void {
    this.d1.clear();
    this.calls.length = 0;
    this.requests = 0;
    this.objectCalls = 0;
    this.objectMs = 0;
    this.queueBatches = 0;
    this.queueMessages = 0;
    this.countsRows = countsRows;
    this.#cursors = [];
    this.#alarms = 0;
  }

  report() {
    const { d1, calls, requests, objectCalls, objectMs, queueBatches, queueMessages } = this;
    const sum = (of: "rowsRead" | "rowsWritten") =>
      this.#cursors.reduce((total, cursor) => total + cursor[of], 0);
    return {
      ...{ d1: Object.fromEntries(d1), calls, requests, objectCalls, objectMs },
      ...{ queueBatches, queueMessages },
      // Setting an alarm is billed as a row written.
      objectRows: { read: sum("rowsRead"), written: sum("rowsWritten") + this.#alarms },
    };
  }

  /** Counts the rows that objects read and write. Patches the storage class once for all. */
  watchStorage(storage: DurableObjectStorage): void {
    const sql = Object.getPrototypeOf(storage.sql) as SqlStorage & { watched?: true };
    if (sql.watched) return;
    sql.watched = true;
    const instruments = this;
    const { exec } = sql;
    sql.exec = function (this: SqlStorage, ...parameters: Parameters<SqlStorage["exec"]>) {
      const cursor = exec.apply(this, parameters);
      if (instruments.countsRows) instruments.#cursors.push(cursor);
      return cursor;
    } as SqlStorage["exec"];
    const plain = Object.getPrototypeOf(storage) as DurableObjectStorage;
    const { setAlarm } = plain;
    plain.setAlarm = function (this: DurableObjectStorage, ...parameters) {
      instruments.#alarms += 1;
      return setAlarm.apply(this, parameters);
    };
  }

  /** Wraps the environment of `who` to count everything. */
  around(who: string, env: Cloudflare.Env): Cloudflare.Env {
    const { calls } = this;
    return {
      ...env,
      DB: this.#connection(who, env.DB),
      ALERT: this.#namespace(env.ALERT),
      INTEGRATION_INBOX: this.#namespace(env.INTEGRATION_INBOX),
      PERSON: this.#namespace(env.PERSON),
      OUTGOING: this.#namespace(env.OUTGOING),
      DEDUP_KEY: this.#namespace(env.DEDUP_KEY),
      EMAIL: {
        send: async ({ subject, to }: { subject: string; to: string }) => {
          calls.push({ subject, to: String(to), at: Date.now() });
          return { messageId: `bench-${crypto.randomUUID()}` };
        },
      } as unknown as SendEmail,
    };
  }

  /** Records a call or alarm of an object, and its duration. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const started = Date.now();
    this.objectCalls += 1;
    try {
      return await work();
    } finally {
      this.objectMs += Date.now() - started;
    }
  }

  #namespace<N extends { getByName(name: string): object }>(real: N): N {
    const getByName = (name: string) => {
      const stub = real.getByName(name);
      return new Proxy(stub, {
        // Every property access on a stub's method is an RPC call, even `apply`.
        get:
          (_, method) =>
          (...parameters: unknown[]) =>
            this.during(async () => {
              const call = Reflect.get(stub, method) as (...it: unknown[]) => Promise<unknown>;
              return Reflect.apply(call, stub, parameters);
            }),
      });
    };
    return { getByName } as unknown as N;
  }

  #record(who: string, results: readonly D1Result[]): void {
    const count = this.d1.get(who) ?? { trips: 0, queries: 0, rowsRead: 0, rowsWritten: 0 };
    this.d1.set(who, count);
    count.trips += 1;
    for (const { meta } of results) {
      count.queries += 1;
      count.rowsRead += meta?.rows_read ?? 0;
      count.rowsWritten += meta?.rows_written ?? 0;
    }
  }

  /** Wraps a prepared statement to count its runs; `inner` is the original, for batches. */
  #counted(who: string, inner: D1PreparedStatement): D1PreparedStatement {
    const run = async () => {
      const result = await inner.all();
      this.#record(who, [result]);
      return result;
    };
    return {
      inner,
      bind: (...values: unknown[]) => this.#counted(who, inner.bind(...values)),
      all: run,
      run,
      first: async () => (await run()).results[0] ?? null,
      raw: async (options: { columnNames?: false }) => {
        const rows = await inner.raw(options);
        const meta = { rows_read: rows.length, rows_written: 0 };
        this.#record(who, [{ meta } as unknown as D1Result]);
        return rows;
      },
    } as unknown as D1PreparedStatement;
  }

  #connection<C extends Pick<D1Database, "prepare" | "batch">>(who: string, real: C): C {
    return new Proxy(real, {
      get: (target, name) => {
        if (name === "prepare") return (query: string) => this.#counted(who, target.prepare(query));
        if (name === "batch") {
          return async (statements: { inner: D1PreparedStatement }[]) => {
            const results = await target.batch(statements.map((it) => it.inner));
            this.#record(who, results);
            return results;
          };
        }
        if (name === "withSession") {
          const database = target as unknown as D1Database;
          return (constraint: string) => this.#connection(who, database.withSession(constraint));
        }
        const value = Reflect.get(target, name) as unknown;
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }
}
