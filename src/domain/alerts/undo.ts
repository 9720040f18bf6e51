// Takes back a person's latest answer (contract 3, Escalation): acknowledge, resolve or reject,
// within a minute. A step of its own: what was sent is not recalled, and a workflow never goes back
// a layer. Pure.

import { requestersOf } from "../notifications/requested-notifications.ts";
import { counted } from "../shared/counted.ts";
import { refuse, refused } from "../shared/refusal.ts";
import {
  type Alert,
  ownWorkflowsOf,
  statusOfWorkflows,
  type Undoable,
  type Workflow,
} from "./alert.ts";
import {
  addLogEntry,
  addPage,
  type Draft,
  finishDraft,
  requireFacts,
  startDraft,
} from "./alert-draft.ts";
import type { Command, CommandAuthor, CommandContext, Outcome } from "./commands.ts";
import { othersAsked } from "./responses.ts";
import { UNDO_MS } from "./undo-time.ts";
import { askLayerAgain, putWorkflow, updateStatus } from "./workflow.ts";

type Undo = Extract<Command, { type: "undo" }>;

/** Steps that change neither the status nor a workflow: the answer before them can be undone. */
const PASSIVE: readonly Command["type"][] = ["change", "join", "unreached", "create"];

const NOUNS = {
  acknowledge: "Acknowledgement",
  resolve: "Resolution",
  reject: "Passing on",
} as const satisfies Record<Undoable["type"], string>;

const isUndoable = (command: Command): command is Extract<Command, { type: Undoable["type"] }> =>
  ["acknowledge", "resolve", "reject"].includes(command.type);

/** Notes in the outcome of a command what a person may undo, or that nothing can be undone. */
export function withUndo(
  before: Alert | null,
  command: Command,
  outcome: Outcome,
  now: number,
): Outcome {
  if (outcome.kind !== "changed") return outcome;
  const { undoable, ...alert } = outcome.alert;
  const isSame = before?.workflows === alert.workflows && before.status === alert.status;
  // A resolve of a part of what fires.
  const isPassive = PASSIVE.includes(command.type) || command.type === "resolve";
  if (undoable && isSame && isPassive && undoable.at + UNDO_MS >= now) return outcome;
  const next = before && isUndoable(command) ? undoableOf(before, alert, command, now) : null;
  return { ...outcome, alert: next === null ? alert : { ...alert, undoable: next } };
}

/** What is needed to undo an answer; null if no person gave it. */
function undoableOf(
  before: Alert,
  after: Alert,
  { type, by }: Extract<Command, { type: Undoable["type"] }>,
  now: number,
): Undoable | null {
  if (by.accountUserId === null) return null;
  const isChanged = ({ state, acknowledgedBy }: Workflow, i: number) => {
    const then = after.workflows[i];
    const isTakenOver = state === "acknowledged" && acknowledgedBy !== then?.acknowledgedBy;
    return state !== then?.state || isTakenOver;
  };
  const isRejected = (it: Workflow, i: number) =>
    it.rejectedIds.length !== after.workflows[i]?.rejectedIds.length;
  const concerned = before.workflows.filter(type === "reject" ? isRejected : isChanged);
  const open = concerned.filter(({ state }) => state === "open");
  const changed = concerned.filter(({ state }) => state !== "open");
  const { status, snoozedUntil = null, autoResolveAt, suppressedUntil, pending } = before;
  const was: Undoable["was"] = {
    ...(status !== statusOfWorkflows(before) && { status }),
    ...(snoozedUntil !== null && { snoozedUntil }),
    ...(autoResolveAt !== null && after.autoResolveAt === null && { autoResolveAt }),
    ...(suppressedUntil !== null && after.suppressedUntil === null && { suppressedUntil }),
    ...(pending.length > 0 && after.pending.length === 0 && { pending }),
    ...(changed.length > 0 && {
      states: Object.fromEntries(changed.map(({ id, state }) => [id, state])),
    }),
    ...(changed.some(({ acknowledgedBy }) => acknowledgedBy !== undefined) && {
      acknowledgedBy: Object.fromEntries(
        changed.flatMap(({ id, acknowledgedBy }) =>
          acknowledgedBy === undefined ? [] : [[id, acknowledgedBy]],
        ),
      ),
    }),
  };
  const isEmpty = type === "reject" || Object.keys(was).length === 0;
  const positions = open.map((it) => before.workflows.indexOf(it));
  return { type, by: by.accountUserId, at: now, positions, ...(!isEmpty && { was }) };
}

/** Takes the person's latest answer back, as a step of its own. */
export function undo(
  alert: Alert,
  { by, areOthersNotified }: Undo,
  context: CommandContext,
): Outcome {
  const { undoable } = alert;
  if (!undoable) {
    const message = `the alert is ${alert.status}, and its latest step is not an answer that can be undone`;
    return refused(refuse("conflict", message));
  }
  if (undoable.by !== by.accountUserId) {
    return refused(refuse("conflict", "only the person who gave the latest answer can undo it"));
  }
  if (undoable.at + UNDO_MS < context.now) {
    return refused(refuse("conflict", "an answer can be undone for a minute; reopen the alert"));
  }
  if (undoable.type === "reject") return undoReject(alert, undoable, by, context);
  const outcome = restore(alert, undoable, { by, areOthersNotified }, context);
  // Its `Id` and dedup keys may have been released.
  const mustClaim = undoable.type === "resolve" && !context.hasClaimed;
  if (outcome.kind !== "changed" || !mustClaim) return outcome;
  return { kind: "needs", destinations: [], claim: true };
}

/** Undoes an acknowledgement or a resolution. */
function restore(
  alert: Alert,
  undoable: Undoable,
  { by, areOthersNotified }: Omit<Undo, "type">,
  context: CommandContext,
): Outcome {
  const { type, at, positions, was = {} } = undoable;
  const { undoable: _, ...rest } = alert;
  const draft = startDraft(
    {
      ...rest,
      acknowledgedAt:
        type === "acknowledge" && alert.acknowledgedAt === at ? null : alert.acknowledgedAt,
      resolvedAt: null,
      snoozedUntil: was.snoozedUntil ?? null,
      autoResolveAt: was.autoResolveAt ?? alert.autoResolveAt,
      suppressedUntil: was.suppressedUntil ?? alert.suppressedUntil,
      pending: was.pending ?? alert.pending,
    },
    context,
  );
  const isAffected = (it: Workflow, i: number) =>
    positions.includes(i) || was.states?.[it.id] !== undefined || isDelayed(it, was);
  const affected = alert.workflows.filter(isAffected);
  const what = `${NOUNS[type]} undone by ${by.name}`;
  // Those of what was acknowledged before were not notified.
  const notified = affected.filter(({ id }) => was.states?.[id] !== "acknowledged");
  const others = areOthersNotified ? recipientsOf(alert, type, notified, by.accountUserId) : [];
  addLogEntry(
    draft,
    others.length === 0
      ? what
      : `${what}: ${counted(others.length, "person was", "people were")} notified of it`,
  );
  const asked = affected.filter((it) => restoreWorkflow(draft, it, was, `${what}.`));
  // A resolved alert's members were no longer stored.
  if (type === "resolve") readMembers(draft);
  const status = was.status ?? statusOfWorkflows(draft.alert);
  if (asked.length > 0 && was.status === undefined) updateStatus(draft);
  else draft.alert = { ...draft.alert, status };
  return finishDraft(draft);
}

/** The other people who are notified of an acknowledgement or a resolution. */
const recipientsOf = (
  { urgency, workflows }: Alert,
  type: Undoable["type"],
  affected: readonly Workflow[],
  by: string | null,
): readonly string[] => {
  if (urgency === "silent") return [];
  return type === "acknowledge"
    ? othersAsked(affected, by)
    : requestersOf("alert.resolved", workflows, (it) => it.askedIds, by);
};

/**
 * Gives a workflow its state before the answer; one that was open asks its layer again.
 *
 * @returns whether it asks
 */
function restoreWorkflow(
  draft: Draft,
  workflow: Workflow,
  was: NonNullable<Undoable["was"]>,
  detail: string,
): boolean {
  const state = was.states?.[workflow.id] ?? (isDelayed(workflow, was) ? "cancelled" : undefined);
  if (state === undefined) askLayerAgain(draft, workflow, detail);
  else
    putWorkflow(draft, { ...workflow, state, acknowledgedBy: was.acknowledgedBy?.[workflow.id] });
  return state === undefined;
}

/** Whether the answer ended the workflow before its delay had ended. */
const isDelayed = ({ layer, destination }: Workflow, was: NonNullable<Undoable["was"]>) =>
  layer === null && was.pending?.some((it) => it.destination.id === destination.id) === true;

function readMembers(draft: Draft): void {
  for (const workflow of ownWorkflowsOf(draft.alert)) {
    const facts = requireFacts(draft, workflow.destination);
    if (facts === null) continue;
    const { memberIds, dropRecipientIds } = facts;
    const { workflows } = draft.alert;
    const updated = { ...workflow, memberIds, dropRecipientIds };
    draft.alert = {
      ...draft.alert,
      workflows: workflows.map((it) => (it.id === workflow.id ? updated : it)),
    };
  }
}

/** Undoes a rejection: the person is asked again, unless the workflow is past the layer. */
function undoReject(
  alert: Alert,
  { by: id, positions }: Undoable,
  by: CommandAuthor,
  context: CommandContext,
): Outcome {
  const same = alert.workflows.filter(
    ({ state, accountUserIds }, i) =>
      positions.includes(i) &&
      ["open", "rejected", "timed_out"].includes(state) &&
      accountUserIds.includes(id),
  );
  if (same.length === 0) {
    const message = "the alert has gone on to other people; it cannot come back to you";
    return refused(refuse("conflict", message));
  }
  const { undoable: _, ...rest } = alert;
  const draft = startDraft(rest, context);
  const names = same.map(({ destinationName }) => destinationName).join(", ");
  addLogEntry(draft, `Passing on undone by ${by.name} for ${names}`);
  for (const workflow of same) {
    const rejectedIds = workflow.rejectedIds.filter((it) => it !== id);
    if (workflow.state !== "open") {
      askLayerAgain(draft, { ...workflow, rejectedIds }, `Passing on undone by ${by.name}.`);
      continue;
    }
    const asked = putWorkflow(draft, { ...workflow, rejectedIds });
    if (alert.urgency !== "silent") addPage(draft, "alert.open", id, asked);
  }
  updateStatus(draft);
  return finishDraft(draft);
}
