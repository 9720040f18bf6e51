// One process for each state: two would page everybody twice. The lock is the operating system's, so that none is left behind
// by a process that was killed.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * Locks a file of the state until this process ends.
 *
 * @param patienceMs how long it may take, where another process is about to end
 * @returns false if another process has it
 */
export function lockState(state: string, name: string, patienceMs: number): boolean {
  const database = new DatabaseSync(join(state, name), { timeout: patienceMs });
  try {
    database.exec("begin exclusive");
  } catch {
    database.close();
    return false;
  }
  // The collection of what nothing refers to would give it up.
  process.once("exit", () => database.close());
  return true;
}

/** The lock of the process that listens. */
export const SERVER_LOCK = "server.lock";
/** The lock of the one that has the runtime, which takes a moment to end when the other was killed. */
export const RUNTIME_LOCK = "runtime.lock";
export const RUNTIME_ENDING_MS = 10_000;
