// Runs the instrumented worker under `wrangler dev` with a temporary database.
import { mkdtempSync } from "node:fs";
import { dirname, join } from "node:path";
import { migrate } from "../../src/setup/local-database.ts";
import {
  type Built,
  buildWorker,
  deleteState,
  freePort,
  startWorker,
} from "../support/worker/dev-worker.ts";
import type { Report } from "./instruments/report.ts";

export type Server = {
  readonly url: string;
  /** The folder of its storage. */
  readonly state: string;
  readonly accountUserId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly post: (path: string, body: unknown) => Promise<Response>;
  /** Calls the API; throws on an error. */
  readonly api: (path: string, body: unknown) => Promise<Record<string, string>>;
  /** Reads from the API; throws on an error. */
  readonly get: <Answer>(path: string) => Promise<Answer>;
  readonly report: () => Promise<Report>;
  /** `rows`: also counts the rows of objects' storage. */
  readonly reset: (rows?: "rows") => Promise<unknown>;
  /** Sets the worker's clock ahead of the real one (ms). */
  readonly setClockAhead: (ms: number) => Promise<unknown>;
  /** Fires the due alarms of the objects named, by the binding of their class; returns how many. */
  readonly fireAlarms: (names: Readonly<Record<string, readonly string[]>>) => Promise<number>;
  /** Runs retirement once. */
  readonly retire: () => Promise<unknown>;
  /** Runs the work of a minute once. */
  readonly runCron: () => Promise<unknown>;
  /** Runs the sweep once, which also folds the totals of lists. */
  readonly sweep: () => Promise<unknown>;
};

export type Prepared = {
  /** The folder of its storage. */
  readonly state: string;
  /** Runs the worker with these variables during `work`; its storage persists for the next call. */
  during<T>(
    variables: Readonly<Record<string, string>>,
    work: (server: Server) => Promise<T>,
  ): Promise<T>;
  /** The same worker with empty storage: without an account. */
  readonly emptied: () => Promise<Prepared>;
  readonly forget: () => void;
};

/** Adds the empty object, the baseline of calls. */
const withEmptyObject = (own: string) =>
  own
    .replace("bindings = [", 'bindings = [\n  { name = "EMPTY", class_name = "EmptyObject" },')
    .concat('\n[exports.EmptyObject]\ntype = "durable-object"\nstorage = "sqlite"\n');

/** Builds the worker and creates the first account. */
export async function prepare(): Promise<Prepared> {
  return preparedOf(await buildWorker("bench", "test/bench/worker.ts", withEmptyObject));
}

async function preparedOf(built: Built): Promise<Prepared> {
  const port = Number(process.env.BENCH_PORT) || (await freePort());
  return {
    state: built.state,
    during: async (variables, work) => {
      const running = await startWorker(built, port, variables, "/bench/empty");
      try {
        return await work(serverAt(running.url, built));
      } finally {
        await running.kill();
      }
    },
    emptied: async () => {
      const state = mkdtempSync(join(dirname(built.state), "state-"));
      await migrate(state);
      return preparedOf({ ...built, state });
    },
    forget: () => deleteState(built),
  };
}

function serverAt(url: string, { key, accountUserId, state }: Built): Server {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const post: Server["post"] = (path, body) =>
    fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  const expect = async (response: Response) => {
    if (!response.ok) throw new Error(`${response.url}: ${await response.text()}`);
    return response.json();
  };
  return {
    ...{ url, state, accountUserId, headers, post },
    api: async (path, body) =>
      (await expect(await post(`/api/v4${path}`, body))) as Record<string, string>,
    get: async <Answer>(path: string) =>
      (await expect(await fetch(`${url}/api/v4${path}`, { headers }))) as Answer,
    report: async () => (await expect(await fetch(`${url}/bench/report`))) as Report,
    reset: async (rows) => expect(await fetch(`${url}/bench/reset${rows ? "?rows=1" : ""}`)),
    setClockAhead: async (ms) => expect(await fetch(`${url}/bench/clock?ahead=${ms}`)),
    fireAlarms: async (names) => (await expect(await post("/bench/alarms", names))) as number,
    retire: async () => expect(await fetch(`${url}/bench/retire`)),
    runCron: async () => expect(await fetch(`${url}/bench/cron`)),
    sweep: async () => expect(await fetch(`${url}/bench/sweep`)),
  };
}
