// Reads that are asked for at the same time, sent to D1 as one: whoever needs a dozen answers waits for one round trip.
// It only reads: a statement that writes is refused, so that what is read in vain has done nothing.
import type { Connection } from "./database.ts";

/** What one asker waits for: the results of its statements, in their order. */
type Asked = {
  readonly statements: readonly D1PreparedStatement[];
  readonly settle: (results: D1Result[]) => void;
  readonly fail: (error: unknown) => void;
};

type Ask = (statements: readonly D1PreparedStatement[]) => Promise<D1Result[]>;

/** A select never writes; what begins with `with` might. */
function assertReads(query: string): void {
  const reads = /^\s*(select\b|with\b(?![\s\S]*\b(insert|replace|update|delete)\b))/i.test(query);
  if (!reads) throw new Error("what is read together does not write");
}

class WaitingStatement implements D1PreparedStatement {
  /** The connection's own statement. */
  readonly real: D1PreparedStatement;
  readonly #ask: Ask;

  constructor(real: D1PreparedStatement, ask: Ask) {
    this.real = real;
    this.#ask = ask;
  }

  bind(...values: unknown[]): WaitingStatement {
    return new WaitingStatement(this.real.bind(...values), this.#ask);
  }

  all<Row = Record<string, unknown>>(): Promise<D1Result<Row>>;
  async all(): Promise<D1Result | undefined> {
    return (await this.#ask([this.real]))[0];
  }

  run<Row = Record<string, unknown>>(): Promise<D1Result<Row>> {
    return this.all();
  }

  first<Value = unknown>(column: string): Promise<Value | null>;
  first<Row = Record<string, unknown>>(): Promise<Row | null>;
  async first(column?: string): Promise<unknown> {
    const row = (await this.all()).results[0] ?? null;
    return column === undefined || row === null ? row : row[column];
  }

  raw(): Promise<never> {
    return Promise.reject(new Error("rows are read by the names of their columns"));
  }
}

/**
 * A connection over which whatever is asked in one turn of the event loop goes as one batch: one trip, and all of one
 * instant. Where it fails, it fails for everybody who asked in that turn.
 */
export function readTogether(connection: Connection): Connection {
  let waiting: Asked[] = [];
  const send = async () => {
    const asked = waiting;
    waiting = [];
    try {
      const results = await connection.batch(asked.flatMap(({ statements }) => statements));
      let from = 0;
      for (const { statements, settle } of asked) {
        settle(results.slice(from, from + statements.length));
        from += statements.length;
      }
    } catch (error) {
      for (const { fail } of asked) fail(error);
    }
  };
  const ask: Ask = (statements) =>
    new Promise((settle, fail) => {
      waiting.push({ statements, settle, fail });
      // The others of this turn come before it.
      if (waiting.length === 1) setTimeout(send, 0);
    });
  return {
    prepare: (query) => {
      assertReads(query);
      return new WaitingStatement(connection.prepare(query), ask);
    },
    batch: <Row>(statements: D1PreparedStatement[]) =>
      ask(statements.map((it) => (it instanceof WaitingStatement ? it.real : it))) as Promise<
        D1Result<Row>[]
      >,
  };
}
