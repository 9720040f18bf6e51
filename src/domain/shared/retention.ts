// How long ended records are retained: alerts with their timelines and notifications, and request
// logs. Pure. Deletion is permanent.
import type { Alert } from "../alerts/alert.ts";
import { identifierOf } from "./identifiers.ts";

/** Longer than a year, so that last year's incident can be looked up when it recurs. */
const DEFAULT_RETENTION_DAYS = 400;

const DAY_MS = 86_400_000;

/**
 * The retention cutoff (epoch ms): records that ended before it are deleted; null if retention is
 * unlimited.
 *
 * @param days the configured number of days, at least one; `off`; or undefined for the default
 */
export function retentionCutoff(days: string | undefined, now: number): number | null {
  if (days === "off") return null;
  const configured = Number(days);
  return now - (configured >= 1 ? configured : DEFAULT_RETENTION_DAYS) * DAY_MS;
}

/** Whether an alert ended before the instant and no change is scheduled. */
export function isRetired(alert: Alert, before: number): boolean {
  const ended = alert.deletedAt !== null || ["resolved", "suppressed"].includes(alert.status);
  return ended && alert.updatedAt < before && (alert.suppressedUntil ?? 0) < before;
}

/** The lower bound of identifiers created at or after an instant: identifiers sort by time. */
export const firstIdentifierAt = (at: number): string => identifierOf(at, new Uint8Array(10));
