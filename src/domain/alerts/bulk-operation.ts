// A bulk operation: one answer to every alert of a snapshot, step by step. Pure.
import type { AlertStatus } from "./alert.ts";

export const BULK_ACTIONS = ["acknowledge", "resolve"] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** The number of alerts that one operation takes; the newest of those that match. */
export const MAX_BULK_ALERTS = 10_000;

/** Alerts per step: with the reads, a step stays below 50 subrequests, the limit of the free plan. */
export const BULK_STEP = 40;

/** How often a step is tried before alerts that cannot be reached are refused. */
const MAX_ATTEMPTS = 6;

/** The refusals that are stored; all are counted. */
const MAX_REFUSALS = 500;

export type BulkRefusal = { readonly alertId: string; readonly message: string };

export type BulkProgress = {
  /** The number of alerts of the snapshot that are done. */
  readonly position: number;
  readonly changed: number;
  /** Alerts that already were what the action makes them. */
  readonly unchanged: number;
  readonly refused: number;
  readonly refusals: readonly BulkRefusal[];
  /** Since when the current step runs (epoch ms). It may run again after a crash. */
  readonly stepAt: number;
  /** How often the current step could not be completed. */
  readonly attempts: number;
};

export const startProgress = (now: number): BulkProgress => ({
  position: 0,
  changed: 0,
  unchanged: 0,
  refused: 0,
  refusals: [],
  stepAt: now,
  attempts: 0,
});

/** What became of one alert; `unavailable`: it is tried again. */
export type BulkResult =
  | { readonly kind: "changed" | "unchanged" }
  | { readonly kind: "refused" | "unavailable"; readonly message: string };

/** An alert as it is stored when a step begins. */
export type BulkAlert = {
  readonly status: AlertStatus;
  /** Epoch ms. */
  readonly acknowledgedAt: number | null;
  readonly resolvedAt: number | null;
};

/**
 * The result for an alert that needs no command: it is gone, or already what the action makes it. An
 * alert that became so since the step began was changed by this step, before it was interrupted.
 *
 * @returns null if the alert has to be commanded
 */
export function resultWithoutCommand(
  action: BulkAction,
  alert: BulkAlert | undefined,
  stepAt: number,
): BulkResult | null {
  if (alert === undefined) return { kind: "refused", message: "the alert was deleted" };
  const { status, acknowledgedAt, resolvedAt } = alert;
  const isDone = status === (action === "acknowledge" ? "acknowledged" : "resolved");
  if (!isDone) return null;
  const at = action === "acknowledge" ? acknowledgedAt : resolvedAt;
  return { kind: at !== null && at >= stepAt ? "changed" : "unchanged" };
}

/**
 * The progress after a step.
 *
 * @param results by alert id, in order
 * @returns null if the step must be repeated, because alerts could not be reached
 */
export function addResults(
  progress: BulkProgress,
  results: readonly (readonly [alertId: string, result: BulkResult])[],
  now: number,
): BulkProgress | null {
  const isIncomplete = results.some(([, { kind }]) => kind === "unavailable");
  if (isIncomplete && progress.attempts + 1 < MAX_ATTEMPTS) return null;
  const count = (kind: BulkResult["kind"]) => results.filter(([, it]) => it.kind === kind).length;
  const refusals = results.flatMap(([alertId, it]) =>
    "message" in it ? [{ alertId, message: it.message }] : [],
  );
  return {
    position: progress.position + results.length,
    changed: progress.changed + count("changed"),
    unchanged: progress.unchanged + count("unchanged"),
    refused: progress.refused + refusals.length,
    refusals: [...progress.refusals, ...refusals].slice(0, MAX_REFUSALS),
    stepAt: now,
    attempts: 0,
  };
}
