// An alert while a command changes it: the next state, the story's new lines, and whom to reach.
import type { Alert, LogEntry, Page } from "./alert.ts";
import type { Context, Outcome } from "./commands.ts";

/** The alert being changed, and what comes of it. */
export type Draft = {
  alert: Alert;
  readonly log: LogEntry[];
  readonly pages: Page[];
  readonly context: Context;
};

export function draftOf(alert: Alert, context: Context): Draft {
  return { alert, log: [], pages: [], context };
}

export function note(draft: Draft, message: string, level: LogEntry["level"] = "info"): void {
  const sequence = draft.alert.logCount;
  draft.log.push({ sequence, at: draft.context.now, level, message });
  draft.alert = { ...draft.alert, logCount: sequence + 1 };
}

export function changed(draft: Draft, result: "created" | "counted" | "done" = "done"): Outcome {
  const alert = {
    ...draft.alert,
    version: draft.alert.version + 1,
    updatedAt: draft.context.now,
  };
  return { kind: "changed", result, alert, log: draft.log, pages: draft.pages };
}
