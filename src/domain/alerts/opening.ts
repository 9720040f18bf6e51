// Opens an alert: a new one, one that nothing was asked for yet, a dropped one, and what a maintenance
// window kept quiet (contract 3, States). Pure.

import {
  excludeAggregated,
  type FoundReceivers,
  findReceivers,
  receiverIds,
  routeDraft,
  startDeliveries,
} from "../routing/receivers.ts";
import type { Receiver } from "../routing/routing.ts";
import { formatInstant } from "../shared/time.ts";
import { isInWindow, ownWorkflowsOf } from "./alert.ts";
import { addLogEntry, type Draft, finishDraft } from "./alert-draft.ts";
import type { AlertDraft, Outcome } from "./commands.ts";
import { beforeMute, notifyOfNews, withReported } from "./news.ts";
import { restartWorkflow, updateStatus } from "./workflow.ts";

/** Routes an alert that nobody was asked for and asks its destinations' first layers. */
export function open(
  draft: Draft,
  { receivers, missing }: FoundReceivers,
  { log, pauseMs = 0 }: Pick<AlertDraft, "log" | "pauseMs">,
  result: "created" | "counted" | "done",
): Outcome {
  for (const { message } of missing) addLogEntry(draft, message, "warn");
  const { title, description, urgency } = { ...draft.alert, ...draft.alert.reported };
  const routed = routeDraft(draft, receivers, log);
  const content = { ...draft.alert, ...routed.content };
  draft.alert = withReported(content, { title, description, urgency });
  const deliveries = excludeAggregated(draft, routed.deliveries);
  const aggregated = deliveries.length === 0 && routed.deliveries.length > 0;
  if (routed.suppressed || aggregated) {
    const reason = aggregated ? "aggregated with another alert" : "the rules ignore it";
    addLogEntry(draft, `Muted: ${reason}`);
    draft.alert = { ...draft.alert, status: "suppressed", autoResolveAt: null };
    return finishDraft(draft, result);
  }
  if (pauseMs > 0)
    addLogEntry(draft, `Nobody is notified before ${formatInstant(draft.context.now + pauseMs)}`);
  startDeliveries(draft, deliveries, pauseMs);
  updateStatus(draft);
  delayAutoResolve(draft);
  return finishDraft(draft, result);
}

/** Lets the clock of `auto_resolve_after` start when a delayed alert opens, not before. */
function delayAutoResolve(draft: Draft): void {
  const { status, pending, autoResolveAt } = draft.alert;
  if (status !== "queued" || autoResolveAt === null) return;
  const delayMs = Math.min(...pending.map(({ at }) => at)) - draft.context.now;
  draft.alert = { ...draft.alert, autoResolveAt: autoResolveAt + delayMs };
}

/** Opens an alert that a maintenance window suppressed. */
export const leaveWindow = (draft: Draft, repeated: AlertDraft | null): Outcome =>
  openUnasked(
    draft,
    repeated,
    "The maintenance window has ended, and nothing resolved the alert: opened",
  );

/**
 * Opens an alert of which nobody was asked, as if it were created now, unless a window is around
 * now: then it opens at that one's end.
 *
 * @param repeated the event that asks for it, outside of any window that its inbox knows; null: a
 *   timer, a person or a change of the windows
 * @param what an entry of the timeline; null if the caller has added one
 */
export function openUnasked(
  draft: Draft,
  repeated: AlertDraft | null,
  what: string | null = null,
): Outcome {
  const { context } = draft;
  const { muted: _, ...alert } = draft.alert;
  const { teamIds, routerIds, accountUserIds } = alert;
  draft.alert = alert;
  const destinations = repeated?.destinations ?? { teamIds, routerIds, accountUserIds };
  const lookup = findReceivers(destinations, context);
  if (context.window === undefined) {
    const needs = lookup.kind === "needs" ? lookup : { kind: "needs" as const, destinations: [] };
    return { ...needs, window: true };
  }
  const result = repeated === null ? "done" : "counted";
  const { until, log } = context.window;
  if (until !== null) {
    const isSame = isInWindow(alert) && until === alert.suppressedUntil;
    if (isSame && repeated === null) return { kind: "unchanged", result: "nothing_due" };
    if (!isSame) addLogEntry(draft, `Muted until ${formatInstant(until)} by its windows`);
    draft.alert = { ...draft.alert, status: "suppressed", suppressedUntil: until };
    return finishDraft(draft, result);
  }
  if (lookup.kind === "needs") return lookup;
  if (what !== null) addLogEntry(draft, what);
  const { receivers } = lookup;
  draft.alert = {
    ...draft.alert,
    ...{ status: "queued", suppressedUntil: null },
    teamIds: receiverIds(receivers, "team"),
    routerIds: receiverIds(receivers, "router"),
    accountUserIds: receiverIds(receivers, "account_user"),
  };
  return open(draft, lookup, { log: repeated?.log ?? log }, result);
}

/**
 * Restarts a dropped alert from layer 1 at the sender's current destinations. Without routers it
 * also restarts at the previous destinations, which may differ (as they may for another source with
 * the same key).
 */
export function reopenDropped(
  draft: Draft,
  input: Pick<AlertDraft, "destinations" | "log" | "source">,
): Outcome {
  const lookup = findReceivers(input.destinations, draft.context);
  if (lookup.kind === "needs") return lookup;
  const { receivers } = lookup;
  const { muted: _, ...alert } = draft.alert;
  draft.alert = alert;
  const routed = routeDraft(draft, receivers, input.log);
  if (routed.suppressed) {
    addLogEntry(draft, "Event repeated: the rules ignore it, the alert stays unanswered");
    return finishDraft(draft, "counted");
  }
  addLogEntry(draft, "Event repeated: reopened, escalation starts at step 1");
  const to = new Set(routed.deliveries.map(({ receiver }) => `${receiver.type}:${receiver.id}`));
  const isSameSource = input.source.id === alert.source.id;
  const usesRouters = isSameSource && routed.routerIds.length > 0 && to.size > 0;
  for (const workflow of usesRouters ? [] : ownWorkflowsOf(alert)) {
    const { type, id } = workflow.destination;
    if (!to.has(`${type}:${id}`)) restartWorkflow(draft, workflow);
  }
  if (to.size > 0) startDeliveries(draft, routed.deliveries);
  const merge = (ids: readonly string[], type: Receiver["type"]) => [
    ...new Set([...ids, ...receiverIds(receivers, type)]),
  ];
  draft.alert = {
    ...draft.alert,
    teamIds: merge(alert.teamIds, "team"),
    routerIds: merge(alert.routerIds, "router"),
    accountUserIds: merge(alert.accountUserIds, "account_user"),
  };
  updateStatus(draft);
  return finishDraft(draft, "counted");
}

/**
 * Notifies of what maintenance windows kept quiet of a running alert, unless one is around now: then
 * at that one's end.
 */
export function endMute(draft: Draft): Outcome {
  const { muted, ...alert } = draft.alert;
  const { window } = draft.context;
  if (window === undefined) return { kind: "needs", destinations: [], window: true };
  const { until, log } = window;
  if (muted === undefined || until === muted.until)
    return { kind: "unchanged", result: "nothing_due" };
  if (until !== null) {
    draft.alert = { ...alert, muted: { ...muted, until } };
    return finishDraft(draft);
  }
  const before = beforeMute(draft.alert);
  draft.alert = alert;
  addLogEntry(draft, "The maintenance window has ended");
  const { teamIds, routerIds, accountUserIds, source } = alert;
  const destinations = { teamIds, routerIds, accountUserIds };
  if (alert.status === "dropped") return reopenDropped(draft, { destinations, log, source });
  return notifyOfNews(draft, before) ? openUnasked(draft, null) : finishDraft(draft);
}
