// Creates an alert from its first event and counts or reopens it on repetitions. Pure.

import {
  excludeAggregated,
  findReceivers,
  receiverIds,
  routeDraft,
  startDeliveries,
} from "../routing/receivers.ts";
import type { Receiver } from "../routing/routing.ts";
import { instantOfId, prefixIdOf } from "../shared/identifiers.ts";
import { refused, refuseFields } from "../shared/refusal.ts";
import { type Alert, isInWindow, ownWorkflowsOf } from "./alert.ts";
import { addLogEntry, type Draft, finishDraft, startDraft } from "./alert-draft.ts";
import type { AlertDraft, Command, CommandContext, Outcome } from "./commands.ts";
import { createdLine } from "./created-line.ts";
import { firstMembers } from "./members.ts";
import { applyEvent, beforeMute, mute, notifyOfNews } from "./news.ts";
import { leaveWindow, open, openUnasked, reopenDropped } from "./opening.ts";
import { askAgain, wasCurrent } from "./reopen.ts";
import { updateStatus } from "./workflow.ts";

type CreateCommand = Extract<Command, { type: "create" }>;

/** Creates the alert of a first event: routes it and asks its destinations' first layers. */
export function create(command: CreateCommand, context: CommandContext): Outcome {
  const { draft: input, sequences } = command;
  if (input.maintenance !== null) return suppress(command, input.maintenance.until, context);
  const lookup = findReceivers(input.destinations, context);
  if (lookup.kind === "needs") return lookup;
  const { receivers, missing } = lookup;
  if (missing.length > 0 && input.source.type === "AccountUser")
    return refused(refuseFields(missing));
  const draft = startDraft(newAlert(input, sequences, receivers, context.now), context);
  addLogEntry(draft, createdLine(input.source));
  return open(draft, lookup, input, "created");
}

/** Creates an alert in a maintenance window: stored and visible, but nobody is paged. */
function suppress(
  { draft: input, sequences }: CreateCommand,
  until: number,
  context: CommandContext,
): Outcome {
  const { teamIds, routerIds, accountUserIds } = input.destinations;
  const draft = startDraft(newAlert(input, sequences, [], context.now), context);
  addLogEntry(draft, createdLine(input.source));
  addLogEntry(draft, `Muted: in a maintenance window until ${new Date(until).toISOString()}`);
  draft.alert = {
    ...draft.alert,
    ...{ teamIds, routerIds, accountUserIds },
    status: "suppressed",
    suppressedUntil: until,
  };
  return finishDraft(draft, "created");
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
 * them says. In a maintenance window of its sender a running alert notifies nobody of it until then.
 */
export function countRepetition(
  alert: Alert,
  command: CreateCommand,
  context: CommandContext,
): Outcome {
  const { draft: input } = command;
  const more = count(alert, command);
  if (more === null) return { kind: "unchanged", result: "counted" };
  if (isEnded(alert, command, context.now)) return { kind: "unchanged", result: "finished" };
  const { autoResolveMs } = input;
  // The clock of an alert that is delayed starts when it opens.
  const opensAt = alert.status === "queued" ? alert.pending.map(({ at }) => at) : [];
  const from = Math.max(context.now, opensAt.length > 0 ? Math.min(...opensAt) : 0);
  const counted = autoResolveMs === null ? more : { ...more, autoResolveAt: from + autoResolveMs };
  const draft = startDraft(counted, context);
  const isMuted = input.maintenance !== null;
  const needs = applyEvent(draft, input, orderingKeyOf(input) === orderingKeyOf(alert));
  if (needs !== null) return needs;
  if (input.maintenance !== null && alert.status !== "suppressed") {
    mute(draft, alert, input.maintenance.until);
    return finishDraft(draft, "counted");
  }
  if (isInWindow(alert) && !isMuted) return leaveWindow(draft, input);
  if (alert.status === "resolved") return continueResolved(draft, input);
  if (alert.status === "dropped") return reopenDropped(draft, input);
  const isUnasked = notifyOfNews(draft, beforeMute(alert));
  return isUnasked ? openUnasked(draft, input) : finishDraft(draft, "counted");
}

/** Counts an alert that was aggregated into this one, once. */
export function join(
  alert: Alert,
  { member }: Extract<Command, { type: "join" }>,
  context: CommandContext,
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
function isEnded(alert: Alert, command: CreateCommand, now: number): boolean {
  const { maintenance, source } = command.draft;
  if (alert.deletedAt !== null) return true;
  if (alert.status === "resolved") return !continues(alert, command, now);
  if (alert.status !== "suppressed") return false;
  const until = alert.suppressedUntil;
  if (until === null || source.id === alert.source.id) return until === null;
  return maintenance === null || maintenance.at >= until;
}

/** Inboxes number events by the clock: the numbers of a millisecond. */
const SEQUENCES_PER_MS = 1_000;

/**
 * Whether the first event that is not counted opens an alert again that its sender has resolved. Once
 * the time is over, the alert may be about to release its `Id`.
 */
function continues(alert: Alert, { draft, sequences }: CreateCommand, now: number): boolean {
  const { reopenUntil = 0 } = alert;
  if (now >= reopenUntil || draft.maintenance !== null) return false;
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
  const late = excludeAggregated(
    draft,
    routed.filter(({ receiver: { type, id } }) => !known.has(`${type}:${id}`)),
  );
  if (late.length > 0) startDeliveries(draft, late);
  updateStatus(draft);
  return finishDraft(draft, "counted");
}
