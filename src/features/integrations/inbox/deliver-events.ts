// Delivers the events of one ordering key to their alert's object: finds the alert and records the
// outcome. A crash may cause a repeated delivery with more events; the object counts each once.

import type { AlertDraft, CommandAuthor } from "../../../domain/alerts/commands.ts";
import { linkOf } from "../../../domain/alerts/content-changes.ts";
import { memberNames } from "../../../domain/alerts/members.ts";
import type { IntegrationConfiguration } from "../../../domain/integrations/integration-configuration.ts";
import { windowAround } from "../../../domain/integrations/maintenance.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { newDatedId } from "../../../kernel/db/identifiers.ts";
import { first } from "../../../kernel/db/select.ts";
import { minutesOf } from "../../../products/common-options.ts";
import type { CreateEvent } from "../../../products/integration-type.ts";
import { senderDraft } from "../../../products/reading/sender-draft.ts";
import { createByKeys, createOrCount, dedupKey } from "../../alerts/alerts/shared-keys.ts";
import type { CallerCommand } from "../../rpc.ts";
import { alertObject } from "../../stubs.ts";
import type { InboxStorage } from "./inbox-storage.ts";
import { selectReferenced } from "./request-log-rows.ts";
import type { ActionableEvent, EventOutcome, PendingEvent } from "./stored-events.ts";

/** Maximum number of events per delivery. */
const MAX_EVENTS = 500;

const OUTCOME_WORDS = {
  acknowledge: { done: "Acknowledged", failed: "Could not acknowledge" },
  unacknowledge: { done: "Unacknowledged", failed: "Could not unacknowledge" },
  change: { done: "Changed", failed: "Could not change" },
  resolve: { done: "Resolved", failed: "Could not resolve" },
} as const;

/**
 * Delivers the next events of an ordering key: consecutive creates, or one acknowledge or resolve.
 *
 * @returns the events that are settled now
 * @throws if nothing could be decided; to be retried
 */
export async function deliverEvents(
  env: Cloudflare.Env,
  storage: InboxStorage,
  orderingKey: string,
): Promise<readonly PendingEvent[]> {
  const configuration = storage.configuration()?.body;
  if (!configuration) throw new Error("an inbox with events has no configuration");
  const pending = storage.events.index.pending(orderingKey, MAX_EVENTS);
  const [head] = pending;
  if (head === undefined) return [];
  if (head.kind !== "create") {
    const outcome = await sendCommand(env, storage, configuration, orderingKey, head);
    storage.events.settle([head], outcome, Date.now());
    return [head];
  }
  const end = pending.findIndex((it) => it.kind !== "create");
  const creates = end < 0 ? pending : pending.slice(0, end);
  await deliverCreates(env, storage, configuration, orderingKey, creates);
  return creates;
}

/** Delivers creates of one ordering key: they create an alert or are counted on the newest. */
async function deliverCreates(
  env: Cloudflare.Env,
  storage: InboxStorage,
  configuration: IntegrationConfiguration,
  orderingKey: string,
  creates: readonly PendingEvent[],
): Promise<void> {
  const { events } = storage;
  let rest = creates;
  let announced = storage.announcedAlert(orderingKey);
  let running = announced === null ? storage.orderingKeys.newest(orderingKey) : null;
  for (let [first] = rest; first !== undefined; [first] = rest) {
    const alertId = running ?? announced ?? newDatedId(Date.now());
    const event = events.read(first) as CreateEvent;
    const byKeys = running === null && event.dedupKeys.length > 0;
    // The alert's id is stored before the call, so that a retry after a crash uses the same alert.
    // With dedup keys, the objects of the keys store it. Of most alerts it was stored with the event.
    if (running === null && announced === null && !byKeys) {
      storage.replaceAlert(orderingKey, alertId);
    }
    const alike = takeAlike(rest, configuration);
    const latest = alike.length > 1 ? (events.read(alike.at(-1) ?? first) as CreateEvent) : event;
    // A first event's texts are the alert's; of repetitions the latest ones count.
    const mayCreate = running === null || first.isAttempted;
    const batch = mayCreate && !saysTheSame(event, latest) ? [first] : alike;
    const said = mayCreate ? event : { ...latest, thirdpartyId: event.thirdpartyId };
    const draft = buildDraft(configuration, storage, alertId, orderingKey, first, said);
    const sequences = batch.map(({ sequence }) => sequence);
    events.markAttempted(batch);
    storage.markCreated(orderingKey);
    const isNew = announced !== null;
    announced = null;
    const result = byKeys
      ? await createByKeys(env, draft, sequences, "for_nothing")
      : await createOrCount(env, draft, sequences, "for_nothing", isNew);
    if (isRefusal(result)) throw new Error(`the alert answered ${result.reason}`);
    const { countedSequence } = result;
    if (!first.isAttempted && countedSequence > Math.max(...sequences)) {
      // The clock was set back since the alert counted other events: these got used numbers.
      events.renumber(orderingKey, countedSequence);
      throw new Error("the alert has counted later sequence numbers");
    }
    const on = result.kind === "finished" ? alertId : result.alert.id;
    if (byKeys) storage.replaceAlert(orderingKey, on);
    const counted = rest.filter(({ sequence }) => sequence <= countedSequence);
    // Also true of a repeated delivery, which the alert answers with `counted`.
    const createdBy = result.kind === "finished" ? null : result.alert.source.logId;
    settleCreates(storage, counted, on, createdBy, event.warning);
    rest = rest.filter(({ sequence }) => sequence > countedSequence);
    running = result.kind === "finished" ? null : on;
  }
}

/**
 * The leading events that are all inside one maintenance window, or all outside any, that are all
 * delivered for the first time, or all possibly not, and that have no news of each other.
 */
function takeAlike(
  events: readonly PendingEvent[],
  { maintenanceWindows }: IntegrationConfiguration,
): readonly PendingEvent[] {
  const untilOf = (event: PendingEvent | undefined) =>
    event && windowAround(maintenanceWindows, event.acceptedAt)?.until;
  const until = untilOf(events[0]);
  const [head] = events;
  const isAlike = (event: PendingEvent) =>
    untilOf(event) === until && event.isAttempted === head?.isAttempted && event.news === head.news;
  const end = events.findIndex((event) => !isAlike(event));
  return end < 0 ? events : events.slice(0, end);
}

const saysTheSame = (one: CreateEvent, other: CreateEvent) =>
  one.title === other.title &&
  one.description === other.description &&
  linkOf(one) === linkOf(other);

/** Records creates as counted on an alert. `createdBy`: the log of the request that created it. */
function settleCreates(
  { events: storage }: InboxStorage,
  events: readonly PendingEvent[],
  alertId: string,
  createdBy: string | null,
  warning: string | undefined,
): void {
  const name = prefixIdOf("alert", alertId);
  const now = Date.now();
  const creating = events.slice(0, 1).filter((event) => event.logId === createdBy);
  const level = warning === undefined ? "info" : "warn";
  const more = warning === undefined ? "" : `: ${warning}`;
  const created = { level, message: `Created alert ${name}${more}`, alertId } as const;
  storage.settle(creating, created, now);
  const counted = { level, message: `Counted on alert ${name}${more}`, alertId } as const;
  storage.settle(events.slice(creating.length), counted, now);
}

/** The command of an event other than a create. `reopenUntil`: of what it resolves (epoch ms). */
function commandOf(
  event: Exclude<ActionableEvent, CreateEvent>,
  by: CommandAuthor,
  reopenUntil: number | undefined,
): CallerCommand {
  switch (event.kind) {
    case "change":
      return { type: "change", changes: event.changes, by };
    case "resolve": {
      const { thirdpartyId, ended: names } = event;
      return {
        ...{ type: "resolve", by },
        ...(names && { ended: { thirdpartyId, names } }),
        ...(reopenUntil !== undefined && { reopenUntil }),
      };
    }
    default:
      return { type: event.kind, by };
  }
}

/** Applies an event to the newest alert of the ordering key. A refusal is only recorded. */
async function sendCommand(
  env: Cloudflare.Env,
  storage: InboxStorage,
  configuration: IntegrationConfiguration,
  orderingKey: string,
  pending: PendingEvent,
): Promise<EventOutcome> {
  const event = storage.events.read(pending);
  if (event.kind === "create") throw new Error("a create is no command");
  const { kind: type } = event;
  const alertId =
    storage.orderingKeys.newest(orderingKey) ??
    (await findByKeys(env, configuration, event)) ??
    (await findReferenced(env, configuration, event));
  if (alertId === null) {
    const message = `Unmatched: no alert has this Id or key, nothing to ${type}`;
    return { level: "warn", message, alertId };
  }
  const name = prefixIdOf("alert", alertId);
  const by = actorOf(configuration, event.trail);
  const object = alertObject(env, name);
  const reopenMs = minutesOf(configuration.options.reopen_within);
  const reopenUntil = reopenMs === null ? undefined : pending.acceptedAt + reopenMs;
  const command = commandOf(event, by, reopenUntil);
  const result = await object.command(configuration.accountId, command, "for_nothing");
  if (!isRefusal(result)) {
    // The event of a merged alert is its leader's.
    const { id, status } = result.alert;
    if (type === "resolve" && status !== "resolved") {
      const rest = memberNames(result.alert);
      const message = `Did not resolve alert ${prefixIdOf("alert", id)}: it is also about ${rest.slice(0, 5).join("; ")}`;
      return { level: "warn", message, alertId: id };
    }
    const message = `${OUTCOME_WORDS[type].done} alert ${prefixIdOf("alert", id)}`;
    return { level: "info", message, alertId: id };
  }
  if (result.reason === "unavailable") throw new Error("the alert cannot decide now");
  if (result.reason === "not_found") {
    return { level: "warn", message: `Unmatched: alert ${name} was deleted`, alertId: null };
  }
  const why = result.errors.map((error) => error.message).join("; ");
  const message = `${OUTCOME_WORDS[type].failed} alert ${name}: ${why}`;
  return { level: "warn", message, alertId };
}

/** The actor of a command from an integration: no person. */
function actorOf(
  { id, name }: IntegrationConfiguration,
  trail: readonly string[] = [],
): CommandAuthor {
  const trailField = trail.length > 0 ? { trail } : {};
  return { accountUserId: null, name: `integration ${name}`, integrationId: id, ...trailField };
}

/** The alert that holds any of the keys of an event without an `Id`. */
async function findByKeys(
  env: Cloudflare.Env,
  { accountId }: IntegrationConfiguration,
  event: ActionableEvent,
): Promise<string | null> {
  if (event.thirdpartyId !== null) return null;
  for (const key of event.dedupKeys) {
    const alertId = await dedupKey(env, accountId, key).look();
    if (alertId !== null) return alertId;
  }
  return null;
}

/** The alert in D1 that an event refers to: its ordering key is forgotten. */
async function findReferenced(
  env: Cloudflare.Env,
  { id, accountId }: IntegrationConfiguration,
  event: ActionableEvent,
): Promise<string | null> {
  const reference = event.kind === "create" ? undefined : event.reference;
  if (reference === undefined) return null;
  return (await first(env.DB, selectReferenced(accountId, id, reference)))?.id ?? null;
}

function buildDraft(
  configuration: IntegrationConfiguration,
  storage: InboxStorage,
  alertId: string,
  thirdpartyId: string,
  { logId, acceptedAt }: PendingEvent,
  event: CreateEvent,
): AlertDraft {
  const request = configuration.receivers.routerIds.length > 0 ? storage.readRequest(logId) : null;
  return senderDraft(configuration, event, { alertId, logId, acceptedAt, thirdpartyId, request });
}
