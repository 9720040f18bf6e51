// Escalates at once (contract 3, Escalation): every open workflow goes to its next layer now. A
// workflow without a further layer waits on: nobody would be asked in its place. Pure.

import { refuse, refused } from "../shared/refusal.ts";
import type { Alert, Workflow } from "./alert.ts";
import { addLogEntry, type Draft, finishDraft, requireFacts, startDraft } from "./alert-draft.ts";
import { type CommandAuthor, type CommandContext, factsKey, type Outcome } from "./commands.ts";
import { nextStep } from "./escalation.ts";
import { advanceWorkflow, updateStatus } from "./workflow.ts";

/** Advances the open workflows that have somebody left to ask. */
export function escalateNow(alert: Alert, by: CommandAuthor, context: CommandContext): Outcome {
  if (alert.status !== "open") {
    const message = `the alert is ${alert.status}; only an open one can be escalated`;
    return refused(refuse("conflict", message));
  }
  const draft = startDraft(alert, context);
  addLogEntry(draft, `Escalated by ${by.name}`);
  const open = alert.workflows.filter(({ state }) => state === "open");
  const advancing = open.filter((workflow) => canAdvance(draft, workflow));
  if (draft.missing.length === 0 && advancing.length === 0) {
    const message = "nobody is left to escalate to: the alert waits for those who are notified";
    return refused(refuse("conflict", message));
  }
  for (const workflow of open) {
    if (advancing.includes(workflow)) advanceWorkflow(draft, workflow, `Escalated by ${by.name}.`);
    else addLogEntry(draft, `${workflow.destinationName}: nobody is left to escalate to`);
  }
  updateStatus(draft);
  return finishDraft(draft);
}

/** Whether the workflow has a further layer, or its policy another destination. */
function canAdvance(draft: Draft, workflow: Workflow): boolean {
  const facts = requireFacts(draft, workflow.destination);
  if (facts === null) return false;
  if (nextStep(facts, workflow, new Set(workflow.rejectedIds)).kind === "ask") return true;
  const visited = new Set(draft.alert.workflows.map((it) => factsKey(it.destination)));
  const targets = facts.reassign.filter((it) => !visited.has(factsKey(it)));
  return targets.map((it) => requireFacts(draft, it)).some((it) => it !== null);
}
