// What a calendar's object asks of a reading, and what it knows of an attempt that ended it.
import type { WatchedCalendar } from "../../rpc.ts";

/** Why an attempt that ended the object failed: a sentence without an end. */
export const INTERRUPTED = "the last reading did not end";

export type ReadingRequest = WatchedCalendar & {
  /** Whether it is read completely, although its server may say that it is unchanged. */
  readonly complete: boolean;
  /** To be awaited before the calendar's text is read: counts the attempt. */
  readonly begin: (version: CalendarVersion) => Promise<void>;
  /** The attempt that ended the object, if any: that version is not read until then (epoch ms). */
  readonly died: { readonly version: CalendarVersion; readonly until: number } | null;
};

/** The calendar's `updated_at` (epoch ms): another one may have another source. */
export type CalendarVersion = number;

/**
 * Until when a calendar is not read, since reading it ended the object (epoch ms); null: it may be.
 */
export function pauseOf(
  { died }: ReadingRequest,
  { updatedAt }: { readonly updatedAt: number },
): number | null {
  const isPaused = died !== null && died.version === updatedAt && died.until > Date.now();
  return isPaused ? died.until : null;
}
