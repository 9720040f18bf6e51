// Frees space in a database that is nearly full: removes request logs, then ended alerts, of the
// oldest day first, of any account, until enough is free.
import { instantOfId } from "../../../domain/shared/identifiers.ts";
import { DAY } from "../../../domain/shared/time.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { RemovalRun } from "./removal-run.ts";
import {
  deletedAlerts,
  endedAlerts,
  type RecordRemoval,
  removeAll,
  requestLogs,
} from "./remove-records.ts";
import { selectOldestEnded, selectOldestRequestLog } from "./retention-rows.ts";

/** What is younger is never removed for space: senders and notifications may still refer to it (ms). */
const MIN_AGE_MS = DAY;

/** Removes records while the run has time and the database is too full. */
export async function freeSpace(run: RemovalRun): Promise<void> {
  const before = run.now - MIN_AGE_MS;
  // Days that were done, also if some of their records could not be removed.
  let logsSince = 0;
  let alertsSince = 0;
  while (run.isReclaiming) {
    const [[log], [alert]] = await batch(run.env.DB, [
      selectOldestRequestLog(logsSince),
      selectOldestEnded(alertsSince, before),
    ]);
    const removals: RecordRemoval[] = [];
    if (log?.id && instantOfId(log.id) < before) {
      logsSince = nextDay(log.id);
      removals.push(requestLogs(Math.min(logsSince, before)));
    } else if (alert?.id) {
      alertsSince = nextDay(alert.id);
      const cutoff = { createdBefore: Math.min(alertsSince, before), endedBefore: before };
      removals.push(endedAlerts(cutoff), deletedAlerts(cutoff));
    }
    if (removals.length === 0 || !run.takeRound()) return;
    for (const removal of removals) {
      await removeAll(run, removal, undefined, () => !run.isReclaiming);
    }
  }
}

/** Midnight UTC after the day of an id (epoch ms). */
const nextDay = (id: string): number => (Math.floor(instantOfId(id) / DAY) + 1) * DAY;
