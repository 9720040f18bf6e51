// When the nightly backup is due. Pure; instants in epoch ms.
import { DAY, HOUR } from "../../shared/time.ts";

/** After midnight (UTC): the night of Europe and the evening of America, away from full hours. */
const OF_DAY_MS = 2.3 * HOUR;

/** When the next backup is due after one that began at `startedAt`; 0: none was made. */
export function nextBackupAt(startedAt: number): number {
  const today = Math.floor(startedAt / DAY) * DAY + OF_DAY_MS;
  return today > startedAt ? today : today + DAY;
}

/** Whether a backup is due. A time in the future is of a clock that was set back. */
export const isBackupDue = (startedAt: number, now: number): boolean =>
  startedAt > now || nextBackupAt(startedAt) <= now;
