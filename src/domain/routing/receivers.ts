// Resolves an alert's receivers: looks up the named ones and routes the alert through the routers
// among them. Pure: facts that are not loaded are requested, and the command is decided again with
// them.
import type { Alert, Destination } from "../alerts/alert.ts";
import { addLogEntry, type Draft } from "../alerts/alert-draft.ts";
import {
  type CommandContext,
  factsKey,
  type Outcome,
  type RequestedDestinations,
} from "../alerts/commands.ts";
import { startDestination } from "../alerts/workflow.ts";
import { integrationFacts } from "../integrations/integration-facts.ts";
import { prefixIdOf } from "../shared/identifiers.ts";
import type { FieldError } from "../shared/refusal.ts";
import { type Receiver, type RoutedDelivery, type RoutingResult, routeAlert } from "./routing.ts";

/** The receivers that exist, by `id` without repeats, and an error for each that does not. */
export type FoundReceivers = {
  readonly kind: "found";
  readonly receivers: readonly Receiver[];
  readonly missing: readonly FieldError[];
};

const FIELDS = {
  team: "destination_team_ids",
  router: "destination_router_ids",
  account_user: "destination_account_user_ids",
} as const;

/** Looks up the receivers that the caller named, in either form of the identifier. */
export function findReceivers(
  requested: RequestedDestinations,
  context: CommandContext,
): FoundReceivers | Extract<Outcome, { kind: "needs" }> {
  const namedReceivers = namedReceiversIn(requested);
  const destinations = namedReceivers.filter((it): it is Destination => it.type !== "router");
  const unknown = destinations.filter((it) => context.facts.get(factsKey(it)) === undefined);
  const routers = context.routers === null ? requested.routerIds : [];
  if (unknown.length + routers.length > 0) {
    const needs = { kind: "needs", destinations: unknown } as const;
    return routers.length === 0 ? needs : { ...needs, routers };
  }
  const found = new Map<string, Receiver>();
  const missing: FieldError[] = [];
  for (const it of namedReceivers) {
    const receiver = resolveReceiver(it, context);
    if (receiver !== null) found.set(`${receiver.type}:${receiver.id}`, receiver);
    else missing.push(notFoundError(it));
  }
  return { kind: "found", receivers: [...found.values()], missing };
}

const namedReceiversIn = ({
  teamIds,
  routerIds,
  accountUserIds,
}: RequestedDestinations): Receiver[] => [
  ...teamIds.map((id) => ({ type: "team" as const, id })),
  ...routerIds.map((id) => ({ type: "router" as const, id })),
  ...accountUserIds.map((id) => ({ type: "account_user" as const, id })),
];

function resolveReceiver(
  { type, id }: Receiver,
  { facts, routers }: CommandContext,
): Receiver | null {
  if (type !== "router") return facts.get(factsKey({ type, id }))?.destination ?? null;
  const router =
    routers?.get(id) ??
    [...(routers?.values() ?? [])].find((it) => prefixIdOf("router", it.id) === id);
  return router ? { type, id: router.id } : null;
}

function notFoundError({ type, id }: Receiver): FieldError {
  const message = `${FIELDS[type]}: no such ${type.replace("_", " ")} ${id.slice(0, 64)}`;
  return { field: FIELDS[type], message };
}

/** The ids of one receiver type, in order. */
export const receiverIds = (receivers: readonly Receiver[], type: Receiver["type"]) =>
  receivers.flatMap((it) => (it.type === type ? [it.id] : []));

/** Routes the alert through its receivers' routers and adds their decisions to the timeline. */
export function routeDraft(
  draft: Draft,
  receivers: readonly Receiver[],
  log: Readonly<Record<string, unknown>> | null,
): RoutingResult {
  const { alert, context } = draft;
  const { title, description, urgency, tags, meta } = alert;
  const content = { title, description, urgency, tags, meta };
  const { source } = alert;
  const integration = source.type === "Integration" ? integrationFacts(source) : null;
  const subject = { content, facts: factsForRules(alert), log, integration };
  const routed = routeAlert(context.routers ?? new Map(), receivers, subject, context.now);
  for (const { level, message } of routed.trace) addLogEntry(draft, message, level);
  return routed;
}

/** The alert's fields, besides its content, that rules can match; named as in the API record. */
export function factsForRules(
  alert: Pick<
    Alert,
    | "id"
    | "source"
    | "thirdpartyId"
    | "dedupKeys"
    | "dedupCount"
    | "additionalData"
    | "teamIds"
    | "routerIds"
    | "accountUserIds"
  >,
): Readonly<Record<string, unknown>> {
  return {
    id: alert.id,
    source_id: alert.source.id,
    source_type: alert.source.type,
    thirdparty_id: alert.thirdpartyId,
    dedup_keys: alert.dedupKeys,
    dedup_count: alert.dedupCount,
    additional_data: alert.additionalData,
    destination_team_ids: alert.teamIds,
    destination_router_ids: alert.routerIds,
    destination_account_user_ids: alert.accountUserIds,
  };
}

/**
 * Removes deliveries that a router aggregates into an earlier alert while its window is open. The
 * alert refers to the first such alert, and each of them must count it.
 */
export function excludeAggregated(
  draft: Draft,
  deliveries: readonly RoutedDelivery[],
): RoutedDelivery[] {
  const { alert, context } = draft;
  return deliveries.filter(({ receiver, aggregate }) => {
    if (aggregate === null) return true;
    const leaderId = context.firsts.get(aggregate.fingerprint);
    if (leaderId === undefined) draft.missingFirsts.push(aggregate);
    if (leaderId === undefined || leaderId === alert.id) return true;
    const receiverId = prefixIdOf(receiver.type, receiver.id);
    addLogEntry(
      draft,
      `Aggregated with alert ${prefixIdOf("alert", leaderId)}, of which ${receiverId} was notified`,
    );
    draft.leaderIds.push(leaderId);
    draft.alert = { ...draft.alert, aggregatedIntoId: draft.alert.aggregatedIntoId ?? leaderId };
    return false;
  });
}

/**
 * Starts the workflows without a delay and stores the delayed ones as pending.
 *
 * @param leastMs the delay of all of them at least
 */
export function startDeliveries(
  draft: Draft,
  deliveries: readonly RoutedDelivery[],
  leastMs = 0,
): void {
  const { now } = draft.context;
  if (deliveries.length === 0) addLogEntry(draft, "Routing reaches nobody", "error");
  for (const { receiver, delayMs: own } of deliveries) {
    const delayMs = Math.max(own, leastMs);
    if (delayMs === 0) startDestination(draft, receiver);
    else {
      const delayed = { destination: receiver, at: now + delayMs };
      draft.alert = { ...draft.alert, pending: [...draft.alert.pending, delayed] };
    }
  }
}
