// The CPU time of the runtime that serves a worker, as Linux counts it.
import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { Running } from "../support/worker/dev-worker.ts";
import { attempt, fieldsOf, processIds } from "./processes.ts";

/** A tick of the kernel's accounts (ms). */
const TICK_MS = 10;

function isOpenedBy(pid: string, folder: string): boolean {
  const files = join("/proc", pid, "fd");
  return readdirSync(files).some((fd) => {
    try {
      return readlinkSync(join(files, fd)).startsWith(folder);
    } catch {
      return false;
    }
  });
}

/**
 * Finds the runtime that has a worker's storage open: `wrangler dev` runs another one before it. Returns what
 * reads the CPU time that it has used (ms), of the user and of the system.
 *
 * @param state the folder of the worker's storage, which it has used
 */
export function cpuTimeOf({ group }: Running, state: string): () => number {
  const pid = processIds().find(
    (it) => attempt(() => Number(fieldsOf(it)[2]) === group && isOpenedBy(it, state)) === true,
  );
  if (pid === undefined)
    throw new Error("the runtime of the worker was not found: CPU time is read on Linux only");
  return () => {
    const fields = fieldsOf(pid);
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  };
}
