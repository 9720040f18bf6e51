// How long what is over is kept: alerts that have ended, their stories and notifications, and the logs of requests.
// Pure; what is older than an instant goes, and does not come back.
import type { Alert } from "./alert.ts";
import { identifierOf } from "./identifiers.ts";

/** Longer than a year: last year's incident is looked up when it happens again. */
const DEFAULT_RETENTION_DAYS = 400;

const DAY_MS = 86_400_000;

/**
 * What was over before this instant (epoch ms) goes; null when everything is kept.
 *
 * @param days the configured age: a number of days of at least one, `off`, or nothing for the usual age
 */
export function retiredBefore(days: string | undefined, now: number): number | null {
  if (days === "off") return null;
  const given = Number(days);
  return now - (given >= 1 ? given : DEFAULT_RETENTION_DAYS) * DAY_MS;
}

/** Whether an alert ended before the instant: nothing has happened to it since, and nothing will by itself. */
export function isRetired(alert: Alert, before: number): boolean {
  const ended = alert.deletedAt !== null || ["resolved", "suppressed"].includes(alert.status);
  return ended && alert.updatedAt < before && (alert.suppressedUntil ?? 0) < before;
}

/** Identifiers sort by time: those of records made before the instant are smaller than this. */
export const firstIdentifierAt = (at: number): string => identifierOf(at, new Uint8Array(10));
