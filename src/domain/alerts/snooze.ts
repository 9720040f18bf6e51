// Snoozes an alert (contract 3, Escalation): it is acknowledged until an instant, and then open again
// from the first layer. Pure.

import { refuse, refused } from "../shared/refusal.ts";
import { DAY, formatInstant } from "../shared/time.ts";
import { type Alert, ownWorkflowsOf, type Workflow } from "./alert.ts";
import { addLogEntry, addPage, type Draft, finishDraft, startDraft } from "./alert-draft.ts";
import type { CommandAuthor, CommandContext, Outcome } from "./commands.ts";
import { acknowledgedBy } from "./responses.ts";
import {
  acknowledgePending,
  cancelRequested,
  putWorkflow,
  restartWorkflow,
  updateStatus,
} from "./workflow.ts";

/** The longest snooze, in days. */
const LONGEST_SNOOZE_DAYS = 30;

/** Acknowledges the whole alert until `until` (epoch ms). */
export function snooze(
  alert: Alert,
  until: number,
  by: CommandAuthor,
  context: CommandContext,
): Outcome {
  if (!["open", "acknowledged", "dropped"].includes(alert.status)) {
    const message = `the alert is ${alert.status}; only an open, acknowledged or dropped one can be snoozed`;
    return refused(refuse("conflict", message));
  }
  const fault = snoozeFault(until, context.now);
  if (fault !== null) return refused(refuse("invalid", fault, "until"));
  const draft = startDraft(alert, context);
  acknowledgePending(draft);
  for (const workflow of ownWorkflowsOf(draft.alert)) {
    if (workflow.state === "acknowledged" || workflow.state === "cancelled") continue;
    putWorkflow(draft, acknowledgedBy(workflow, by.accountUserId));
  }
  cancelRequested(draft);
  const what = `Snoozed by ${by.name} until ${formatInstant(until)}`;
  addLogEntry(draft, what);
  notifyAsked(draft, alert.workflows, by, what);
  draft.alert = {
    ...draft.alert,
    status: "acknowledged",
    snoozedUntil: until,
    acknowledgedAt: alert.acknowledgedAt ?? context.now,
  };
  return finishDraft(draft);
}

/** Why nothing can be snoozed until an instant (epoch ms); null if it can. */
export function snoozeFault(until: number, now: number): string | null {
  if (until <= now) return "until must be in the future";
  if (until <= now + LONGEST_SNOOZE_DAYS * DAY) return null;
  return `until is over ${LONGEST_SNOOZE_DAYS} days ahead`;
}

/** Notifies the people who are being asked: nobody needs to answer now. */
function notifyAsked(
  draft: Draft,
  workflows: readonly Workflow[],
  by: CommandAuthor,
  detail: string,
): void {
  if (draft.alert.urgency === "silent") return;
  const open = workflows.filter(({ state }) => state === "open");
  const askedIds = open.flatMap(({ askedIds: ids, rejectedIds }) =>
    ids.filter((id) => !rejectedIds.includes(id)),
  );
  for (const id of new Set(askedIds)) {
    if (id !== by.accountUserId) addPage(draft, "alert.acknowledged", id, null, `${detail}.`);
  }
}

/** Ends a snooze at its time: the acknowledged destinations are asked from their first layer. */
export function wake(draft: Draft): void {
  draft.alert = { ...draft.alert, snoozedUntil: null };
  addLogEntry(draft, "The snooze has ended: escalation starts at step 1");
  for (const workflow of ownWorkflowsOf(draft.alert)) {
    if (workflow.state === "acknowledged") restartWorkflow(draft, workflow);
  }
  updateStatus(draft);
}
