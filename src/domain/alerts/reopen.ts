// Reopens a resolved alert (contract 3, Escalation): its destinations are asked from their first
// layer. Pure.

import { findReceivers, routeDraft, startDeliveries } from "../routing/receivers.ts";
import { refuse, refused } from "../shared/refusal.ts";
import { isRetired } from "../shared/retention.ts";
import { type Alert, ownWorkflowsOf, type Workflow } from "./alert.ts";
import { addLogEntry, type Draft, finishDraft, startDraft } from "./alert-draft.ts";
import type { CommandAuthor, CommandContext, Outcome } from "./commands.ts";
import { askAcknowledger } from "./news.ts";
import { restartWorkflow, updateStatus } from "./workflow.ts";

/**
 * Reopens the alert. It needs its `Id` and dedup keys back, so that its sender's next event is
 * counted on it.
 *
 * @param retiredBefore epoch ms: what ended before it is being deleted
 */
export function reopen(
  alert: Alert,
  retiredBefore: number | null,
  by: CommandAuthor,
  context: CommandContext,
): Outcome {
  if (alert.status !== "resolved") {
    const message = `the alert is ${alert.status}; only a resolved one can be reopened`;
    return refused(refuse("conflict", message));
  }
  if (retiredBefore !== null && isRetired(alert, retiredBefore)) {
    const message = "the alert ended before the retention period; it can no longer be reopened";
    return refused(refuse("conflict", message));
  }
  const { teamIds, routerIds, accountUserIds } = alert;
  const current = ownWorkflowsOf(alert).filter((it) => wasCurrent(it, alert));
  const isUnrouted = current.length === 0;
  const lookup = isUnrouted && findReceivers({ teamIds, routerIds, accountUserIds }, context);
  if (lookup && lookup.kind === "needs") return lookup;
  const { reopenUntil: _, ...rest } = alert;
  const reopened: Alert = { ...rest, status: "open", resolvedAt: null, mergedIntoId: null };
  const draft = startDraft(reopened, context);
  addLogEntry(draft, `Reopened by ${by.name}: escalation starts at step 1`);
  for (const workflow of current) restartWorkflow(draft, workflow);
  if (lookup) startDeliveries(draft, routeDraft(draft, lookup.receivers, null).deliveries);
  updateStatus(draft);
  const outcome = finishDraft(draft);
  if (outcome.kind !== "changed" || context.hasClaimed) return outcome;
  return { kind: "needs", destinations: [], claim: true };
}

const FIRED_AGAIN = "It fired again shortly after its sender had resolved it.";

/**
 * Asks for the workflows of an alert that its sender had resolved and that fires again: of each, who
 * had acknowledged it alone, then the layers from theirs on; without such a person the first layer.
 */
export function askAgain(draft: Draft, current: readonly Workflow[]): void {
  for (const workflow of current) {
    const isAsked =
      workflow.state === "acknowledged" && askAcknowledger(draft, workflow, FIRED_AGAIN, false);
    if (!isAsked) restartWorkflow(draft, workflow);
  }
}

/** Whether the workflow belonged to the alert when it was resolved: a handoff cancels others. */
export const wasCurrent = ({ state, updatedAt }: Workflow, { resolvedAt }: Alert) =>
  state !== "cancelled" || updatedAt === resolvedAt;
