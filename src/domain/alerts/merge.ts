// Merges alerts (contract 3, Escalation): the others are resolved as a part of their leader, which
// receives their later events. The leader decides first and brings the others along. Pure.

import { prefixIdOf } from "../shared/identifiers.ts";
import { refuse, refused } from "../shared/refusal.ts";
import type { Alert } from "./alert.ts";
import { addLogEntry, finishDraft, startDraft } from "./alert-draft.ts";
import type { Command, CommandAuthor, CommandContext, Outcome } from "./commands.ts";
import { endResolved } from "./responses.ts";

type Merge = Extract<Command, { type: "merge" }>;

/** Limit on merged alerts that the leader names, so that its state stays bounded. */
export const MAX_MERGED = 500;

/** Merges the others into the alert, their leader. None: they were merged before. */
export function merge(alert: Alert, { alerts, by }: Merge, context: CommandContext): Outcome {
  if (!["open", "acknowledged", "dropped"].includes(alert.status)) {
    const message = `the alert is ${alert.status}; others can be merged into an open, acknowledged or dropped one`;
    return refused(refuse("conflict", message));
  }
  if (alert.exercise !== undefined) {
    const message = "the alert is a test or a drill; no alert can be merged into it";
    return refused(refuse("conflict", message));
  }
  if (alerts.length === 0) return { kind: "unchanged", result: "nothing_due" };
  const draft = startDraft(alert, context);
  for (const { id, title } of alerts) {
    const name = prefixIdOf("alert", id);
    addLogEntry(draft, `${by.name} merged alert ${name}: ${title.slice(0, 200)}`);
  }
  const ids = alerts.map(({ id }) => id);
  const mergedIds = [...new Set([...(alert.mergedIds ?? []), ...ids])].slice(-MAX_MERGED);
  draft.alert = { ...draft.alert, mergedIds };
  const outcome = finishDraft(draft);
  return outcome.kind === "changed" ? { ...outcome, mergedIds: ids } : outcome;
}

/** Ends the alert as a part of its leader. Idempotent: the leader may send it again. */
export function mergeInto(
  alert: Alert,
  leaderId: string,
  by: CommandAuthor,
  context: CommandContext,
): Outcome {
  if (alert.status === "resolved") return { kind: "unchanged", result: "finished" };
  const name = prefixIdOf("alert", leaderId);
  const draft = startDraft({ ...alert, mergedIntoId: leaderId }, context);
  return endResolved(draft, by, `Merged into alert ${name} by ${by.name}`);
}
