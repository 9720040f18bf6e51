// Creates an alert from its first event and counts or reopens it on repetitions. Pure.

import {
  excludeAggregated,
  type FoundReceivers,
  findReceivers,
  receiverIds,
  routeDraft,
  startDeliveries,
} from "../routing/receivers.ts";
import type { Receiver } from "../routing/routing.ts";
import { instantOfId, prefixIdOf } from "../shared/identifiers.ts";
import { refused, refuseFields } from "../shared/refusal.ts";
import { formatInstant } from "../shared/time.ts";
import { type Alert, type AlertSource, isInWindow, ownWorkflowsOf } from "./alert.ts";
import { addLogEntry, type Draft, finishDraft, startDraft } from "./alert-draft.ts";
import type { AlertDraft, Command, Context, Outcome } from "./commands.ts";
import { restartWorkflow, updateStatus } from "./escalation/workflow.ts";
import { firstMembers } from "./lifecycle/members.ts";
import { applyEvent, notifyOfNews, withReported } from "./lifecycle/news.ts";
import { askAgain, wasCurrent } from "./lifecycle/reopen.ts";

type CreateCommand = Extract<Command, { type: "create" }>;

/** Creates the alert of a first event: routes it and asks its destinations' first layers. */
export function create(command: CreateCommand, context: Context): Outcome {
  const { draft: input, sequences } = command;
  if (input.maintenance !== null) return suppress(command, input.maintenance.until, context);
  const lookup = findReceivers(input.destinations, context);
  if (lookup.kind === "needs") return lookup;
  const { receivers, missing } = lookup;
  if (missing.length > 0 && input.source.type === "AccountUser")
    return refused(refuseFields(missing));
  const draft = startDraft(newAlert(input, sequences, receivers, context.now), context);
  addLogEntry(draft, `Created by ${sourceName(input.source)}`);
  return open(draft, lookup, input, "created");
}

/** Routes an alert that nobody was asked for and asks its destinations' first layers. */
function open(
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
    const reason = aggregated ? "aggregated with another alert" : "every destination was ignored";
    addLogEntry(draft, `Suppressed: ${reason}`);
    draft.alert = { ...draft.alert, status: "suppressed", autoResolveAt: null };
    return finishDraft(draft, result);
  }
  if (pauseMs > 0)
    addLogEntry(draft, `Nobody is notified before ${formatInstant(draft.context.now + pauseMs)}`);
  startDeliveries(draft, deliveries, pauseMs);
  updateStatus(draft);
  return finishDraft(draft, result);
}

/** Creates an alert in a maintenance window: stored and visible, but nobody is paged. */
function suppress(
  { draft: input, sequences }: CreateCommand,
  until: number,
  context: Context,
): Outcome {
  const { teamIds, routerIds, accountUserIds } = input.destinations;
  const draft = startDraft(newAlert(input, sequences, [], context.now), context);
  addLogEntry(draft, `Created by ${sourceName(input.source)}`);
  addLogEntry(draft, `Suppressed: in a maintenance window until ${new Date(until).toISOString()}`);
  draft.alert = {
    ...draft.alert,
    ...{ teamIds, routerIds, accountUserIds },
    status: "suppressed",
    suppressedUntil: until,
  };
  return finishDraft(draft, "created");
}

/**
 * Opens an alert that a maintenance window suppressed, as if it were created now, unless a window
 * is around now: then it opens at that one's end.
 *
 * @param repeated the event that asks for it, outside of any window that its inbox knows; null: a
 *   timer, or a change of the windows
 */
export function leaveWindow(draft: Draft, repeated: AlertDraft | null): Outcome {
  const { alert, context } = draft;
  const { teamIds, routerIds, accountUserIds } = alert;
  const destinations = repeated?.destinations ?? { teamIds, routerIds, accountUserIds };
  const lookup = findReceivers(destinations, context);
  if (context.window === undefined) {
    const needs = lookup.kind === "needs" ? lookup : { kind: "needs" as const, destinations: [] };
    return { ...needs, window: true };
  }
  const result = repeated === null ? "done" : "counted";
  const { until, log } = context.window;
  if (until !== null) {
    const isSame = until === alert.suppressedUntil;
    if (isSame && repeated === null) return { kind: "unchanged", result: "nothing_due" };
    if (!isSame) addLogEntry(draft, `Suppressed until ${formatInstant(until)} by its windows`);
    draft.alert = { ...draft.alert, suppressedUntil: until };
    return finishDraft(draft, result);
  }
  if (lookup.kind === "needs") return lookup;
  addLogEntry(draft, "The maintenance window has ended, and nothing resolved the alert: opened");
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

function newAlert(
  input: AlertDraft,
  sequences: readonly number[],
  receivers: readonly Receiver[],
  now: number,
): Alert {
  const {
    destinations: _,
    log: __,
    maintenance: ___,
    lowersUrgency: ____,
    pauseMs: _____,
    requestId,
    autoResolveMs,
    members,
    ...content
  } = input;
  return {
    ...content,
    ...(members && { members: firstMembers(members) }),
    version: 0,
    status: "queued",
    dedupCount: Math.max(0, new Set(sequences).size - 1),
    countedSequence: Math.max(0, ...sequences),
    countedElsewhere: {},
    countedRequests: requestId === null ? [] : [requestId],
    teamIds: receiverIds(receivers, "team"),
    routerIds: receiverIds(receivers, "router"),
    accountUserIds: receiverIds(receivers, "account_user"),
    workflows: [],
    pending: [],
    heldAcknowledgement: null,
    suppressedUntil: null,
    autoResolveAt: autoResolveMs === null ? null : now + autoResolveMs,
    acknowledgedAt: null,
    resolvedAt: null,
    deletedAt: null,
    dropNotifiedAt: null,
    // The id carries it: it may have been drawn before a first attempt that failed.
    createdAt: instantOfId(input.id),
    updatedAt: now,
    logCount: 0,
    effectCount: 0,
    unreachedEffects: [],
  };
}

const sourceName = (source: AlertSource) =>
  source.type === "Integration" ? `integration ${source.name}` : source.name;

/** Limit on other sources and requests whose counts are stored, so that the state stays bounded. */
const MAX_OTHERS = 100;

/** Limit on joined alerts stored to detect a repeated join, which arrives within seconds. */
const MAX_JOINED = 500;

type Counted = Pick<AlertDraft, "source" | "thirdpartyId">;

/** The ordering key: sequence numbers increase within one `Id` of a source. */
const orderingKeyOf = ({ source, thirdpartyId }: Counted) => `${source.id}:${thirdpartyId}`;

/** The highest sequence number of a source's `Id` that the alert has counted. */
export function countedSequenceOf(alert: Alert, draft: Counted): number {
  if (orderingKeyOf(draft) === orderingKeyOf(alert)) return alert.countedSequence;
  return alert.countedElsewhere[orderingKeyOf(draft)] ?? 0;
}

/**
 * Counts repeated events once each, even if they are delivered twice, and applies what the last of
 * them says. In a maintenance window of its sender a running alert only counts it.
 */
export function countRepetition(alert: Alert, command: CreateCommand, context: Context): Outcome {
  const { draft: input } = command;
  const more = count(alert, command);
  if (more === null) return { kind: "unchanged", result: "counted" };
  if (isEnded(alert, command)) return { kind: "unchanged", result: "finished" };
  const { autoResolveMs } = input;
  const counted =
    autoResolveMs === null ? more : { ...more, autoResolveAt: context.now + autoResolveMs };
  const draft = startDraft(counted, context);
  const isMuted = input.maintenance !== null;
  if (isMuted && alert.status !== "suppressed") return finishDraft(draft, "counted");
  const needs = applyEvent(draft, input, orderingKeyOf(input) === orderingKeyOf(alert));
  if (needs !== null) return needs;
  if (isInWindow(alert) && !isMuted) return leaveWindow(draft, input);
  if (alert.status === "resolved") return continueResolved(draft, input);
  if (alert.status === "dropped") return reopen(draft, input, context);
  notifyOfNews(draft, alert);
  return finishDraft(draft, "counted");
}

/** Counts an alert that was aggregated into this one, once. */
export function join(
  alert: Alert,
  { member }: Extract<Command, { type: "join" }>,
  context: Context,
): Outcome {
  const joinedIds = alert.joinedIds ?? [];
  if (joinedIds.includes(member.id)) return { kind: "unchanged", result: "counted" };
  const draft = startDraft(alert, context);
  addLogEntry(
    draft,
    `Alert ${prefixIdOf("alert", member.id)} joined: ${member.title.slice(0, 200)}`,
  );
  draft.alert = {
    ...draft.alert,
    dedupCount: alert.dedupCount + 1,
    joinedIds: [...joinedIds, member.id].slice(-MAX_JOINED),
  };
  return finishDraft(draft, "counted");
}

/** The alert with new events counted; null if there are none. */
function count(alert: Alert, { draft, sequences }: CreateCommand): Alert | null {
  const { requestId } = draft;
  if (requestId !== null) {
    if (alert.countedRequests.includes(requestId)) return null;
    const countedRequests = [...alert.countedRequests, requestId].slice(-MAX_OTHERS);
    return { ...alert, dedupCount: alert.dedupCount + 1, countedRequests };
  }
  const fresh = [...new Set(sequences)].filter((it) => it > countedSequenceOf(alert, draft));
  if (fresh.length === 0) return null;
  const highest = Math.max(...fresh);
  const dedupCount = alert.dedupCount + fresh.length;
  const orderingKey = orderingKeyOf(draft);
  if (orderingKey === orderingKeyOf(alert))
    return { ...alert, dedupCount, countedSequence: highest };
  const others = Object.entries(alert.countedElsewhere).filter(([name]) => name !== orderingKey);
  const latest = [...others, [orderingKey, highest] as const].slice(-MAX_OTHERS);
  return { ...alert, dedupCount, countedElsewhere: Object.fromEntries(latest) };
}

/**
 * Whether a repetition creates a new alert. What a maintenance window suppressed has not ended; an
 * integration that shares a dedup key with it may be outside of the window.
 */
function isEnded(alert: Alert, command: CreateCommand): boolean {
  const { maintenance, source } = command.draft;
  if (alert.deletedAt !== null) return true;
  if (alert.status === "resolved") return !continues(alert, command);
  if (alert.status !== "suppressed") return false;
  const until = alert.suppressedUntil;
  if (until === null || source.id === alert.source.id) return until === null;
  return maintenance === null || maintenance.at >= until;
}

/** Inboxes number events by the clock: the numbers of a millisecond. */
const SEQUENCES_PER_MS = 1_000;

/** Whether the first event that is not counted opens an alert again that its sender has resolved. */
function continues(alert: Alert, { draft, sequences }: CreateCommand): boolean {
  const { reopenUntil } = alert;
  if (reopenUntil === undefined || draft.maintenance !== null) return false;
  const fresh = sequences.filter((it) => it > alert.countedSequence);
  const isOwn = orderingKeyOf(draft) === orderingKeyOf(alert);
  return isOwn && Math.min(...fresh) < reopenUntil * SEQUENCES_PER_MS;
}

/**
 * Opens such an alert again. One that notified nobody is routed as a new one; else destinations whose
 * delay had not ended are delayed again.
 */
function continueResolved(draft: Draft, input: AlertDraft): Outcome {
  const { alert, context } = draft;
  const own = ownWorkflowsOf(alert);
  const current = own.filter((it) => wasCurrent(it, alert));
  const { reopenUntil: _, ...rest } = alert;
  const isHandedOff = current.length > 0 && current.length < own.length;
  const lookup = isHandedOff ? null : findReceivers(input.destinations, context);
  if (lookup?.kind === "needs") return lookup;
  draft.alert = { ...rest, status: "queued", resolvedAt: null };
  addLogEntry(draft, "Fired again shortly after its sender resolved it: opened again");
  if (lookup !== null && current.length === 0) return open(draft, lookup, input, "counted");
  askAgain(draft, current);
  const known = new Set(own.map(({ destination: { type, id } }) => `${type}:${id}`));
  const routed = lookup === null ? [] : routeDraft(draft, lookup.receivers, input.log).deliveries;
  const late = routed.filter(
    ({ receiver: { type, id }, aggregate }) => aggregate === null && !known.has(`${type}:${id}`),
  );
  if (late.length > 0) startDeliveries(draft, late);
  updateStatus(draft);
  return finishDraft(draft, "counted");
}

/**
 * Restarts a dropped alert from layer 1 at the sender's current destinations. Without routers it
 * also restarts at the previous destinations, which may differ (as they may for another source with
 * the same key).
 */
function reopen(draft: Draft, input: AlertDraft, context: Context): Outcome {
  const lookup = findReceivers(input.destinations, context);
  if (lookup.kind === "needs") return lookup;
  const { receivers } = lookup;
  const { alert } = draft;
  const routed = routeDraft(draft, receivers, input.log);
  if (routed.suppressed) {
    addLogEntry(draft, "Event repeated: every destination was ignored, the alert stays dropped");
    return finishDraft(draft, "counted");
  }
  addLogEntry(draft, "Event repeated: reopened, escalation starts at the first layer");
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
