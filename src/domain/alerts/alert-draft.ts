// An alert while a command changes it: the next state, new timeline entries, and pages.

import type { Aggregate } from "../routing/routing.ts";
import type { Alert, Destination, LogEntry, Page, PageEvent, Workflow } from "./alert.ts";
import { type CommandContext, factsKey, type Outcome } from "./commands.ts";
import type { DestinationFacts } from "./escalation.ts";

/** The alert being changed and the effects collected so far. Mutable while a command runs. */
export type Draft = {
  alert: Alert;
  readonly log: LogEntry[];
  readonly pages: Page[];
  /** Destinations whose facts are not loaded: the command is decided again once they are. */
  readonly missing: Destination[];
  /** Aggregates whose first alert is not loaded yet. */
  readonly missingFirsts: Aggregate[];
  /** The alerts that this one is aggregated into. */
  readonly leaderIds: string[];
  readonly context: CommandContext;
};

/** A draft of the alert without changes. */
export function startDraft(alert: Alert, context: CommandContext): Draft {
  return { alert, log: [], pages: [], missing: [], missingFirsts: [], leaderIds: [], context };
}

/** Appends an entry to the alert's timeline. */
export function addLogEntry(
  draft: Draft,
  message: string,
  level: LogEntry["level"] = "info",
): void {
  const sequence = draft.alert.logCount;
  draft.log.push({ sequence, at: draft.context.now, level, message });
  draft.alert = { ...draft.alert, logCount: sequence + 1 };
}

/**
 * A destination's facts; null when the record does not exist or is not loaded yet. A destination
 * that is not loaded is added to `missing`.
 */
export function requireFacts(draft: Draft, destination: Destination): DestinationFacts | null {
  const facts = draft.context.facts.get(factsKey(destination));
  if (facts === undefined) draft.missing.push(destination);
  return facts ?? null;
}

/** Adds a page for one person: asked by `workflow`, or only notified (`workflow` null). */
export function addPage(
  draft: Draft,
  event: PageEvent,
  accountUserId: string,
  workflow: Workflow | null,
  detail: string | null = null,
  isNews = false,
): void {
  const number = draft.alert.effectCount;
  draft.pages.push({
    effectId: `${draft.alert.id}:${number}`,
    event,
    accountUserId,
    workflowId: workflow?.id ?? null,
    layer: workflow?.layer ?? null,
    pass: workflow?.pass ?? null,
    at: draft.context.now,
    until: workflow?.nextStepAt ?? null,
    detail,
    ...(isNews && { isNews }),
  });
  draft.alert = { ...draft.alert, effectCount: number + 1 };
}

/** Ends the draft: the changed alert, or `needs` when facts are missing. */
export function finishDraft(
  draft: Draft,
  result: "created" | "counted" | "done" = "done",
): Outcome {
  const { missing, missingFirsts, leaderIds } = draft;
  if (missingFirsts.length > 0) {
    return { kind: "needs", destinations: missing, aggregates: missingFirsts };
  }
  if (missing.length > 0) return { kind: "needs", destinations: missing };
  const alert = {
    ...draft.alert,
    version: draft.alert.version + 1,
    updatedAt: draft.context.now,
  };
  return { kind: "changed", result, alert, log: draft.log, pages: draft.pages, leaderIds };
}
