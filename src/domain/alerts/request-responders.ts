// Requests further responders (contract 3, Escalation): they are paged by workflows of their own,
// which never change the alert's status. Pure.

import { findReceivers } from "../routing/receivers.ts";
import { refuse, refused, refuseFields } from "../shared/refusal.ts";
import type { Alert, Destination } from "./alert.ts";
import { addLogEntry, finishDraft, requireFacts, startDraft } from "./alert-draft.ts";
import { type Command, type CommandContext, factsKey, type Outcome } from "./commands.ts";
import { startWorkflow } from "./workflow.ts";

type RequestResponders = Extract<Command, { type: "request_responders" }>;

/** Pages the people and teams, unless they are already requested and have not answered yet. */
export function requestResponders(
  alert: Alert,
  { destinations, note, by }: RequestResponders,
  context: CommandContext,
): Outcome {
  if (!["open", "acknowledged", "dropped"].includes(alert.status)) {
    const message = `the alert is ${alert.status}; responders can be requested for an open, acknowledged or dropped one`;
    return refused(refuse("conflict", message));
  }
  const lookup = findReceivers({ ...destinations, routerIds: [] }, context);
  if (lookup.kind === "needs") return lookup;
  if (lookup.missing.length > 0) return refused(refuseFields(lookup.missing.map(named)));
  const asked = new Set(
    alert.workflows
      .filter(({ isRequested, state }) => isRequested && state === "open")
      .map(({ destination }) => factsKey(destination)),
  );
  const added = lookup.receivers
    .filter((it): it is Destination => it.type !== "router")
    .filter((it) => !asked.has(factsKey(it)));
  if (added.length === 0) {
    return refused(refuse("conflict", "the responders are already requested"));
  }
  const draft = startDraft(alert, context);
  const facts = added.flatMap((it) => requireFacts(draft, it) ?? []);
  const noteText = note === null ? "" : `: ${note}`;
  const names = facts.map(({ name }) => name).join(", ");
  const role = facts.length === 1 ? "a responder" : "responders";
  addLogEntry(draft, `${by.name} requested ${names} as ${role}${noteText}`);
  const detail = `${by.name} asks for your help${noteText}.`;
  for (const it of facts) startWorkflow(draft, it, { isRequested: true }, detail);
  return finishDraft(draft);
}

/** The fault, at the parameter that named the responder. */
const named = ({ field, message }: { readonly field?: string; readonly message: string }) => {
  const parameter = field === "destination_team_ids" ? "team_ids" : "account_user_ids";
  return { field: parameter, message: message.replace(String(field), parameter) };
};
