// Forgets the ordering key of an alert that has ended.
import type { InboxStorage } from "./inbox-storage.ts";

/** Maximum number of checks whether an alert's events are gone, and their interval (ms). */
const MAX_CHECKS = 50;
const CHECK_INTERVAL_MS = 100;

/**
 * Deletes what refers to an alert that has ended, once its events have left the inbox.
 *
 * @returns false if events remain; then it is deleted after them unless the object dies before
 */
export async function forgetEndedAlert(
  storage: InboxStorage,
  alertId: string,
  orderingKey: string,
): Promise<boolean> {
  for (let check = 0; check < MAX_CHECKS; check += 1) {
    if (storage.forgetAlert(alertId, orderingKey)) return true;
    await scheduler.wait(CHECK_INTERVAL_MS);
  }
  return false;
}
