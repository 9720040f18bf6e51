// A bulk operation: one command to every alert of a snapshot, step by step. Pure.
import type { AlertStatus } from "./alert.ts";
import type { Command } from "./commands.ts";

export const BULK_ACTIONS = ["acknowledge", "resolve", "snooze", "handoff", "merge"] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** What is done to each alert: a command without its author, or a merge into the alert `leaderId`. */
export type BulkCommand =
  | { readonly type: "acknowledge" | "resolve" }
  | Omit<Extract<Command, { type: "snooze" }>, "by">
  | Omit<Extract<Command, { type: "handoff" }>, "by">
  | { readonly type: "merge"; readonly leaderId: string };

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

/** An alert as it is stored when a step begins. Instants in epoch ms. */
export type BulkAlert = {
  readonly status: AlertStatus;
  readonly updatedAt: number;
  readonly acknowledgedAt: number | null;
  readonly resolvedAt: number | null;
  readonly snoozedUntil: number | null;
  /** When the person of the operation last handed it off. */
  readonly handedOffAt: number | null;
  readonly mergedIntoId: string | null;
};

/**
 * The result for an alert that needs no command: it is gone, or already what the action makes it. An
 * alert that became so since the step began was changed by this step, before it was interrupted.
 *
 * @returns null if the alert has to be commanded
 */
export function resultWithoutCommand(
  command: BulkCommand,
  alert: BulkAlert | undefined,
  stepAt: number,
): BulkResult | null {
  if (alert === undefined) return { kind: "refused", message: "the alert was deleted" };
  const doneAt = doneAtOf(command, alert, stepAt);
  if (doneAt !== null) return { kind: doneAt >= stepAt ? "changed" : "unchanged" };
  if (command.type !== "merge" || alert.status !== "resolved") return null;
  return { kind: "refused", message: "the alert is resolved" };
}

/** When the alert became what the command makes it, 0 if that is not known; null if it is not. */
function doneAtOf(command: BulkCommand, alert: BulkAlert, stepAt: number): number | null {
  const { status, updatedAt, acknowledgedAt, resolvedAt, snoozedUntil, handedOffAt } = alert;
  switch (command.type) {
    case "acknowledge":
      return status === "acknowledged" ? (acknowledgedAt ?? 0) : null;
    case "resolve":
      return status === "resolved" ? (resolvedAt ?? 0) : null;
    case "snooze":
      return snoozedUntil === command.until ? updatedAt : null;
    case "handoff":
      // What was handed off before is handed off again.
      return handedOffAt !== null && handedOffAt >= stepAt ? handedOffAt : null;
    case "merge":
      return alert.mergedIntoId === command.leaderId ? (resolvedAt ?? 0) : null;
  }
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
