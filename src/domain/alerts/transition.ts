// The alert state machine (contract 3, States): applies a
// command to an alert at an instant. Pure: the clock, new identifiers and destination facts are
// passed in. When facts are missing it requests them, and the caller retries with them.

import { refuse, refused } from "../shared/refusal.ts";
import type { Alert } from "./alert.ts";
import { changed, type Draft, draftOf, note } from "./alert-draft.ts";
import type { By, Command, ContentChanges, Context, Outcome } from "./commands.ts";
import { describeChanges } from "./content-changes.ts";
import { create, join, repeat } from "./creation.ts";
import { unreached } from "./escalation/unreached.ts";
import { advance, answerPending, cancelOpen, settle, startAt } from "./escalation/workflow.ts";
import { handOff } from "./handoff.ts";
import { refuseRemoved, removeMembers } from "./member-removal.ts";
import { tellWhoWants } from "./notifications/requested-notices.ts";
import { acknowledge, reject, resolve } from "./responses.ts";

/** The actor of an automatic resolve. */
const BY_ITSELF: By = {
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
export function transition(alert: Alert | null, command: Command, context: Context): Outcome {
  if (command.type === "create") {
    return alert === null ? create(command, context) : repeat(alert, command, context);
  }
  if (alert === null || alert.deletedAt !== null) return NOT_THERE;
  const refusal = "by" in command ? refuseRemoved(alert, command.by.accountUserId) : null;
  if (refusal) return refusal;
  switch (command.type) {
    case "acknowledge":
      return acknowledge(alert, command.by, context);
    case "resolve":
      return resolve(alert, command.by, context);
    case "reject":
      return reject(alert, command.by, context);
    case "handoff":
      return handOff(alert, command, context);
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
      return unreached(alert, command.reports, context);
  }
}

// ── Timers ──

function tick(alert: Alert, context: Context): Outcome {
  const isDue = (at: number | null) => at !== null && at <= context.now;
  if (isDue(alert.autoResolveAt)) return resolve(alert, BY_ITSELF, context);
  const due = alert.workflows.filter((it) => it.state === "open" && isDue(it.nextStepAt));
  const duePending = alert.pending.filter(({ at }) => isDue(at));
  if (due.length + duePending.length === 0) return { kind: "unchanged", result: "nothing_due" };
  const draft = draftOf(alert, context);
  if (duePending.length > 0) startDelayed(draft);
  for (const workflow of due) {
    note(
      draft,
      `${workflow.destinationName}, layer ${workflow.layer}: nobody acknowledged in time`,
      "warn",
    );
    const detail = `${workflow.destinationName}, layer ${workflow.layer}.`;
    tellWhoWants(draft, "alert.timeout", [workflow], (it) => it.accountUserIds, null, detail);
    advance(draft, workflow);
  }
  settle(draft);
  return changed(draft);
}

/** Starts workflows whose delay has ended, or acknowledges all if a sender acknowledged before. */
function startDelayed(draft: Draft): void {
  const { now } = draft.context;
  const { heldAcknowledgement, pending, acknowledgedAt } = draft.alert;
  if (heldAcknowledgement !== null) {
    note(draft, `Opened, acknowledged by ${heldAcknowledgement}`);
    answerPending(draft);
    const at = acknowledgedAt ?? now;
    draft.alert = { ...draft.alert, heldAcknowledgement: null, acknowledgedAt: at };
    return;
  }
  draft.alert = { ...draft.alert, pending: pending.filter(({ at }) => at > now) };
  for (const { destination, at } of pending) if (at <= now) startAt(draft, destination);
}

// ── Other commands ──

function change(alert: Alert, changes: ContentChanges, by: By, context: Context): Outcome {
  const draft = draftOf({ ...alert, ...changes }, context);
  note(draft, `Changed by ${by.name}: ${describeChanges(alert, changes)}`);
  return changed(draft);
}

function remove(alert: Alert, by: By, context: Context): Outcome {
  const draft = draftOf(alert, context);
  cancelOpen(draft);
  note(draft, `Deleted by ${by.name}`);
  draft.alert = { ...draft.alert, deletedAt: context.now, autoResolveAt: null };
  return changed(draft);
}
