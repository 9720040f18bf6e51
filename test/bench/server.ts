// The instrumented worker under `wrangler dev`, on an empty database of its own that is thrown away afterwards.
import { buildWorker, forgetState, startWorker } from "../support/dev-worker.ts";

export type Server = {
  readonly url: string;
  readonly key: string;
  readonly accountUserId: string;
  stop(): Promise<void>;
};

/** One more object: the empty one that calls are compared with. */
const withEmptyObject = (own: string) =>
  own
    .replace("bindings = [", 'bindings = [\n  { name = "EMPTY", class_name = "EmptyObject" },')
    .concat('\n[exports.EmptyObject]\ntype = "durable-object"\nstorage = "sqlite"\n');

/** Starts the worker on a port; the first account is made before. */
export async function startServer(port: number): Promise<Server> {
  const built = await buildWorker("bench", "test/bench/worker.ts", withEmptyObject);
  const { key, accountUserId } = built;
  try {
    const running = await startWorker(built, port, { RATE_LIMITS: "off" }, "/bench/empty");
    const stop = async () => {
      await running.kill();
      forgetState(built);
    };
    return { url: running.url, key, accountUserId, stop };
  } catch (error) {
    forgetState(built);
    throw error;
  }
}
