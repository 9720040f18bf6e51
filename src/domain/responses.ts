// What people, and senders that stand for nobody, answer to an alert: acknowledge, resolve, reject. Pure.
import { type Alert, statusOfWorkflows, type Workflow } from "./alert.ts";
import { changed, type Draft, draftOf, note, page } from "./alert-draft.ts";
import type { By, Context, Outcome } from "./commands.ts";
import { refuse, refused } from "./refusal.ts";
import { tellWhoWants } from "./requested-notices.ts";
import { advance, answerPending, cancelOpen, put, settle } from "./workflow.ts";

export function acknowledge(alert: Alert, by: By, context: Context): Outcome {
  if (alert.status === "queued" && by.accountUserId === null) return hold(alert, by, context);
  if (!["open", "dropped", "suppressed"].includes(alert.status)) {
    const message = `the alert is ${alert.status}; only an open, dropped or suppressed one can be acknowledged`;
    return refused(refuse("conflict", message));
  }
  const id = by.accountUserId;
  const concerns = (it: Workflow) =>
    id !== null && (it.askedIds.includes(id) || it.memberIds.includes(id));
  const own = alert.workflows.filter(concerns);
  const meant = (own.length > 0 ? own : alert.workflows).filter(
    (it) => it.state !== "acknowledged",
  );
  if (meant.length === 0 && alert.workflows.length > 0) {
    return refused(
      refuse("conflict", `the alert is ${alert.status}, but your part of it is acknowledged`),
    );
  }
  const draft = draftOf(alert, context);
  for (const workflow of meant)
    put(draft, { ...workflow, state: "acknowledged", nextStepAt: null });
  const where = meant.map((workflow) => workflow.destinationName).join(", ");
  note(draft, `Acknowledged by ${by.name}${where === "" ? "" : ` for ${where}`}`);
  if (own.length === 0) answerPending(draft);
  draft.alert = {
    ...draft.alert,
    status: statusOfWorkflows(draft.alert) === "open" ? "open" : "acknowledged",
    acknowledgedAt: alert.acknowledgedAt ?? context.now,
  };
  tellOthers(draft, meant, id);
  return changed(draft);
}

/** A sender's word on an alert that waits for a router's delay: it counts when the alert opens. */
function hold(alert: Alert, by: By, context: Context): Outcome {
  if (alert.heldAcknowledgement !== null) {
    return refused(refuse("conflict", "the alert is queued, and acknowledged as soon as it opens"));
  }
  const draft = draftOf(alert, context);
  note(draft, `Acknowledged by ${by.name}: takes effect when the alert opens`);
  draft.alert = { ...draft.alert, heldAcknowledgement: by.name };
  return changed(draft);
}

/** Those who were asked and have not answered are told that somebody else has. */
function tellOthers(draft: Draft, acknowledged: readonly Workflow[], by: string | null): void {
  if (draft.alert.urgency === "silent") return;
  const others = new Set(
    acknowledged.flatMap((it) => it.askedIds.filter((one) => !it.rejectedIds.includes(one))),
  );
  for (const one of others) if (one !== by) page(draft, "alert.acknowledged", one, null);
}

export function resolve(alert: Alert, by: By, context: Context): Outcome {
  const from = ["open", "dropped", "acknowledged"];
  if (by.accountUserId === null) from.push("queued");
  if (!from.includes(alert.status)) {
    const message = `the alert is ${alert.status}; only an open, dropped or acknowledged one can be resolved`;
    return refused(refuse("conflict", message));
  }
  const draft = draftOf(alert, context);
  cancelOpen(draft);
  note(draft, `Resolved by ${by.name}`);
  const everybody = (it: Workflow) => it.askedIds;
  const said = `Resolved by ${by.name}.`;
  tellWhoWants(draft, "alert.resolved", alert.workflows, everybody, by.accountUserId, said);
  draft.alert = {
    ...draft.alert,
    status: "resolved",
    resolvedAt: context.now,
    autoResolveAt: null,
  };
  return changed(draft);
}

export function reject(
  alert: Alert,
  by: By & { readonly accountUserId: string },
  context: Context,
): Outcome {
  const id = by.accountUserId;
  const own = alert.workflows.filter(
    (it) => it.state === "open" && it.askedIds.includes(id) && !it.rejectedIds.includes(id),
  );
  if (own.length === 0) {
    const message = `the alert is ${alert.status}, and you have no open workflow for it`;
    return refused(refuse("conflict", message));
  }
  const after = own.map((it) => ({ ...it, rejectedIds: [...it.rejectedIds, id] }));
  const emptied = after.filter((it) =>
    it.accountUserIds.every((one) => it.rejectedIds.includes(one)),
  );
  const draft = draftOf(alert, context);
  for (const workflow of after) {
    note(draft, `Rejected by ${by.name} for ${workflow.destinationName}`);
    put(draft, workflow);
    const said = `Rejected by ${by.name} for ${workflow.destinationName}.`;
    tellWhoWants(draft, "alert.rejected", [workflow], (it) => it.accountUserIds, id, said);
    if (emptied.includes(workflow)) advance(draft, workflow);
  }
  settle(draft);
  return changed(draft);
}
