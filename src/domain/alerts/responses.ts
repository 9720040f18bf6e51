// Responses to an alert by people and by senders: acknowledge, resolve, reject. Pure.

import { notifyRequesters } from "../notifications/requested-notifications.ts";
import { refuse, refused } from "../shared/refusal.ts";
import {
  type Alert,
  isInWindow,
  ownWorkflowsOf,
  statusOfWorkflows,
  type Workflow,
} from "./alert.ts";
import { addLogEntry, addPage, type Draft, finishDraft, startDraft } from "./alert-draft.ts";
import type { Command, CommandAuthor, CommandContext, Outcome } from "./commands.ts";
import { endMembers } from "./members.ts";
import { putMembers } from "./news.ts";
import { openUnasked } from "./opening.ts";
import {
  acknowledgePending,
  advanceWorkflow,
  askLayerAgain,
  cancelOpenWorkflows,
  isUnasked,
  putWorkflow,
  updateStatus,
} from "./workflow.ts";

/** Acknowledges the person's workflows or, if they have none, all of them. */
export function acknowledge(alert: Alert, by: CommandAuthor, context: CommandContext): Outcome {
  if (alert.status === "queued" && by.accountUserId === null)
    return storeAcknowledgement(alert, by, context);
  const id = by.accountUserId;
  const isSnoozed = alert.snoozedUntil != null;
  const isOpenRequest = (it: Workflow) =>
    it.isRequested && it.state === "open" && id !== null && it.askedIds.includes(id);
  const isAsked = alert.status === "acknowledged" && alert.workflows.some(isOpenRequest);
  if (!["open", "dropped", "suppressed"].includes(alert.status) && !isSnoozed && !isAsked) {
    const message = `the alert is ${alert.status}; only an open, dropped or suppressed one can be acknowledged`;
    return refused(refuse("conflict", message));
  }
  const isConcerned = (it: Workflow) =>
    id !== null && (it.askedIds.includes(id) || it.memberIds.includes(id));
  const ownWorkflows = alert.workflows.filter(isConcerned);
  const concerned = ownWorkflows.length > 0 ? ownWorkflows : alert.workflows;
  const targets =
    isAsked && !isSnoozed
      ? alert.workflows.filter(isOpenRequest)
      : concerned.filter(({ state, isRequested }) =>
          isRequested ? state === "open" : state !== "acknowledged",
        );
  if (targets.length === 0 && alert.workflows.length > 0 && !isSnoozed) {
    return refused(
      refuse("conflict", `the alert is ${alert.status}, but your part of it is acknowledged`),
    );
  }
  const draft = startDraft(alert, context);
  for (const workflow of targets) putWorkflow(draft, acknowledgedBy(workflow, id));
  // What was snoozed is theirs now.
  for (const workflow of isSnoozed ? concerned : [])
    if (workflow.state === "acknowledged") putWorkflow(draft, acknowledgedBy(workflow, id));
  const where = targets.map((workflow) => workflow.destinationName).join(", ");
  addLogEntry(draft, `Acknowledged by ${by.name}${where === "" ? "" : ` for ${where}`}`);
  if (ownWorkflows.length === 0) acknowledgePending(draft);
  // Requested responders answer for themselves: the alert itself stays as it is.
  const isOfRequestsOnly = targets.length > 0 && targets.every((it) => it.isRequested);
  if (!isOfRequestsOnly) {
    draft.alert = {
      ...draft.alert,
      status: statusOfWorkflows(draft.alert) === "open" ? "open" : "acknowledged",
      acknowledgedAt: alert.acknowledgedAt ?? context.now,
      snoozedUntil: null,
    };
  }
  notifyOthers(draft, targets, id);
  return finishDraft(draft);
}

/** The workflow, acknowledged by a person or, without an id, by a sender. */
export const acknowledgedBy = (workflow: Workflow, id: string | null): Workflow => ({
  ...workflow,
  state: "acknowledged",
  acknowledgedBy: id ?? undefined,
  nextStepAt: null,
});

/** Stores a sender's acknowledgement of a delayed alert: it takes effect when the alert opens. */
function storeAcknowledgement(alert: Alert, by: CommandAuthor, context: CommandContext): Outcome {
  if (alert.heldAcknowledgement !== null) {
    return refused(refuse("conflict", "the alert is queued, and acknowledged as soon as it opens"));
  }
  const draft = startDraft(alert, context);
  addLogEntry(draft, `Acknowledged by ${by.name}: takes effect when the alert opens`);
  draft.alert = { ...draft.alert, heldAcknowledgement: by.name };
  return finishDraft(draft);
}

/** Notifies the other people asked, who have not answered, of the acknowledgement. */
function notifyOthers(draft: Draft, acknowledged: readonly Workflow[], by: string | null): void {
  if (draft.alert.urgency === "silent") return;
  for (const id of othersAsked(acknowledged, by)) addPage(draft, "alert.acknowledged", id, null);
}

/** The other people whom the workflows have asked and who have not rejected. */
export function othersAsked(workflows: readonly Workflow[], by: string | null): readonly string[] {
  const asked = workflows.flatMap((it) =>
    it.askedIds.filter((personId) => !it.rejectedIds.includes(personId)),
  );
  return [...new Set(asked)].filter((personId) => personId !== by);
}

/** Resolves the alert and cancels its open workflows, unless a part of what fires is left. */
export function resolve(
  alert: Alert,
  {
    by,
    ended,
    reopenUntil,
  }: Pick<Extract<Command, { type: "resolve" }>, "by" | "ended" | "reopenUntil">,
  context: CommandContext,
): Outcome {
  const from = ["open", "dropped", "acknowledged"];
  // What a window suppressed and its sender has not resolved opens when the window ends.
  if (by.accountUserId === null) from.push("queued", ...(isInWindow(alert) ? ["suppressed"] : []));
  if (!from.includes(alert.status)) {
    const message = `the alert is ${alert.status}; only an open, dropped or acknowledged one can be resolved`;
    return refused(refuse("conflict", message));
  }
  const isOfSource = by.integrationId === alert.source.id;
  // Events of other `Id`s, which a merge or a dedup key leads here, do not know its members.
  const isOwn = isOfSource && ended?.thirdpartyId === alert.thirdpartyId;
  const part = ended && isOwn ? endMembers(alert.members ?? [], ended.names) : null;
  if (part !== null && part.members.length > 0) {
    if (part.gone.length === 0) return { kind: "unchanged", result: "nothing_due" };
    const draft = startDraft(alert, context);
    putMembers(draft, part);
    return finishDraft(draft);
  }
  const mayReopen = isOfSource && reopenUntil !== undefined;
  // What has ended does not fire when the alert is opened again.
  const ending =
    part !== null && part.gone.length > 0 ? { ...alert, members: part.members } : alert;
  const draft = startDraft({ ...ending, ...(mayReopen && { reopenUntil }) }, context);
  if (alert.status === "queued")
    addLogEntry(draft, "Nobody was notified: it resolved before its delay ended");
  return endResolved(draft, by, `Resolved by ${by.name}`);
}

/** Withdraws a sender's acknowledgement: the acknowledged workflows ask their layer again. */
export function unacknowledge(alert: Alert, by: CommandAuthor, context: CommandContext): Outcome {
  if (alert.heldAcknowledgement !== null) {
    const held = startDraft({ ...alert, heldAcknowledgement: null }, context);
    addLogEntry(held, `Acknowledgement withdrawn by ${by.name} before the alert opened`);
    return finishDraft(held);
  }
  if (alert.status !== "acknowledged") {
    const message = `the alert is ${alert.status}; only an acknowledged one can be unacknowledged`;
    return refused(refuse("conflict", message));
  }
  const draft = startDraft({ ...alert, snoozedUntil: null }, context);
  const what = `Acknowledgement withdrawn by ${by.name}`;
  addLogEntry(draft, what);
  if (isUnasked(alert)) return openUnasked(draft, null);
  for (const workflow of ownWorkflowsOf(alert))
    if (workflow.state === "acknowledged") askLayerAgain(draft, workflow, `${what}.`);
  updateStatus(draft);
  return finishDraft(draft);
}

/** Ends the alert as resolved. `what`: who did it, for the timeline and the notifications. */
export function endResolved(draft: Draft, by: CommandAuthor, what: string): Outcome {
  const { workflows } = draft.alert;
  cancelOpenWorkflows(draft);
  const { muted: _, ...ending } = draft.alert;
  draft.alert = ending;
  addLogEntry(draft, what);
  const askedPeople = (it: Workflow) => it.askedIds;
  notifyRequesters(draft, "alert.resolved", workflows, askedPeople, by.accountUserId, `${what}.`);
  draft.alert = {
    ...draft.alert,
    status: "resolved",
    resolvedAt: draft.context.now,
    autoResolveAt: null,
    snoozedUntil: null,
    suppressedUntil: null,
  };
  return finishDraft(draft);
}

/** Rejects the alert for a person; a workflow that all its people have rejected advances. */
export function reject(
  alert: Alert,
  by: CommandAuthor & { readonly accountUserId: string },
  context: CommandContext,
): Outcome {
  const id = by.accountUserId;
  const ownWorkflows = alert.workflows.filter(
    (it) => it.state === "open" && it.askedIds.includes(id) && !it.rejectedIds.includes(id),
  );
  if (ownWorkflows.length === 0) {
    const message = `the alert is ${alert.status}, and does not wait for your answer`;
    return refused(refuse("conflict", message));
  }
  const after = ownWorkflows.map((it) => ({ ...it, rejectedIds: [...it.rejectedIds, id] }));
  const emptied = after.filter((it) =>
    it.accountUserIds.every((personId) => it.rejectedIds.includes(personId)),
  );
  const draft = startDraft(alert, context);
  for (const workflow of after) {
    addLogEntry(draft, `Passed on by ${by.name} for ${workflow.destinationName}`);
    putWorkflow(draft, workflow);
    const detail = `Passed on by ${by.name} for ${workflow.destinationName}.`;
    notifyRequesters(draft, "alert.rejected", [workflow], (it) => it.accountUserIds, id, detail);
    if (emptied.includes(workflow)) advanceWorkflow(draft, workflow);
  }
  updateStatus(draft);
  return finishDraft(draft);
}
