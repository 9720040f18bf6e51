// Fault injection: failing database, lossy queue, evicted objects, elapsed time.
// `vi.restoreAllMocks()` restores everything.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { AlertObject } from "../../../src/features/alerts/object/object.ts";
import type { IntegrationInbox } from "../../../src/features/integrations/inbox/object.ts";

/** Options of `vi.waitFor` for asynchronous work to finish. */
export const soon = { timeout: 60_000, interval: 60 };

/** Fails every batch and every statement of D1 until the returned function is called. */
export function failDatabase(): () => void {
  const fail = async () => {
    throw new Error("D1_ERROR: Network connection lost.");
  };
  const database = Object.getPrototypeOf(env.DB);
  const prepared = Object.getPrototypeOf(env.DB.prepare("select 1"));
  const session = Object.getPrototypeOf(env.DB.withSession());
  const spies = [
    vi.spyOn(database, "batch").mockImplementation(fail),
    vi.spyOn(session, "batch").mockImplementation(fail),
    ...["all", "first", "run", "raw"].map((name) =>
      vi.spyOn(prepared, name).mockImplementation(fail),
    ),
  ];
  return () => {
    for (const spy of spies) spy.mockRestore();
  };
}

/**
 * Fails a share (0 to 1) of D1 calls, chosen by a seed. `share` can be changed; `mend` ends it.
 */
export function flakyDatabase(share: number, seed: number) {
  const faults = { share, calls: 0, failed: 0, mend: () => {} };
  let state = seed;
  const draw = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const objects = [
    { of: Object.getPrototypeOf(env.DB), names: ["batch"] },
    { of: Object.getPrototypeOf(env.DB.withSession()), names: ["batch"] },
    {
      of: Object.getPrototypeOf(env.DB.prepare("select 1")),
      names: ["all", "first", "run", "raw"],
    },
  ];
  const spies = objects.flatMap(({ of, names }) =>
    names.map((name) => {
      const real = of[name] as (...parameters: unknown[]) => Promise<unknown>;
      return vi.spyOn(of, name).mockImplementation(async function (this: unknown, ...parameters) {
        faults.calls += 1;
        if (draw() >= faults.share) return real.apply(this, parameters);
        faults.failed += 1;
        throw new Error("D1_ERROR: Network connection lost.");
      });
    }),
  );
  faults.mend = () => {
    for (const spy of spies) spy.mockRestore();
  };
  return faults;
}

/** Fails every batch that writes to D1 until the returned function is called; reads succeed. */
export function failWrites(): () => void {
  const database = Object.getPrototypeOf(env.DB) as D1Database;
  const real = database.batch;
  const spy = vi.spyOn(database, "batch").mockImplementation(async function (
    this: D1Database,
    statements: D1PreparedStatement[],
  ) {
    const writes = statements.some((it) => WRITE.test(textOf(it)) || DELETE.test(textOf(it)));
    if (writes) throw new Error("D1_ERROR: Network connection lost.");
    return real.call(this, statements);
  } as D1Database["batch"]);
  return () => spy.mockRestore();
}

/** What D1 says when a database has reached its maximum size. */
export const FULL_ERROR = "D1_ERROR: database or disk is full: SQLITE_FULL";

/** A statement that deletes, or that inserts or updates, and the table: also after a `with`. */
const DELETE = /\bdelete from\b/i;
const WRITE = /\binsert (?:or \w+ )?into "?(\w+)|^\s*update "?(\w+)/i;

/**
 * Fails inserts and updates, alone and in batches, as D1 does when the database is full; reads and deletions succeed.
 *
 * @param table only writes to tables whose names match
 */
export function fillDatabase(table: RegExp = /./, message = FULL_ERROR) {
  const faults = { refused: 0, mend: () => {} };
  const isRefused = (prepared: D1PreparedStatement): boolean => {
    const write = WRITE.exec(textOf(prepared));
    return write !== null && table.test(write[1] ?? write[2] ?? "");
  };
  const refuse = () => {
    faults.refused += 1;
    throw new Error(message);
  };
  const prepared = Object.getPrototypeOf(env.DB.prepare("select 1"));
  const batches = [Object.getPrototypeOf(env.DB), Object.getPrototypeOf(env.DB.withSession())];
  const spies = [
    ...batches.map((owner) => {
      const real = owner.batch as D1Database["batch"];
      return vi.spyOn(owner, "batch").mockImplementation(async function (this: unknown, ...given) {
        const statements = given[0] as D1PreparedStatement[];
        return statements.some(isRefused) ? refuse() : real.call(this as D1Database, statements);
      });
    }),
    ...["all", "first", "run", "raw"].map((name) => {
      const real = prepared[name] as (...parameters: unknown[]) => Promise<unknown>;
      return vi.spyOn(prepared, name).mockImplementation(async function (this: unknown, ...given) {
        return isRefused(this as D1PreparedStatement) ? refuse() : real.apply(this, given);
      });
    }),
  ];
  faults.mend = () => {
    for (const spy of spies) spy.mockRestore();
  };
  return faults;
}

/** Delays statements that match (ms), until the mocks are restored. */
export function slowStatements(text: RegExp, ms: number): void {
  const prepared = Object.getPrototypeOf(env.DB.prepare("select 1"));
  const real = prepared.run as D1PreparedStatement["run"];
  vi.spyOn(prepared, "run").mockImplementation(async function (this: D1PreparedStatement) {
    if (text.test(textOf(this))) await new Promise((done) => setTimeout(done, ms));
    return real.call(this);
  } as D1PreparedStatement["run"]);
}

const textOf = (prepared: D1PreparedStatement) =>
  (prepared as unknown as { statement: string }).statement;

/** Delays every timer (ms). `most` is the maximum number of timers that were pending at once. */
export function delayTimers(ms: number) {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const waiting = new Set<unknown>();
  const timers = { most: 0, mend: () => {} };
  const spies = [
    vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, after?: number) => {
      const id = set(
        () => {
          waiting.delete(id);
          run();
        },
        (after ?? 0) + ms,
      );
      waiting.add(id);
      timers.most = Math.max(timers.most, waiting.size);
      return id;
    }) as typeof setTimeout),
    vi.spyOn(globalThis, "clearTimeout").mockImplementation(((id: NodeJS.Timeout) => {
      waiting.delete(id);
      clear(id);
    }) as typeof clearTimeout),
  ];
  timers.mend = () => {
    for (const spy of spies) spy.mockRestore();
  };
  return timers;
}

/** Shortens timers of at least `atLeast` ms to a fraction, until the mocks are restored. */
export function shortenTimeouts(atLeast: number, fraction: number): void {
  const { setTimeout: set } = globalThis;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, after = 0) =>
    set(run, after >= atLeast ? after * fraction : after)) as typeof setTimeout);
}

/** Replaces the queue's `sendBatch` with `take`. */
export function interceptQueue(take: (messages: unknown[]) => Promise<void>) {
  return vi
    .spyOn(Object.getPrototypeOf(env.PAGES), "sendBatch")
    .mockImplementation(async (...parameters: unknown[]) => {
      const messages = [...(parameters[0] as Iterable<{ body: unknown }>)];
      await take(structuredClone(messages.map((message) => message.body)));
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
    });
}

export const alertStub = (prefixId: string) =>
  env.ALERT.getByName(prefixId) as DurableObjectStub<AlertObject>;

export const inboxStub = (prefixId: string) =>
  env.INTEGRATION_INBOX.getByName(prefixId) as DurableObjectStub<IntegrationInbox>;

/** Reads rows of an object's storage; empty if it has no tables. */
export function rowsOf(
  stub: DurableObjectStub,
  query: string,
): Promise<Record<string, SqlStorageValue>[]> {
  return runInDurableObject(stub, (_, state) => {
    const known = state.storage.sql.exec("select 1 from sqlite_master where name = 'events'");
    return known.toArray().length === 0 ? [] : state.storage.sql.exec(query).toArray();
  });
}

/** Changes an object's storage directly. */
export function rewrite(stub: DurableObjectStub, query: string, ...values: unknown[]) {
  return runInDurableObject(stub, (_, state) => {
    state.storage.sql.exec(query, ...(values as SqlStorageValue[]));
  });
}

/** The same of an inbox's configuration, of which the object has a copy: it is evicted. */
export async function rewriteConfiguration(
  stub: DurableObjectStub,
  query: string,
  ...values: unknown[]
): Promise<void> {
  await rewrite(stub, query, ...values);
  await evict(stub);
}

/** Ends all leases and pauses of notifications: what an attempt under way is sending may be sent again. */
export async function endLeases(): Promise<void> {
  await env.DB.prepare("update notifications set claimed_until = 0 where status = 'queued'").run();
}

/** Ends the pauses of notifications that wait for another attempt. Attempts under way keep their lease. */
export async function endPauses(): Promise<void> {
  await env.DB.prepare(
    "update notifications set claimed_until = 0 where status = 'queued' and reason is not null",
  ).run();
}

/** Evicts the object from memory; its storage remains. */
export async function evict(stub: DurableObjectStub): Promise<void> {
  await evictDurableObject(stub).catch(() => {});
}
