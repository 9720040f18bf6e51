// Where the storage of a worker that a test starts is kept: in memory, where there is room. A worker waits for each
// write to reach a disk, and thousands of objects that write at once stand in a queue for it. A killed process leaves
// its files there as on a disk.
import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 2 ** 31;

/** A folder in memory with room for storage; the one for temporary files if that is in memory. Null if there is none. */
export function memoryFolder(): string | null {
  if (tmpdir().startsWith(`${MEMORY}/`)) return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize < ENOUGH_BYTES ? null : MEMORY;
  } catch {
    return null;
  }
}
