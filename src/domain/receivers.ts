// Whom an alert is to reach: the receivers that were named, looked up, and sent through the routers among them. Pure.
// What is not known yet is asked for, and everything decided again with it.
import type { Alert, Destination } from "./alert.ts";
import { type Draft, note } from "./alert-draft.ts";
import { type Context, type DestinationsGiven, factsKey, type Outcome } from "./commands.ts";
import { prefixIdOf } from "./identifiers.ts";
import { integrationFacts } from "./integration-facts.ts";
import type { FieldError } from "./refusal.ts";
import { type Delivery, type Receiver, type Routed, route } from "./routing.ts";
import { startAt } from "./workflow.ts";

/** Those named that are there, by `id` and once each; an error for each that is not. */
export type Found = {
  readonly kind: "found";
  readonly receivers: readonly Receiver[];
  readonly missing: readonly FieldError[];
};

const FIELDS = {
  team: "destination_team_ids",
  router: "destination_router_ids",
  account_user: "destination_account_user_ids",
} as const;

/** Looks up whom the caller named, in either form of the identifier. */
export function findReceivers(
  given: DestinationsGiven,
  context: Context,
): Found | Extract<Outcome, { kind: "needs" }> {
  const named = namedBy(given);
  const destinations = named.filter((it): it is Destination => it.type !== "router");
  const unknown = destinations.filter((it) => context.facts.get(factsKey(it)) === undefined);
  const routers = context.routers === null ? given.routerIds : [];
  if (unknown.length + routers.length > 0) {
    const wanted = { kind: "needs", destinations: unknown } as const;
    return routers.length === 0 ? wanted : { ...wanted, routers };
  }
  const found = new Map<string, Receiver>();
  const missing: FieldError[] = [];
  for (const it of named) {
    const receiver = lookUp(it, context);
    if (receiver !== null) found.set(`${receiver.type}:${receiver.id}`, receiver);
    else missing.push(errorOf(it));
  }
  return { kind: "found", receivers: [...found.values()], missing };
}

const namedBy = ({ teamIds, routerIds, accountUserIds }: DestinationsGiven): Receiver[] => [
  ...teamIds.map((id) => ({ type: "team" as const, id })),
  ...routerIds.map((id) => ({ type: "router" as const, id })),
  ...accountUserIds.map((id) => ({ type: "account_user" as const, id })),
];

function lookUp({ type, id }: Receiver, { facts, routers }: Context): Receiver | null {
  if (type !== "router") return facts.get(factsKey({ type, id }))?.destination ?? null;
  const router =
    routers?.get(id) ??
    [...(routers?.values() ?? [])].find((it) => prefixIdOf("router", it.id) === id);
  return router ? { type, id: router.id } : null;
}

function errorOf({ type, id }: Receiver): FieldError {
  const message = `${FIELDS[type]}: no such ${type.replace("_", " ")} ${id.slice(0, 64)}`;
  return { field: FIELDS[type], message };
}

/** The ids of one kind, in their order. */
export const idsOf = (receivers: readonly Receiver[], type: Receiver["type"]) =>
  receivers.flatMap((it) => (it.type === type ? [it.id] : []));

/** Sends the alert through its receivers' routers; the story tells what they decided. */
export function routeThrough(
  draft: Draft,
  receivers: readonly Receiver[],
  log: Readonly<Record<string, unknown>> | null,
): Routed {
  const { alert, context } = draft;
  const { title, description, urgency, tags, meta } = alert;
  const content = { title, description, urgency, tags, meta };
  const { source } = alert;
  const integration = source.type === "Integration" ? integrationFacts(source) : null;
  const subject = { content, facts: factsForRules(alert), log, integration };
  const routed = route(context.routers ?? new Map(), receivers, subject, context.now);
  for (const { level, message } of routed.trace) note(draft, message, level);
  return routed;
}

/** What rules may ask of an alert beside what it says; named as its record names it. */
export function factsForRules(alert: Alert): Readonly<Record<string, unknown>> {
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
 * Those deliveries that are this alert's own: what a router aggregates with an earlier alert, while that runs, is left
 * to that one. The alert names the first such alert, and each of them is to count it.
 */
export function withoutAggregated(draft: Draft, deliveries: readonly Delivery[]): Delivery[] {
  const { alert, context } = draft;
  return deliveries.filter(({ receiver, aggregate }) => {
    if (aggregate === null) return true;
    const first = context.firsts.get(aggregate.fingerprint);
    if (first === undefined) draft.missingFirsts.push(aggregate);
    if (first === undefined || first === alert.id) return true;
    const whom = prefixIdOf(receiver.type, receiver.id);
    note(
      draft,
      `Aggregated with alert ${prefixIdOf("alert", first)}, of which ${whom} was notified`,
    );
    draft.leaderIds.push(first);
    draft.alert = { ...draft.alert, aggregatedIntoId: draft.alert.aggregatedIntoId ?? first };
    return false;
  });
}

/** Begins the workflows that are to begin now, and keeps for their time those that a router lets wait. */
export function deliver(draft: Draft, deliveries: readonly Delivery[]): void {
  const { now } = draft.context;
  if (deliveries.length === 0) note(draft, "Routing reaches nobody", "error");
  for (const { receiver, delayMs } of deliveries) {
    if (delayMs === 0) startAt(draft, receiver);
    else {
      const later = { destination: receiver, at: now + delayMs };
      draft.alert = { ...draft.alert, pending: [...draft.alert.pending, later] };
    }
  }
}
