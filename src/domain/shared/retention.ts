// How long ended records are retained: alerts with their timelines and notifications, and request
// logs. Pure. Deletion is permanent.
import type { Alert, AlertStatus } from "../alerts/alert.ts";
import { identifierOf } from "./identifiers.ts";
import { DAY } from "./time.ts";

/** Longer than a year, so that last year's incident can be looked up when it recurs. */
const DEFAULT_RETENTION_DAYS = 400;

/** Long enough to find out why a sender's request had the outcome that it had. */
const DEFAULT_REQUEST_LOG_DAYS = 30;

/** Statuses in which nothing is pending. A `dropped` alert can still be opened by its sender. */
export const ENDED_STATUSES = [
  "resolved",
  "suppressed",
  "dropped",
] as const satisfies readonly AlertStatus[];

/** `days` ago, at midnight UTC: whole days, so that a day's records are archived together. */
const cutoffOf = (days: number, now: number): number => Math.floor((now - days * DAY) / DAY) * DAY;

/**
 * The retention cutoff of alerts (epoch ms): what ended before it is deleted; null if retention is
 * unlimited.
 *
 * @param days the configured number of days, at least one; `off`; or undefined for the default
 */
export function retentionCutoff(days: string | undefined, now: number): number | null {
  if (days === "off") return null;
  const configured = Number(days);
  return cutoffOf(configured >= 1 ? configured : DEFAULT_RETENTION_DAYS, now);
}

/**
 * The retention cutoff of request logs (epoch ms); null if retention is unlimited.
 *
 * @param days the configured number of days, at least one; `off` for the alerts' retention; or
 *   undefined for the default
 * @param alertDays the configured retention of alerts
 */
export function requestLogCutoff(
  days: string | undefined,
  alertDays: string | undefined,
  now: number,
): number | null {
  if (days === "off") return retentionCutoff(alertDays, now);
  const configured = Number(days);
  return cutoffOf(configured >= 1 ? configured : DEFAULT_REQUEST_LOG_DAYS, now);
}

/** Whether an alert ended before the instant and no change is scheduled. */
export function isRetired(alert: Alert, before: number): boolean {
  const statuses: readonly AlertStatus[] = ENDED_STATUSES;
  const ended = alert.deletedAt !== null || statuses.includes(alert.status);
  return ended && alert.updatedAt < before && (alert.suppressedUntil ?? 0) < before;
}

/**
 * Whether a retired record had this id, which contains its age.
 *
 * @param now epoch ms
 */
export function wasRetired(id: string, retentionDays: string, now: number): boolean {
  const before = retentionCutoff(retentionDays, now);
  return before !== null && id < firstIdentifierAt(before);
}

/** The lower bound of identifiers created at or after an instant: identifiers sort by time. */
export const firstIdentifierAt = (at: number): string => identifierOf(at, new Uint8Array(10));
