// The steps of a workflow on an alert draft: start, advance to the next layer, end. Pure.

import { mergeRequestedEvents } from "../notifications/requested-notifications.ts";
import { counted } from "../shared/counted.ts";
import { prefixIdOf } from "../shared/identifiers.ts";
import {
  type Alert,
  type Destination,
  ownWorkflowsOf,
  statusOfWorkflows,
  type Workflow,
} from "./alert.ts";
import { addLogEntry, addPage, type Draft, requireFacts } from "./alert-draft.ts";
import { factsKey } from "./commands.ts";
import { beforeLayer, type DestinationFacts, nextStep, type SkippedLayer } from "./escalation.ts";

/** Minimum interval between drop notifications of one alert that is dropped repeatedly (ms). */
const DROP_NOTICE_INTERVAL_MS = 3_600_000;

/** Adds or replaces a workflow on the alert. */
export function putWorkflow(draft: Draft, workflow: Workflow): Workflow {
  const updated = { ...workflow, updatedAt: draft.context.now };
  const rest = draft.alert.workflows;
  const workflows = rest.some((it) => it.id === updated.id)
    ? rest.map((it) => (it.id === updated.id ? updated : it))
    : [...rest, updated];
  draft.alert = { ...draft.alert, workflows };
  return updated;
}

const INITIAL_STATE = {
  layer: null,
  pass: 1,
  accountUserIds: [],
  askedIds: [],
  rejectedIds: [],
  acknowledgedBy: undefined,
  nextStepAt: null,
} as const;

/** A responder who is requested has a workflow apart from the destination's own. */
type Requested = { readonly isRequested?: true };

/** The destination's workflow in its initial state: its existing one, or a new one. */
function resetWorkflow(
  draft: Draft,
  facts: DestinationFacts,
  state: "open" | "acknowledged",
  { isRequested }: Requested = {},
): Workflow {
  const { now, newId } = draft.context;
  const { destination, name, memberIds, dropRecipientIds } = facts;
  const existing = draft.alert.workflows.find(
    (it) => factsKey(it.destination) === factsKey(destination) && it.isRequested === isRequested,
  );
  return putWorkflow(draft, {
    ...INITIAL_STATE,
    ...(isRequested && { isRequested }),
    id: existing?.id ?? newId(),
    destination,
    destinationName: name,
    state,
    memberIds,
    dropRecipientIds,
    createdAt: existing?.createdAt ?? now,
    updatedAt: now,
  });
}

/**
 * Starts a destination's workflow: asks its first layer.
 *
 * @param detail a sentence for the people who are asked
 */
export function startWorkflow(
  draft: Draft,
  facts: DestinationFacts,
  requested: Requested = {},
  detail: string | null = null,
): void {
  advanceWorkflow(draft, resetWorkflow(draft, facts, "open", requested), detail);
}

/** Starts a destination's workflow unless it is running; notes an unknown destination. */
export function startDestination(draft: Draft, destination: Destination): void {
  if (isRunning(draft, destination)) return;
  const facts = requireFacts(draft, destination);
  if (facts !== null) startWorkflow(draft, facts);
  else addLogEntry(draft, `${nameOf(destination)} does not exist: nobody is notified`, "error");
}

/** Acknowledges delayed destinations: their workflows start acknowledged and page nobody. */
export function acknowledgePending(draft: Draft): void {
  for (const { destination } of draft.alert.pending) {
    const facts = isRunning(draft, destination) ? null : requireFacts(draft, destination);
    if (facts === null) continue;
    resetWorkflow(draft, facts, "acknowledged");
    addLogEntry(draft, `${facts.name}: acknowledged before its delay ended, nobody is notified`);
  }
  draft.alert = { ...draft.alert, pending: [] };
}

/** Whether the destination's workflow is already open or acknowledged. */
const isRunning = (draft: Draft, destination: Destination) =>
  ownWorkflowsOf(draft.alert).some(
    (it) =>
      factsKey(it.destination) === factsKey(destination) &&
      (it.state === "open" || it.state === "acknowledged"),
  );

const nameOf = ({ type, id }: Destination) =>
  `${type === "team" ? "Team" : "Account user"} ${prefixIdOf(type, id)}`;

/** Restarts a workflow from the first layer. */
export function restartWorkflow(draft: Draft, workflow: Workflow): void {
  advanceWorkflow(draft, putWorkflow(draft, { ...workflow, ...INITIAL_STATE, state: "open" }));
}

/** Asks the workflow's current layer again, with a full timeout. */
export function askLayerAgain(draft: Draft, workflow: Workflow, detail: string | null): void {
  const again = { ...workflow, ...beforeLayer(workflow), acknowledgedBy: undefined };
  const open = putWorkflow(draft, { ...again, state: "open" });
  advanceWorkflow(draft, open, detail);
}

/**
 * Advances a workflow to its next layer, or ends it.
 *
 * @param detail a sentence for the people who are asked
 */
export function advanceWorkflow(
  draft: Draft,
  workflow: Workflow,
  detail: string | null = null,
): void {
  const facts = requireFacts(draft, workflow.destination);
  if (facts === null) {
    addLogEntry(
      draft,
      `${workflow.destinationName} no longer exists: nobody is left to notify`,
      "warn",
    );
    putWorkflow(draft, { ...workflow, state: "timed_out", nextStepAt: null });
    return;
  }
  const { memberIds, dropRecipientIds } = facts;
  const updated = { ...workflow, memberIds, dropRecipientIds };
  const step = nextStep(facts, workflow, new Set(workflow.rejectedIds));
  noteSkipped(draft, workflow, step.skipped);
  if (step.kind === "ask") ask(draft, { ...updated, destinationName: facts.name }, step, detail);
  else endUnanswered(draft, updated, facts);
}

function noteSkipped(draft: Draft, workflow: Workflow, skipped: readonly SkippedLayer[]): void {
  for (const { layer, reason } of skipped) {
    const why = reason === "nobody" ? "nobody is on call" : "everybody on call has passed it on";
    addLogEntry(draft, `${workflow.destinationName}, step ${layer}: ${why}, skipped`, "warn");
  }
}

function ask(
  draft: Draft,
  workflow: Workflow,
  step: Extract<ReturnType<typeof nextStep>, { kind: "ask" }>,
  detail: string | null,
): void {
  const { now } = draft.context;
  const ids = step.people.map((person) => person.accountUserId);
  const asked = putWorkflow(draft, {
    ...workflow,
    layer: step.layer,
    pass: step.pass,
    accountUserIds: ids,
    askedIds: [...new Set([...workflow.askedIds, ...ids])],
    acknowledgedBy: undefined,
    nextStepAt: now + step.timeoutMs,
    wants: mergeRequestedEvents(workflow.wants, step.people),
  });
  const people = step.people.map((person) => `${person.name} (${person.reason})`).join(", ");
  const pass = step.pass > 1 ? `, pass ${step.pass}` : "";
  const until = new Date(now + step.timeoutMs).toISOString();
  const silent = draft.alert.urgency === "silent";
  const verb = silent ? "would notify" : "notifying";
  const where = `${workflow.destinationName}, step ${step.layer}${pass}`;
  addLogEntry(draft, `${where}: ${verb} ${people}; next step at ${until}`);
  if (!silent) for (const id of ids) addPage(draft, "alert.open", id, asked, detail);
}

/**
 * Ends a workflow with nobody left to ask: `rejected` if everyone asked rejected, else `timed_out`.
 * Then reassigns the alert.
 */
function endUnanswered(draft: Draft, workflow: Workflow, facts: DestinationFacts): void {
  const rejected = new Set(workflow.rejectedIds);
  const allRejected =
    workflow.askedIds.length > 0 && workflow.askedIds.every((id) => rejected.has(id));
  const why = allRejected ? "everybody notified has passed it on" : "nobody is left to notify";
  addLogEntry(draft, `${workflow.destinationName}: ${why}`, "warn");
  putWorkflow(draft, {
    ...workflow,
    state: allRejected ? "rejected" : "timed_out",
    acknowledgedBy: undefined,
    nextStepAt: null,
  });
  reassign(draft, workflow, facts);
}

/** Starts workflows at the policy's reassignment targets, except those the alert already had. */
function reassign(draft: Draft, workflow: Workflow, facts: DestinationFacts): void {
  for (const destination of facts.reassign) {
    const visited = new Set(draft.alert.workflows.map((it) => factsKey(it.destination)));
    if (visited.has(factsKey(destination))) continue;
    const next = requireFacts(draft, destination);
    if (next === null) continue;
    addLogEntry(draft, `${workflow.destinationName}: reassigned to ${next.name}`);
    startWorkflow(draft, next, workflow.isRequested ? { isRequested: true } : {});
  }
}

/** Whether nobody was asked of the alert, which may have been acknowledged while it was suppressed. */
export const isUnasked = (alert: Alert): boolean =>
  ownWorkflowsOf(alert).length === 0 && alert.pending.length === 0;

/** Updates the alert's status from its workflows. */
export function updateStatus(draft: Draft): void {
  // Requested responders alone do not change it.
  if (draft.alert.status === "acknowledged" && isUnasked(draft.alert)) return;
  const status = statusOfWorkflows(draft.alert);
  if (status === "dropped" && draft.alert.status !== "dropped") {
    addLogEntry(draft, "Unanswered: nobody is left to notify", "error");
    notifyOfDrop(draft);
  }
  draft.alert = { ...draft.alert, status };
}

function notifyOfDrop(draft: Draft): void {
  const { now } = draft.context;
  const { dropNotifiedAt, urgency } = draft.alert;
  const isRecentlyNotified =
    dropNotifiedAt !== null && dropNotifiedAt + DROP_NOTICE_INTERVAL_MS > now;
  const recipients = new Set(
    ownWorkflowsOf(draft.alert).flatMap((workflow) => workflow.dropRecipientIds),
  );
  if (isRecentlyNotified || urgency === "silent" || recipients.size === 0) return;
  addLogEntry(
    draft,
    `Telling ${counted(recipients.size, "person", "people")} that nobody is left to notify`,
  );
  for (const id of recipients) addPage(draft, "alert.dropped", id, null);
  draft.alert = { ...draft.alert, dropNotifiedAt: now };
}

/** Cancels open workflows and pending destinations, so that no timer is left. */
export function cancelOpenWorkflows(draft: Draft): void {
  draft.alert = { ...draft.alert, pending: [], heldAcknowledgement: null };
  for (const workflow of draft.alert.workflows) {
    if (workflow.state === "open")
      putWorkflow(draft, { ...workflow, state: "cancelled", nextStepAt: null });
  }
}

/** Cancels the open workflows of requested responders. */
export function cancelRequested(draft: Draft): void {
  for (const workflow of draft.alert.workflows) {
    if (workflow.isRequested && workflow.state === "open")
      putWorkflow(draft, { ...workflow, state: "cancelled", nextStepAt: null });
  }
}
