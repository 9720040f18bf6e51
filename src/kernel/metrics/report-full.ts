// Reports a full database in the log, at most once a minute from each isolate: while it is full, every
// write fails, and each failure is retried.
import { MINUTE } from "../../domain/shared/time.ts";
import { logFault } from "../db/log-fault.ts";
import { isFull } from "../db/outage.ts";
import { counted } from "./counted.ts";

let reportedAt = Number.NEGATIVE_INFINITY;

/** Logs that the database is full if that is why a write failed. `now` in epoch ms. */
export function reportIfFull(error: unknown, now = Date.now()): void {
  if (!isFull(error)) return;
  counted.count("tocsin_database_full_total", {});
  if (Math.abs(now - reportedAt) < MINUTE) return;
  reportedAt = now;
  logFault("the database is full: writes are refused, and retried until there is space", error);
}
