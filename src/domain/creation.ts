// How an alert begins, and what becomes of the events that say the same after it. Pure.
import type { Alert, AlertSource } from "./alert.ts";
import { changed, draftOf, note } from "./alert-draft.ts";
import type { AlertDraft, Command, Context, Outcome } from "./commands.ts";
import { prefixIdOf } from "./identifiers.ts";
import { deliver, findReceivers, idsOf, routeThrough, withoutAggregated } from "./receivers.ts";
import { refused, refuseFields } from "./refusal.ts";
import type { Receiver } from "./routing.ts";
import { restart, settle } from "./workflow.ts";

type CreateCommand = Extract<Command, { type: "create" }>;

/** The alert of a first event: routed, and its destinations' first layers asked. */
export function create(command: CreateCommand, context: Context): Outcome {
  const { draft: given, sequences } = command;
  if (given.maintenance !== null) return suppress(command, given.maintenance.until, context);
  const found = findReceivers(given.destinations, context);
  if (found.kind === "needs") return found;
  const { receivers, missing } = found;
  if (missing.length > 0 && given.source.type === "AccountUser")
    return refused(refuseFields(missing));
  const draft = draftOf(newAlert(given, sequences, receivers, context.now), context);
  note(draft, `Created by ${sourceName(given.source)}`);
  for (const { message } of missing) note(draft, message, "warn");
  const routed = routeThrough(draft, receivers, given.log);
  draft.alert = { ...draft.alert, ...routed.content };
  const deliveries = withoutAggregated(draft, routed.deliveries);
  const aggregated = deliveries.length === 0 && routed.deliveries.length > 0;
  if (routed.suppressed || aggregated) {
    const why = aggregated ? "aggregated with another alert" : "every destination was ignored";
    note(draft, `Suppressed: ${why}`);
    draft.alert = { ...draft.alert, status: "suppressed", autoResolveAt: null };
    return changed(draft, "created");
  }
  deliver(draft, deliveries);
  settle(draft);
  return changed(draft, "created");
}

/** In a maintenance window: kept and visible, and nobody is paged. */
function suppress(
  { draft: given, sequences }: CreateCommand,
  until: number,
  context: Context,
): Outcome {
  const { teamIds, routerIds, accountUserIds } = given.destinations;
  const draft = draftOf(newAlert(given, sequences, [], context.now), context);
  note(draft, `Created by ${sourceName(given.source)}`);
  note(draft, `Suppressed: in a maintenance window until ${new Date(until).toISOString()}`);
  draft.alert = {
    ...draft.alert,
    ...{ teamIds, routerIds, accountUserIds },
    status: "suppressed",
    suppressedUntil: until,
    autoResolveAt: null,
  };
  return changed(draft, "created");
}

function newAlert(
  given: AlertDraft,
  sequences: readonly number[],
  receivers: readonly Receiver[],
  now: number,
): Alert {
  const {
    destinations: _,
    log: __,
    maintenance: ___,
    requestId,
    autoResolveMs,
    ...content
  } = given;
  return {
    ...content,
    version: 0,
    status: "queued",
    dedupCount: Math.max(0, new Set(sequences).size - 1),
    countedSequence: Math.max(0, ...sequences),
    countedElsewhere: {},
    countedRequests: requestId === null ? [] : [requestId],
    teamIds: idsOf(receivers, "team"),
    routerIds: idsOf(receivers, "router"),
    accountUserIds: idsOf(receivers, "account_user"),
    workflows: [],
    pending: [],
    heldAcknowledgement: null,
    suppressedUntil: null,
    autoResolveAt: autoResolveMs === null ? null : now + autoResolveMs,
    acknowledgedAt: null,
    resolvedAt: null,
    deletedAt: null,
    dropNotifiedAt: null,
    createdAt: now,
    updatedAt: now,
    logCount: 0,
    effectCount: 0,
    unreachedEffects: [],
  };
}

const sourceName = (source: AlertSource) =>
  source.type === "Integration" ? `integration ${source.name}` : source.name;

/** Others whose repetitions are known, so that the state does not grow for ever. */
const MOST_OTHERS = 100;

/** Joined alerts whose repetitions are known: they come within seconds, if they come at all. */
const MOST_JOINED = 500;

type Counted = Pick<AlertDraft, "source" | "thirdpartyId">;

/** Sequence numbers count up within an `Id` of a source. */
const laneOf = ({ source, thirdpartyId }: Counted) => `${source.id}:${thirdpartyId}`;

/** The highest sequence number of a source's `Id` that an alert has counted. */
export function countedOf(alert: Alert, draft: Counted): number {
  if (laneOf(draft) === laneOf(alert)) return alert.countedSequence;
  return alert.countedElsewhere[laneOf(draft)] ?? 0;
}

/** More events that say the same: counted once each, whatever is handed over twice. */
export function repeat(alert: Alert, given: CreateCommand, context: Context): Outcome {
  const more = count(alert, given);
  if (more === null) return { kind: "unchanged", result: "counted" };
  if (isOver(alert, given.draft)) return { kind: "unchanged", result: "finished" };
  const { autoResolveMs } = given.draft;
  const lasts = autoResolveMs !== null && alert.status !== "suppressed";
  const counted = lasts ? { ...more, autoResolveAt: context.now + autoResolveMs } : more;
  const wakes = alert.status === "dropped" && given.draft.maintenance === null;
  if (wakes) return reopen(counted, given.draft, context);
  return changed(draftOf(counted, context), "counted");
}

/** Counts an alert that was aggregated with this one, once. */
export function join(
  alert: Alert,
  { member }: Extract<Command, { type: "join" }>,
  context: Context,
): Outcome {
  const joinedIds = alert.joinedIds ?? [];
  if (joinedIds.includes(member.id)) return { kind: "unchanged", result: "counted" };
  const draft = draftOf(alert, context);
  note(draft, `Alert ${prefixIdOf("alert", member.id)} joined: ${member.title.slice(0, 200)}`);
  draft.alert = {
    ...draft.alert,
    dedupCount: alert.dedupCount + 1,
    joinedIds: [...joinedIds, member.id].slice(-MOST_JOINED),
  };
  return changed(draft, "counted");
}

/** The alert with what is new counted; null when nothing is. */
function count(alert: Alert, { draft, sequences }: CreateCommand): Alert | null {
  const { requestId } = draft;
  if (requestId !== null) {
    if (alert.countedRequests.includes(requestId)) return null;
    const countedRequests = [...alert.countedRequests, requestId].slice(-MOST_OTHERS);
    return { ...alert, dedupCount: alert.dedupCount + 1, countedRequests };
  }
  const fresh = [...new Set(sequences)].filter((it) => it > countedOf(alert, draft));
  if (fresh.length === 0) return null;
  const highest = Math.max(...fresh);
  const dedupCount = alert.dedupCount + fresh.length;
  const lane = laneOf(draft);
  if (lane === laneOf(alert)) return { ...alert, dedupCount, countedSequence: highest };
  const others = Object.entries(alert.countedElsewhere).filter(([name]) => name !== lane);
  const latest = [...others, [lane, highest] as const].slice(-MOST_OTHERS);
  return { ...alert, dedupCount, countedElsewhere: Object.fromEntries(latest) };
}

/** Whether what happens again is another alert's. One of a maintenance window counts until the window ends. */
function isOver(alert: Alert, { maintenance }: AlertDraft): boolean {
  if (alert.deletedAt !== null || alert.status === "resolved") return true;
  if (alert.status !== "suppressed") return false;
  const until = alert.suppressedUntil;
  return maintenance === null || until === null || maintenance.at >= until;
}

/**
 * From layer 1 again, where the sender's alerts go now; without routers also where they went then, which may be
 * somewhere else, as it may for another source with the same key.
 */
function reopen(alert: Alert, given: AlertDraft, context: Context): Outcome {
  const found = findReceivers(given.destinations, context);
  if (found.kind === "needs") return found;
  const { receivers } = found;
  const draft = draftOf(alert, context);
  const routed = routeThrough(draft, receivers, given.log);
  if (routed.suppressed) {
    note(draft, "Event repeated: every destination was ignored, the alert stays dropped");
    return changed(draft, "counted");
  }
  note(draft, "Event repeated: reopened, escalation starts at the first layer");
  const to = new Set(routed.deliveries.map(({ receiver }) => `${receiver.type}:${receiver.id}`));
  const own = given.source.id === alert.source.id;
  const routes = own && routed.routerIds.length > 0 && to.size > 0;
  for (const workflow of routes ? [] : alert.workflows) {
    const { type, id } = workflow.destination;
    if (!to.has(`${type}:${id}`)) restart(draft, workflow);
  }
  if (to.size > 0) deliver(draft, routed.deliveries);
  const added = (ids: readonly string[], type: Receiver["type"]) => [
    ...new Set([...ids, ...idsOf(receivers, type)]),
  ];
  draft.alert = {
    ...draft.alert,
    teamIds: added(alert.teamIds, "team"),
    routerIds: added(alert.routerIds, "router"),
    accountUserIds: added(alert.accountUserIds, "account_user"),
  };
  settle(draft);
  return changed(draft, "counted");
}
