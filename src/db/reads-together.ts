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

/** The connection's own statement of one of ours. */
const inner = new WeakMap<object, D1PreparedStatement>();

/** A select never writes; what begins with `with` might. */
function assertReads(query: string): void {
  const reads = /^\s*(select\b|with\b(?![\s\S]*\b(insert|replace|update|delete)\b))/i.test(query);
  if (!reads) throw new Error("what is read together does not write");
}

function waitingStatement(real: D1PreparedStatement, ask: Ask): D1PreparedStatement {
  const all = async () => (await ask([real]))[0] as D1Result;
  const statement = {
    bind: (...values: unknown[]) => waitingStatement(real.bind(...values), ask),
    all,
    run: all,
    first: async (column?: string) => {
      const row = ((await all()).results[0] ?? null) as Record<string, unknown> | null;
      return column === undefined || row === null ? row : row[column];
    },
    raw: () => Promise.reject(new Error("rows are read by the names of their columns")),
  } as unknown as D1PreparedStatement;
  inner.set(statement, real);
  return statement;
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
      return waitingStatement(connection.prepare(query), ask);
    },
    batch: <Row>(statements: D1PreparedStatement[]) =>
      ask(statements.map((it) => inner.get(it) ?? it)) as Promise<D1Result<Row>[]>,
  };
}
