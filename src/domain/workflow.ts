// The steps of a workflow on an alert being changed: start, advance to the next layer, end. Pure.
import { type Destination, statusOfWorkflows, type Workflow } from "./alert.ts";
import { type Draft, factsOf, note, page } from "./alert-draft.ts";
import { factsKey } from "./commands.ts";
import { type DestinationFacts, nextStep, type SkippedLayer } from "./escalation.ts";
import { prefixIdOf } from "./identifiers.ts";
import { wantsOf } from "./requested-notices.ts";

/** For one alert that drops again and again: its drop recipients are told this often at most (ms). */
const DROP_NOTICE_INTERVAL_MS = 3_600_000;

export function put(draft: Draft, workflow: Workflow): Workflow {
  const stamped = { ...workflow, updatedAt: draft.context.now };
  const rest = draft.alert.workflows;
  const workflows = rest.some((it) => it.id === stamped.id)
    ? rest.map((it) => (it.id === stamped.id ? stamped : it))
    : [...rest, stamped];
  draft.alert = { ...draft.alert, workflows };
  return stamped;
}

const FROM_THE_START = {
  layer: null,
  pass: 1,
  accountUserIds: [],
  askedIds: [],
  rejectedIds: [],
  nextStepAt: null,
} as const;

/** The destination's workflow, from the start: a new one, or the one it had. */
function fresh(draft: Draft, facts: DestinationFacts, state: "open" | "acknowledged"): Workflow {
  const { now, newId } = draft.context;
  const { destination, name, memberIds, dropRecipientIds } = facts;
  const had = draft.alert.workflows.find(
    (it) => factsKey(it.destination) === factsKey(destination),
  );
  return put(draft, {
    ...FROM_THE_START,
    id: had?.id ?? newId(),
    destination,
    destinationName: name,
    state,
    memberIds,
    dropRecipientIds,
    createdAt: had?.createdAt ?? now,
    updatedAt: now,
  });
}

/** Begins a destination's workflow: its first layer is asked. */
export function startWorkflow(draft: Draft, facts: DestinationFacts): void {
  advance(draft, fresh(draft, facts, "open"));
}

/** Begins workflows where they are there to be begun; the story says where they are not. */
export function startAt(draft: Draft, destination: Destination): void {
  if (isUnderWay(draft, destination)) return;
  const facts = factsOf(draft, destination);
  if (facts !== null) startWorkflow(draft, facts);
  else note(draft, `${nameOf(destination)} does not exist: nobody is notified`, "error");
}

/** What waits for its delay is acknowledged with the rest: its workflows begin answered, and page nobody. */
export function answerPending(draft: Draft): void {
  for (const { destination } of draft.alert.pending) {
    const facts = isUnderWay(draft, destination) ? null : factsOf(draft, destination);
    if (facts === null) continue;
    fresh(draft, facts, "acknowledged");
    note(draft, `${facts.name}: acknowledged before its delay ended, nobody is notified`);
  }
  draft.alert = { ...draft.alert, pending: [] };
}

/** Asked, or answered for, by another way already. */
const isUnderWay = (draft: Draft, destination: Destination) =>
  draft.alert.workflows.some(
    (it) =>
      factsKey(it.destination) === factsKey(destination) &&
      (it.state === "open" || it.state === "acknowledged"),
  );

const nameOf = ({ type, id }: Destination) =>
  `${type === "team" ? "Team" : "Account user"} ${prefixIdOf(type, id)}`;

/** Asks a workflow's destination from the first layer again. */
export function restart(draft: Draft, workflow: Workflow): void {
  advance(draft, put(draft, { ...workflow, ...FROM_THE_START, state: "open" }));
}

/** Takes a workflow to its next layer, or to its end. */
export function advance(draft: Draft, workflow: Workflow): void {
  const facts = factsOf(draft, workflow.destination);
  if (facts === null) {
    note(draft, `${workflow.destinationName} no longer exists: nobody is left to notify`, "warn");
    put(draft, { ...workflow, state: "timed_out", nextStepAt: null });
    return;
  }
  const { memberIds, dropRecipientIds } = facts;
  const known = { ...workflow, memberIds, dropRecipientIds };
  const step = nextStep(facts, workflow, new Set(workflow.rejectedIds));
  noteSkipped(draft, workflow, step.skipped);
  if (step.kind === "ask") ask(draft, { ...known, destinationName: facts.name }, step);
  else endUnanswered(draft, known, facts);
}

function noteSkipped(draft: Draft, workflow: Workflow, skipped: readonly SkippedLayer[]): void {
  for (const { layer, reason } of skipped) {
    const why = reason === "nobody" ? "nobody is on call" : "everybody on call has rejected";
    note(draft, `${workflow.destinationName}, layer ${layer}: ${why}, skipped`, "warn");
  }
}

function ask(
  draft: Draft,
  workflow: Workflow,
  step: Extract<ReturnType<typeof nextStep>, { kind: "ask" }>,
): void {
  const { now } = draft.context;
  const ids = step.people.map((person) => person.accountUserId);
  const asked = put(draft, {
    ...workflow,
    layer: step.layer,
    pass: step.pass,
    accountUserIds: ids,
    askedIds: [...new Set([...workflow.askedIds, ...ids])],
    nextStepAt: now + step.timeoutMs,
    wants: wantsOf(workflow.wants, step.people),
  });
  const people = step.people.map((person) => `${person.name} (${person.reason})`).join(", ");
  const pass = step.pass > 1 ? `, pass ${step.pass}` : "";
  const until = new Date(now + step.timeoutMs).toISOString();
  const silent = draft.alert.urgency === "silent";
  const verb = silent ? "would notify" : "notifying";
  const where = `${workflow.destinationName}, layer ${step.layer}${pass}`;
  note(draft, `${where}: ${verb} ${people}; next step at ${until}`);
  if (!silent) for (const id of ids) page(draft, "alert.open", id, asked);
}

/** Nobody is left to ask: `rejected` when everybody asked said no, else `timed_out`; then reassignment. */
function endUnanswered(draft: Draft, workflow: Workflow, facts: DestinationFacts): void {
  const rejected = new Set(workflow.rejectedIds);
  const all = workflow.askedIds.length > 0 && workflow.askedIds.every((id) => rejected.has(id));
  const why = all ? "everybody notified has rejected" : "nobody is left to notify";
  note(draft, `${workflow.destinationName}: ${why}`, "warn");
  put(draft, { ...workflow, state: all ? "rejected" : "timed_out", nextStepAt: null });
  reassign(draft, workflow, facts);
}

/** Starts workflows where the policy hands the alert to. Where it has been already it does not go again. */
function reassign(draft: Draft, workflow: Workflow, facts: DestinationFacts): void {
  for (const destination of facts.reassign) {
    const been = new Set(draft.alert.workflows.map((it) => factsKey(it.destination)));
    if (been.has(factsKey(destination))) continue;
    const next = factsOf(draft, destination);
    if (next === null) continue;
    note(draft, `${workflow.destinationName}: reassigned to ${next.name}`);
    startWorkflow(draft, next);
  }
}

/** Lets the alert's status follow its workflows. */
export function settle(draft: Draft): void {
  const status = statusOfWorkflows(draft.alert);
  if (status === "dropped" && draft.alert.status !== "dropped") {
    note(draft, "Dropped: no destination has anybody left to notify", "error");
    tellOfDrop(draft);
  }
  draft.alert = { ...draft.alert, status };
}

function tellOfDrop(draft: Draft): void {
  const { now } = draft.context;
  const { dropNotifiedAt, urgency, workflows } = draft.alert;
  const told = dropNotifiedAt !== null && dropNotifiedAt + DROP_NOTICE_INTERVAL_MS > now;
  const recipients = new Set(workflows.flatMap((workflow) => workflow.dropRecipientIds));
  if (told || urgency === "silent" || recipients.size === 0) return;
  note(draft, `Notifying ${recipients.size} recipients of the drop`);
  for (const id of recipients) page(draft, "alert.dropped", id, null);
  draft.alert = { ...draft.alert, dropNotifiedAt: now };
}

/** Nothing more is to happen by itself. */
export function cancelOpen(draft: Draft): void {
  draft.alert = { ...draft.alert, pending: [], heldAcknowledgement: null };
  for (const workflow of draft.alert.workflows) {
    if (workflow.state === "open")
      put(draft, { ...workflow, state: "cancelled", nextStepAt: null });
  }
}
