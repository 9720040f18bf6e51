// Bundles the worker and creates its first account once for all tests that kill a worker: a bundle and migrations take
// longer than most of these tests.
import { type Built, buildWorker, copyState, deleteState } from "../support/worker/dev-worker.ts";

const MAIN = "test/crash/worker.ts";

/** Where the tests and the processes that they start find what is shared. */
const VARIABLE = "CRASH_BUILD";

/** The global setup. @returns what removes it */
export default async function setup(): Promise<() => void> {
  const built = await buildWorker("crash-shared", MAIN);
  process.env[VARIABLE] = JSON.stringify(built);
  return () => deleteState(built);
}

/**
 * The worker with storage of its own: of what is shared, or built here where nothing is.
 *
 * @param name the name of its folder below `.wrangler`
 */
export async function buildCrashWorker(name: string): Promise<Built> {
  const shared = process.env[VARIABLE];
  if (shared === undefined) return buildWorker(name, MAIN);
  return copyState(JSON.parse(shared) as Built, name);
}
