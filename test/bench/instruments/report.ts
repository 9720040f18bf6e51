// What the instruments counted between a reset and a report.

export type Trips = {
  readonly trips: number;
  readonly queries: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
};

/** Runs of one statement or operation, and the rows of all of them. */
export type Rows = { readonly runs: number; readonly read: number; readonly written: number };

export type Report = {
  /** D1 by caller. */
  readonly d1: Readonly<Record<string, Trips>>;
  /** D1 by the name of the statement. */
  readonly statements: Readonly<Record<string, Rows>>;
  /** Objects' storage by class and operation: `AlertObject: insert log`. */
  readonly objects: Readonly<Record<string, Rows>>;
  /** The same of the local simulator's own tables. */
  readonly simulator: Readonly<Record<string, Rows>>;
  readonly calls: readonly { subject: string; to: string; at: number }[];
  readonly requests: number;
  readonly objectCalls: number;
  readonly objectMs: number;
  readonly queueBatches: number;
  readonly queueMessages: number;
};

/** The sum of all rows. */
export function sumRows(counts: Readonly<Record<string, Rows>>): Rows {
  const all = Object.values(counts);
  const sum = (of: keyof Rows) => all.reduce((total, it) => total + it[of], 0);
  return { runs: sum("runs"), read: sum("read"), written: sum("written") };
}

/** Two reports as one. */
export function addReports(a: Report, b: Report): Report {
  return {
    d1: merged(a.d1, b.d1),
    statements: merged(a.statements, b.statements),
    objects: merged(a.objects, b.objects),
    simulator: merged(a.simulator, b.simulator),
    calls: [...a.calls, ...b.calls],
    requests: a.requests + b.requests,
    objectCalls: a.objectCalls + b.objectCalls,
    objectMs: a.objectMs + b.objectMs,
    queueBatches: a.queueBatches + b.queueBatches,
    queueMessages: a.queueMessages + b.queueMessages,
  };
}

function merged<Count extends Readonly<Record<string, number>>>(
  a: Readonly<Record<string, Count>>,
  b: Readonly<Record<string, Count>>,
): Record<string, Count> {
  const sum: Record<string, Count> = { ...a };
  for (const [name, count] of Object.entries(b)) {
    const known = sum[name];
    if (known === undefined) sum[name] = count;
    else {
      const fields = Object.entries(known).map(([field, n]) => [field, n + (count[field] ?? 0)]);
      sum[name] = Object.fromEntries(fields) as Count;
    }
  }
  return sum;
}
