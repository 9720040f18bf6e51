// An alert while a command changes it: the next state, the story's new lines, and whom to reach.
import type { Alert, Destination, LogEntry, Page, PageEvent, Workflow } from "./alert.ts";
import { type Context, factsKey, type Outcome } from "./commands.ts";
import type { DestinationFacts } from "./escalation.ts";
import type { Aggregate } from "./routing.ts";

/** The alert being changed, and what comes of it. */
export type Draft = {
  alert: Alert;
  readonly log: LogEntry[];
  readonly pages: Page[];
  /** Destinations whose facts were wanted and not there: the change is to be decided again with them. */
  readonly missing: Destination[];
  /** Aggregates whose first alert is not known yet. */
  readonly missingFirsts: Aggregate[];
  /** The alerts that it is aggregated with. */
  readonly leaderIds: string[];
  readonly context: Context;
};

export function draftOf(alert: Alert, context: Context): Draft {
  return { alert, log: [], pages: [], missing: [], missingFirsts: [], leaderIds: [], context };
}

export function note(draft: Draft, message: string, level: LogEntry["level"] = "info"): void {
  const sequence = draft.alert.logCount;
  draft.log.push({ sequence, at: draft.context.now, level, message });
  draft.alert = { ...draft.alert, logCount: sequence + 1 };
}

/** A destination's facts; null when there is no such record, or when they are not known yet. */
export function factsOf(draft: Draft, destination: Destination): DestinationFacts | null {
  const facts = draft.context.facts.get(factsKey(destination));
  if (facts === undefined) draft.missing.push(destination);
  return facts ?? null;
}

/** Somebody to be reached: asked by a workflow, or only told (`workflow` null). */
export function page(
  draft: Draft,
  event: PageEvent,
  accountUserId: string,
  workflow: Workflow | null,
  detail: string | null = null,
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
  });
  draft.alert = { ...draft.alert, effectCount: number + 1 };
}

/** The change, decided; or what has to be known before it can be. */
export function changed(draft: Draft, result: "created" | "counted" | "done" = "done"): Outcome {
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
