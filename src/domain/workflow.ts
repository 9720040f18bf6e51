// The steps of a workflow on an alert being changed: start, advance to the next layer, end. Pure.
import { type Destination, statusOfWorkflows, type Workflow } from "./alert.ts";
import { type Draft, note } from "./alert-draft.ts";
import { type Context, factsKey } from "./commands.ts";
import { type DestinationFacts, nextStep } from "./escalation.ts";

export function put(draft: Draft, workflow: Workflow): Workflow {
  const stamped = { ...workflow, updatedAt: draft.context.now };
  const rest = draft.alert.workflows;
  const workflows = rest.some((it) => it.id === stamped.id)
    ? rest.map((it) => (it.id === stamped.id ? stamped : it))
    : [...rest, stamped];
  draft.alert = { ...draft.alert, workflows };
  return stamped;
}

export function startWorkflow(draft: Draft, facts: DestinationFacts): void {
  const { now, newId } = draft.context;
  advance(
    draft,
    put(draft, {
      id: newId(),
      destination: facts.destination,
      destinationName: facts.name,
      state: "open",
      layer: null,
      pass: 1,
      accountUserIds: [],
      askedIds: [],
      rejectedIds: [],
      memberIds: facts.memberIds,
      nextStepAt: null,
      createdAt: now,
      updatedAt: now,
    }),
  );
}

export const missingFacts = (workflows: readonly Workflow[], context: Context): Destination[] =>
  workflows
    .map((workflow) => workflow.destination)
    .filter((destination) => context.facts.get(factsKey(destination)) === undefined);

/** Takes a workflow to its next layer, or to its end. Its destination's facts must be there. */
export function advance(draft: Draft, workflow: Workflow): void {
  const { context } = draft;
  const facts = context.facts.get(factsKey(workflow.destination)) ?? null;
  const where = workflow.destinationName;
  if (facts === null) {
    note(draft, `${where} is no longer there: nobody left to ask`, "warn");
    put(draft, { ...workflow, state: "timed_out", nextStepAt: null });
    return;
  }
  const step = nextStep(facts, workflow, new Set(workflow.rejectedIds));
  for (const { layer, reason } of step.skipped) {
    const why = reason === "nobody" ? "nobody is on call" : "everybody on call has rejected";
    note(draft, `${where}, layer ${layer}: ${why}, skipped`, "warn");
  }
  if (step.kind === "exhausted") {
    endUnanswered(draft, workflow);
    return;
  }
  const ids = step.people.map((person) => person.accountUserId);
  const asked = put(draft, {
    ...workflow,
    destinationName: facts.name,
    layer: step.layer,
    pass: step.pass,
    accountUserIds: ids,
    askedIds: [...new Set([...workflow.askedIds, ...ids])],
    memberIds: facts.memberIds,
    nextStepAt: context.now + step.timeoutMs,
  });
  const people = step.people.map((person) => `${person.name} (${person.reason})`).join(", ");
  const pass = step.pass > 1 ? `, pass ${step.pass}` : "";
  const until = new Date(context.now + step.timeoutMs).toISOString();
  const silent = draft.alert.urgency === "silent";
  const verb = silent ? "would notify" : "notifying";
  note(draft, `${where}, layer ${step.layer}${pass}: ${verb} ${people}; next step at ${until}`);
  if (!silent) for (const accountUserId of ids) page(draft, asked, accountUserId);
}

function page(draft: Draft, workflow: Workflow, accountUserId: string): void {
  const number = draft.alert.effectCount;
  draft.pages.push({
    effectId: `${draft.alert.id}:${number}`,
    event: "alert.open",
    accountUserId,
    workflowId: workflow.id,
    layer: workflow.layer ?? 1,
    pass: workflow.pass,
    at: draft.context.now,
  });
  draft.alert = { ...draft.alert, effectCount: number + 1 };
}

/** Nobody is left to ask: `rejected` when everybody asked said no, else `timed_out`. */
function endUnanswered(draft: Draft, workflow: Workflow): void {
  const rejected = new Set(workflow.rejectedIds);
  const all = workflow.askedIds.length > 0 && workflow.askedIds.every((id) => rejected.has(id));
  const why = all ? "everybody asked has rejected" : "nobody is left to ask";
  note(draft, `${workflow.destinationName}: ${why}`, "warn");
  put(draft, { ...workflow, state: all ? "rejected" : "timed_out", nextStepAt: null });
}

/** Lets the alert's status follow its workflows. */
export function settle(draft: Draft): void {
  const status = statusOfWorkflows(draft.alert.workflows);
  if (status === "dropped" && draft.alert.status !== "dropped") {
    note(draft, "Dropped: no destination has anybody left to ask", "error");
  }
  draft.alert = { ...draft.alert, status };
}

export function cancelOpen(draft: Draft): void {
  for (const workflow of draft.alert.workflows) {
    if (workflow.state === "open")
      put(draft, { ...workflow, state: "cancelled", nextStepAt: null });
  }
}
