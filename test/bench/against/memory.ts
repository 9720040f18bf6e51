// The memory of processes, as Linux counts it: of the pages that several processes share, each has its part, so that their
// sum has every page once. What is read here is shown to their user and to root.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { attempt, fieldsOf, processIds } from "../processes.ts";

const read = (pid: string, file: string) => readFileSync(join("/proc", pid, file), "utf8");

/** The resident memory of one (kB); nothing if it has ended meanwhile. */
function residentOf(pid: string): number {
  const rollup = attempt(() => read(pid, "smaps_rollup")) ?? "";
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0);
}

/** The resident memory of them all (MB). */
export const memoryOf = (pids: readonly string[]): number =>
  pids.reduce((sum, pid) => sum + residentOf(pid), 0) / 1_024;

/** A process, and those that it and they have started. */
export function treeOf(root: number): string[] {
  const all = processIds().map((pid) => ({ pid, parent: attempt(() => fieldsOf(pid)[1]) }));
  const below = (parent: string): string[] => [
    parent,
    ...all.filter((it) => it.parent === parent).flatMap(({ pid }) => below(pid)),
  ];
  return below(String(root));
}

/** The fourth line of the file that PostgreSQL writes to its data folder, in which all its processes are, has its port. */
const portOf = (pid: string) => attempt(() => read(pid, "cwd/postmaster.pid"))?.split("\n")[3];

/** The processes of the PostgreSQL server that has a database. */
export function postgresOf(database: string): string[] {
  const port = new URL(database).port || "5432";
  const pids = processIds().filter((pid) => portOf(pid) === port);
  if (pids.length === 0)
    throw new Error(
      `no PostgreSQL was found at port ${port}: memory is read on Linux only, as its user or root`,
    );
  return pids;
}
