// Hands an alert off to other destinations (contract 3, Escalation): cancels its workflows and asks the
// new destinations from the first layer. Pure.

import { notifyRequesters } from "../notifications/requested-notifications.ts";
import { findReceivers, receiverIds, routeDraft, startDeliveries } from "../routing/receivers.ts";
import type { Receiver } from "../routing/routing.ts";
import { prefixIdOf } from "../shared/identifiers.ts";
import { refuse, refused, refuseFields } from "../shared/refusal.ts";
import type { Alert, Workflow } from "./alert.ts";
import { addLogEntry, finishDraft, startDraft } from "./alert-draft.ts";
import type { Command, CommandContext, Outcome } from "./commands.ts";
import { cancelOpenWorkflows, putWorkflow, updateStatus } from "./workflow.ts";

type HandOff = Extract<Command, { type: "handoff" }>;

/** Hands the alert off: `acknowledgedAt` is preserved, previous acknowledgements are void. */
export function handOff(alert: Alert, command: HandOff, context: CommandContext): Outcome {
  const { destinations, by } = command;
  if (!["open", "acknowledged", "dropped"].includes(alert.status)) {
    const message = `the alert is ${alert.status}; only an open, acknowledged or dropped one can be handed off`;
    return refused(refuse("conflict", message));
  }
  const lookup = findReceivers(destinations, context);
  if (lookup.kind === "needs") return lookup;
  const { receivers, missing } = lookup;
  if (missing.length > 0) return refused(refuseFields(missing));
  const draft = startDraft(alert, context);
  const noteText = command.note === null ? "" : `: ${command.note}`;
  addLogEntry(
    draft,
    `Handed off by ${by.name} to ${receivers.map(nameOf(context)).join(", ")}${noteText}`,
  );
  const detail = `By ${by.name}${noteText}.`;
  const askedPeople = (it: Workflow) => it.askedIds;
  notifyRequesters(draft, "alert.handoff", alert.workflows, askedPeople, by.accountUserId, detail);
  cancelOpenWorkflows(draft);
  for (const workflow of draft.alert.workflows) {
    if (workflow.state === "acknowledged") putWorkflow(draft, { ...workflow, state: "cancelled" });
  }
  const routed = routeDraft(draft, receivers, null);
  if (routed.suppressed || routed.deliveries.length === 0) {
    const message = "destination_router_ids: the routers lead this alert to nobody";
    return refused(refuse("invalid", message, "destination_router_ids"));
  }
  startDeliveries(draft, routed.deliveries);
  const merge = (ids: readonly string[], type: Receiver["type"]) => [
    ...new Set([...ids, ...receiverIds(receivers, type)]),
  ];
  draft.alert = {
    ...draft.alert,
    status: "open",
    snoozedUntil: null,
    teamIds: merge(alert.teamIds, "team"),
    routerIds: merge(alert.routerIds, "router"),
    accountUserIds: merge(alert.accountUserIds, "account_user"),
  };
  updateStatus(draft);
  return finishDraft(draft);
}

const nameOf =
  ({ facts, routers }: CommandContext) =>
  ({ type, id }: Receiver): string => {
    const known = type === "router" ? routers?.get(id) : facts.get(`${type}:${id}`);
    return known?.name ?? prefixIdOf(type, id);
  };
