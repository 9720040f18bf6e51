// Runs retirement at a later time.
import type { Report } from "../instruments/report.ts";
import type { Server } from "../server.ts";
import { settled } from "./life.ts";

/** Retirement deletes in batches, at most so many here. */
const MAX_RUNS = 200;

/** Runs retirement at a later time until it writes nothing; returns what it cost. */
export async function retireUntilQuiet(server: Server, aheadMs: number): Promise<Report> {
  await server.setClockAhead(aheadMs);
  await server.reset("rows");
  let before = -1;
  for (let run = 0; run < MAX_RUNS; run += 1) {
    await server.retire();
    const { d1 } = await server.report();
    const written = Object.values(d1).reduce((sum, it) => sum + it.rowsWritten, 0);
    if (written === before) break;
    before = written;
  }
  await settled(server);
  return server.report();
}
