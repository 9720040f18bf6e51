// Fills the database file with copies of alerts that were made through the front door.
import { randomBytes } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { type Copy, compileValue, findIdentities, type Span, type Value } from "./copier.ts";
import { keyOf, type Table } from "./tables.ts";

const DAY_MS = 86_400_000;
/** The age of the oldest copy: alerts are retained so long. */
const ALERT_DAYS = 400;
/** The age of the oldest copy that has request logs. */
const REQUEST_LOG_DAYS = 30;
/** Copies per transaction. */
const COPIES_AT_ONCE = 20;

type Original = {
  readonly insert: string;
  readonly values: readonly (Value | ((copy: Copy) => Value))[];
  readonly isRequestLog: boolean;
};

/** The rows to copy, and how each of their values changes. */
export type Originals = {
  readonly rows: readonly Original[];
  readonly identities: readonly string[];
};

/**
 * Finds the rows that name an identifier made in the span.
 *
 * @param left the tables after the retirement of request logs: what is missing is one
 */
export function findOriginals(
  tables: readonly Table[],
  left: readonly Table[],
  span: Span,
): Originals {
  const identities = findIdentities(
    tables.flatMap(({ rows }) => rows),
    span,
  );
  const rows = tables.flatMap((table) => {
    const after = left.find(({ name }) => name === table.name);
    const remaining = new Set(after?.rows.map((row) => keyOf(table, row)));
    const columns = table.columns.map((column) => `"${column}"`).join(", ");
    const places = table.columns.map(() => "?").join(", ");
    return table.rows
      .filter((row) => findIdentities([row], span).size > 0)
      .map((row) => ({
        insert: `insert or ignore into "${table.name}" (${columns}) values (${places})`,
        values: row.map((value) => compileValue(value, identities, span) ?? value),
        isRequestLog: !remaining.has(keyOf(table, row)),
      }));
  });
  return { rows, identities: [...identities] };
}

/** Inserts the copies, spread over the time that alerts are retained, the oldest first. */
export function insertCopies(path: string, originals: Originals, copies: number): void {
  using database = new DatabaseSync(path);
  database.exec("pragma synchronous = off; pragma cache_size = -400000");
  const statements = new Map(
    originals.rows.map(({ insert }) => [insert, database.prepare(insert)] as const),
  );
  for (let first = 0; first < copies; first += COPIES_AT_ONCE) {
    database.exec("begin");
    for (let i = first; i < Math.min(copies, first + COPIES_AT_ONCE); i += 1) {
      const age = ALERT_DAYS * DAY_MS * (1 - i / copies);
      const copy = copyAt(-Math.round(age), String(i), originals.identities);
      for (const { insert, values, isRequestLog } of originals.rows) {
        if (isRequestLog && age > REQUEST_LOG_DAYS * DAY_MS) continue;
        const made = values.map((value) => (typeof value === "function" ? value(copy) : value));
        statements.get(insert)?.run(...made);
      }
    }
    database.exec("commit");
  }
  database.exec("pragma wal_checkpoint(truncate)");
}

function copyAt(shift: number, name: string, identities: readonly string[]): Copy {
  const random = randomBytes(identities.length * 10);
  const parts = new Map(
    identities.map((hex, i) => [hex, random.subarray(i * 10, i * 10 + 10)] as const),
  );
  return { shift, name, randomOf: (hex) => parts.get(hex) ?? random.subarray(0, 10) };
}
