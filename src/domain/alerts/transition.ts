// The alert state machine (contract 3, States): applies a
// command to an alert at an instant. Pure: the clock, new identifiers and destination facts are
// passed in. When facts are missing it requests them, and the caller retries with them.

import { notifyRequesters } from "../notifications/requested-notifications.ts";
import { refuse, refused } from "../shared/refusal.ts";
import { type Alert, isInWindow } from "./alert.ts";
import { addLogEntry, type Draft, finishDraft, startDraft } from "./alert-draft.ts";
import type {
  Command,
  CommandAuthor,
  CommandContext,
  ContentChanges,
  Outcome,
} from "./commands.ts";
import { describeChanges } from "./content-changes.ts";
import { countRepetition, create, join } from "./creation.ts";
import { withExercise } from "./end-exercise.ts";
import { escalateNow } from "./escalate-now.ts";
import { markTitle } from "./exercise.ts";
import { handOff } from "./handoff.ts";
import { refuseRemoved, removeMembers } from "./member-removal.ts";
import { merge, mergeInto } from "./merge.ts";
import { beforeMute, describeNews, isNotifying, mute, notifyOfNews, withReported } from "./news.ts";
import { endMute, leaveWindow, openUnasked } from "./opening.ts";
import { reopen } from "./reopen.ts";
import { requestResponders } from "./request-responders.ts";
import { acknowledge, reject, resolve, unacknowledge } from "./responses.ts";
import { snooze, wake } from "./snooze.ts";
import { undo, withUndo } from "./undo.ts";
import { recordUnreached } from "./unreached.ts";
import {
  acknowledgePending,
  advanceWorkflow,
  cancelOpenWorkflows,
  isUnasked,
  startDestination,
  updateStatus,
} from "./workflow.ts";

/** The actor of an automatic resolve. */
const BY_ITSELF: CommandAuthor = {
  accountUserId: null,
  name: "auto-resolve: no new event in the configured time",
};

const NOT_THERE = refused(refuse("not_found", "no such alert"));

/**
 * Applies `command` to `alert`.
 *
 * @param alert null before the create, and for an object that never had an alert
 * @returns `needs` when facts are missing: call again with them; `refused` if the state does not
 *   allow the command
 */
export function transition(
  alert: Alert | null,
  command: Command,
  context: CommandContext,
): Outcome {
  const outcome = withExercise(apply(alert, command, context), command, context);
  return withUndo(alert, command, outcome, context.now);
}

function apply(alert: Alert | null, command: Command, context: CommandContext): Outcome {
  if (command.type === "create") {
    return alert === null ? create(command, context) : countRepetition(alert, command, context);
  }
  if (alert === null || alert.deletedAt !== null) return NOT_THERE;
  const refusal = "by" in command ? refuseRemoved(alert, command.by.accountUserId) : null;
  if (refusal) return refusal;
  switch (command.type) {
    case "acknowledge":
      return acknowledge(alert, command.by, context);
    case "unacknowledge":
      return unacknowledge(alert, command.by, context);
    case "resolve":
      return resolve(alert, command, context);
    case "reject":
      return reject(alert, command.by, context);
    case "handoff":
      return handOff(alert, command, context);
    case "reopen":
      return reopen(alert, command.retiredBefore, command.by, context);
    case "undo":
      return undo(alert, command, context);
    case "snooze":
      return snooze(alert, command.until, command.by, context);
    case "escalate":
      return escalateNow(alert, command.by, context);
    case "request_responders":
      return requestResponders(alert, command, context);
    case "merge":
      return merge(alert, command, context);
    case "merge_into":
      return mergeInto(alert, command.leaderId, command.by, context);
    case "tick":
      return tick(alert, context);
    case "change":
      return change(alert, command.changes, command.by, context);
    case "delete":
      return remove(alert, command.by, context);
    case "members_removed":
      return removeMembers(alert, command.members, context);
    case "join":
      return join(alert, command, context);
    case "unreached":
      return recordUnreached(alert, command.reports, context);
  }
}

// ── Timers ──

function tick(alert: Alert, context: CommandContext): Outcome {
  const isDue = (at: number | null) => at !== null && at <= context.now;
  if (isDue(alert.autoResolveAt)) return resolve(alert, { by: BY_ITSELF }, context);
  if (isInWindow(alert)) return leaveWindow(startDraft(alert, context), null);
  const due = alert.workflows.filter((it) => it.state === "open" && isDue(it.nextStepAt));
  const duePending = alert.pending.filter(({ at }) => isDue(at));
  const isAwake = isDue(alert.snoozedUntil ?? null);
  const isIdle = due.length + duePending.length === 0 && !isAwake;
  // A change of the windows also pokes the alert.
  if (alert.muted && (isIdle || isDue(alert.muted.until)))
    return endMute(startDraft(alert, context));
  if (isIdle) return { kind: "unchanged", result: "nothing_due" };
  const draft = startDraft(alert, context);
  if (isAwake) wake(draft);
  if (isAwake && isUnasked(alert)) return openUnasked(draft, null);
  if (duePending.length > 0) startDelayed(draft);
  for (const workflow of due) {
    addLogEntry(
      draft,
      `${workflow.destinationName}, step ${workflow.layer}: nobody acknowledged in time`,
      "warn",
    );
    const detail = `${workflow.destinationName}, step ${workflow.layer}.`;
    notifyRequesters(draft, "alert.timeout", [workflow], (it) => it.accountUserIds, null, detail);
    advanceWorkflow(draft, workflow);
  }
  updateStatus(draft);
  return finishDraft(draft);
}

/** Starts workflows whose delay has ended, or acknowledges all if a sender acknowledged before. */
function startDelayed(draft: Draft): void {
  const { now } = draft.context;
  const { heldAcknowledgement, pending, acknowledgedAt } = draft.alert;
  if (heldAcknowledgement !== null) {
    addLogEntry(draft, `Opened, acknowledged by ${heldAcknowledgement}`);
    acknowledgePending(draft);
    const at = acknowledgedAt ?? now;
    draft.alert = { ...draft.alert, heldAcknowledgement: null, acknowledgedAt: at };
    return;
  }
  draft.alert = { ...draft.alert, pending: pending.filter(({ at }) => at > now) };
  for (const { destination, at } of pending) if (at <= now) startDestination(draft, destination);
}

// ── Other commands ──

function change(
  alert: Alert,
  changes: ContentChanges,
  by: CommandAuthor,
  context: CommandContext,
): Outcome {
  const isReported = by.integrationId !== undefined;
  const described = describeChanges(alert, changes);
  // A sender's change may be delivered twice.
  if (isReported && described === "nothing") return { kind: "unchanged", result: "nothing_due" };
  const { exercise } = alert;
  const marked = exercise &&
    changes.title !== undefined && { title: markTitle(changes.title, exercise) };
  const { title, description, urgency } = alert;
  const said = { title, description, urgency, ...alert.reported };
  const changed = withReported({ ...alert, ...changes, ...marked }, said);
  const draft = startDraft(changed, context);
  addLogEntry(draft, `Changed by ${by.name}: ${described}`);
  if (!isReported || describeNews(alert, draft.alert) === null) return finishDraft(draft);
  if (by.integrationId === alert.source.id && isNotifying(alert)) {
    if (context.window === undefined) return { kind: "needs", destinations: [], window: true };
    if (context.window.until !== null) {
      mute(draft, alert, context.window.until);
      return finishDraft(draft);
    }
  }
  return notifyOfNews(draft, beforeMute(alert)) ? openUnasked(draft, null) : finishDraft(draft);
}

function remove(alert: Alert, by: CommandAuthor, context: CommandContext): Outcome {
  const draft = startDraft(alert, context);
  cancelOpenWorkflows(draft);
  addLogEntry(draft, `Deleted by ${by.name}`);
  const ended = { deletedAt: context.now, autoResolveAt: null, snoozedUntil: null };
  const { muted: _, ...rest } = draft.alert;
  draft.alert = { ...rest, ...ended };
  return finishDraft(draft);
}
