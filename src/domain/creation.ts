// How an alert begins, and what becomes of the events that say the same after it. Pure.
import type { Alert, AlertSource } from "./alert.ts";
import { changed, draftOf, note } from "./alert-draft.ts";
import type { AlertDraft, Command, Context, Outcome } from "./commands.ts";
import { deliver, findReceivers, idsOf, routeThrough } from "./receivers.ts";
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
  if (routed.suppressed) {
    note(draft, "Suppressed: every destination was ignored");
    draft.alert = { ...draft.alert, status: "suppressed" };
    return changed(draft, "created");
  }
  deliver(draft, routed.deliveries);
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
  };
  return changed(draft, "created");
}

function newAlert(
  given: AlertDraft,
  sequences: readonly number[],
  receivers: readonly Receiver[],
  now: number,
): Alert {
  const { destinations: _, log: __, maintenance: ___, ...content } = given;
  return {
    ...content,
    version: 0,
    status: "queued",
    dedupCount: Math.max(0, new Set(sequences).size - 1),
    countedSequence: Math.max(0, ...sequences),
    teamIds: idsOf(receivers, "team"),
    routerIds: idsOf(receivers, "router"),
    accountUserIds: idsOf(receivers, "account_user"),
    workflows: [],
    pending: [],
    heldAcknowledgement: null,
    suppressedUntil: null,
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

/** More events that say the same: counted once each, whatever is handed over twice. */
export function repeat(alert: Alert, given: CreateCommand, context: Context): Outcome {
  const fresh = [...new Set(given.sequences)].filter((it) => it > alert.countedSequence);
  if (fresh.length === 0) return { kind: "unchanged", result: "counted" };
  if (isOver(alert, given.draft)) return { kind: "unchanged", result: "finished" };
  const counted = {
    ...alert,
    dedupCount: alert.dedupCount + fresh.length,
    countedSequence: Math.max(...fresh),
  };
  const wakes = alert.status === "dropped" && given.draft.maintenance === null;
  if (wakes) return reopen(counted, given.draft, context);
  return changed(draftOf(counted, context), "counted");
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
 * somewhere else.
 */
function reopen(alert: Alert, given: AlertDraft, context: Context): Outcome {
  const found = findReceivers(given.destinations, context);
  if (found.kind === "needs") return found;
  const { receivers } = found;
  const draft = draftOf(alert, context);
  const routed = routeThrough(draft, receivers, given.log);
  if (routed.suppressed) {
    note(draft, "It happened again, and every destination was ignored: it stays dropped");
    return changed(draft, "counted");
  }
  note(draft, "It happened again: open once more, from the first layer");
  const to = new Set(routed.deliveries.map(({ receiver }) => `${receiver.type}:${receiver.id}`));
  const routes = routed.routerIds.length > 0 && to.size > 0;
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
