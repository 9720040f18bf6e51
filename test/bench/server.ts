// Runs the instrumented worker under `wrangler dev` with a temporary database.
import { buildWorker, deleteState, freePort, startWorker } from "../support/worker/dev-worker.ts";
import type { Report } from "./price.ts";

/** The address of the first account's person, as `buildWorker` creates them. */
export const EMAIL = "bea@example.com";

export type Server = {
  readonly url: string;
  readonly accountUserId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly post: (path: string, body: unknown) => Promise<Response>;
  /** Calls the API; throws on an error. */
  readonly api: (path: string, body: unknown) => Promise<Record<string, string>>;
  readonly report: () => Promise<Report>;
  /** `rows`: also counts the rows of objects' storage. */
  readonly reset: (rows?: "rows") => Promise<unknown>;
};

export type Prepared = {
  /** Runs the worker with these variables during `work`; its storage persists for the next call. */
  during<T>(
    variables: Readonly<Record<string, string>>,
    work: (server: Server) => Promise<T>,
  ): Promise<T>;
  readonly forget: () => void;
};

/** Adds the empty object, the baseline of calls. */
const withEmptyObject = (own: string) =>
  own
    .replace("bindings = [", 'bindings = [\n  { name = "EMPTY", class_name = "EmptyObject" },')
    .concat('\n[exports.EmptyObject]\ntype = "durable-object"\nstorage = "sqlite"\n');

/** Builds the worker and creates the first account. */
export async function prepare(): Promise<Prepared> {
  const built = await buildWorker("bench", "test/bench/worker.ts", withEmptyObject);
  const port = Number(process.env.BENCH_PORT) || (await freePort());
  return {
    during: async (variables, work) => {
      const running = await startWorker(built, port, variables, "/bench/empty");
      try {
        return await work(serverAt(running.url, built.key, built.accountUserId));
      } finally {
        await running.kill();
      }
    },
    forget: () => deleteState(built),
  };
}

function serverAt(url: string, key: string, accountUserId: string): Server {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const post: Server["post"] = (path, body) =>
    fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  const api: Server["api"] = async (path, body) => {
    const response = await post(`/api/v4${path}`, body);
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response.json() as Promise<Record<string, string>>;
  };
  const report = async () => (await fetch(`${url}/bench/report`)).json() as Promise<Report>;
  const reset: Server["reset"] = (rows) => fetch(`${url}/bench/reset${rows ? "?rows=1" : ""}`);
  return { url, accountUserId, headers, post, api, report, reset };
}
