// Delivers the events of one ordering key to their alert's object: finds the alert and records the
// outcome. A crash may cause a repeated delivery with more rows; the object counts each row once.

import { CREATED } from "../../../db/alerts/sweep-rows.ts";
import { alertNamedIn, selectRequestOutcome } from "../../../db/integrations/request-log-rows.ts";
import { newId } from "../../../db/shared/identifiers.ts";
import { first } from "../../../db/shared/select.ts";
import type { AlertDraft, CommandAuthor } from "../../../domain/alerts/commands.ts";
import type { IntegrationConfiguration } from "../../../domain/integrations/integration-configuration.ts";
import { windowAround } from "../../../domain/integrations/maintenance.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import type { CreateEvent } from "../../../integrations/integration-type.ts";
import { senderDraft } from "../../../integrations/templates/sender-draft.ts";
import { createByKeys, dedupKey } from "../../alerts/shared-keys.ts";
import { alertObject } from "../../shared/stubs.ts";
import type { ActionableEvent, EventOutcome, InboxStorage, PendingEvent } from "./inbox-storage.ts";
import type { NewestAlert } from "./ordering-key-storage.ts";

/** Maximum number of events per delivery. */
const MAX_EVENTS = 500;

const OUTCOME_WORDS = {
  acknowledge: { done: "Acknowledged", failed: "Could not acknowledge" },
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
  const pending = storage.pending(orderingKey, MAX_EVENTS);
  const [head] = pending;
  if (head === undefined) return [];
  if (head.kind !== "create") {
    storage.settle(
      [head],
      await sendCommand(env, storage, configuration, orderingKey, head),
      Date.now(),
    );
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
  let rest = creates;
  const keys = storage.orderingKeys;
  let newest = keys.newest(orderingKey);
  for (let [first] = rest; first !== undefined; [first] = rest) {
    const now = Date.now();
    const running = newest !== null && !newest.finished ? newest.alertId : null;
    const alertId = running ?? newId(now);
    const event = storage.readEvent(first) as CreateEvent;
    const byKeys = running === null && event.dedupKeys.length > 0;
    // The alert's id is stored before the call, so that a retry after a crash uses the same alert.
    // With dedup keys, the objects of the keys store it.
    if (running === null && !byKeys) keys.store(orderingKey, { alertId, finished: false }, now);
    const batch = takeOneWindow(rest, configuration);
    const draft = draftOf(configuration, storage, alertId, orderingKey, first, event);
    const sequences = batch.map(({ sequence }) => sequence);
    const object = alertObject(env, prefixIdOf("alert", alertId));
    const result = await (byKeys
      ? createByKeys(env, draft, sequences, "for_nothing")
      : object.create(draft, sequences, "for_nothing"));
    if (isRefusal(result)) throw new Error(`the alert answered ${result.reason}`);
    const { countedSequence } = result;
    const on = result.kind === "finished" ? alertId : result.alert.id;
    if (byKeys) storage.orderingKeys.store(orderingKey, { alertId: on, finished: false }, now);
    const counted = rest.filter(({ sequence }) => sequence <= countedSequence);
    settleCreates(storage, counted, on, result.kind === "created");
    rest = rest.filter(({ sequence }) => sequence > countedSequence);
    newest = result.kind === "finished" ? null : { alertId: on, finished: false };
  }
}

/** The leading events that are all inside one maintenance window, or all outside any. */
function takeOneWindow(
  events: readonly PendingEvent[],
  { maintenanceWindows }: IntegrationConfiguration,
): readonly PendingEvent[] {
  const untilOf = (event: PendingEvent | undefined) =>
    event && windowAround(maintenanceWindows, event.acceptedAt)?.until;
  const until = untilOf(events[0]);
  const end = events.findIndex((event) => untilOf(event) !== until);
  return end < 0 ? events : events.slice(0, end);
}

function settleCreates(
  storage: InboxStorage,
  events: readonly PendingEvent[],
  alertId: string,
  isCreated: boolean,
): void {
  const name = prefixIdOf("alert", alertId);
  const now = Date.now();
  const creating = isCreated ? events.slice(0, 1) : [];
  storage.settle(creating, { level: "info", message: `${CREATED}${name}` }, now);
  const others = events.slice(creating.length);
  storage.settle(others, { level: "info", message: `Counted on alert ${name}` }, now);
}

/** Acknowledges or resolves the newest alert of the ordering key. A refusal is only recorded. */
async function sendCommand(
  env: Cloudflare.Env,
  storage: InboxStorage,
  configuration: IntegrationConfiguration,
  orderingKey: string,
  pending: PendingEvent,
): Promise<EventOutcome> {
  const type = pending.kind as "acknowledge" | "resolve";
  const event = storage.readEvent(pending);
  const newest =
    storage.orderingKeys.newest(orderingKey) ?? (await findByKeys(env, configuration, event));
  const name =
    newest === null
      ? await findByRequest(env, configuration, event)
      : prefixIdOf("alert", newest.alertId);
  if (name === null) {
    return { level: "warn", message: `Unmatched: no alert has this Id or key, nothing to ${type}` };
  }
  const by = actorOf(configuration, event.trail);
  const object = alertObject(env, name);
  const result = await object.command(configuration.accountId, { type, by }, "for_nothing");
  if (!isRefusal(result)) {
    if (type === "resolve" && newest !== null) {
      storage.orderingKeys.store(orderingKey, { ...newest, finished: true }, Date.now());
    }
    return { level: "info", message: `${OUTCOME_WORDS[type].done} alert ${name}` };
  }
  if (result.reason === "unavailable") throw new Error("the alert cannot decide now");
  if (result.reason === "not_found") {
    return { level: "warn", message: `Unmatched: alert ${name} was deleted` };
  }
  const why = result.errors.map((error) => error.message).join("; ");
  return { level: "warn", message: `${OUTCOME_WORDS[type].failed} alert ${name}: ${why}` };
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
): Promise<NewestAlert | null> {
  if (event.thirdpartyId !== null) return null;
  for (const key of event.dedupKeys) {
    const alertId = await dedupKey(env, accountId, key).look();
    if (alertId !== null) return { alertId, finished: false };
  }
  return null;
}

/** The `prefix_id` of the alert created by the logged request that an event refers to. */
async function findByRequest(
  env: Cloudflare.Env,
  { id }: IntegrationConfiguration,
  event: ActionableEvent,
): Promise<string | null> {
  const reference = event.kind === "create" ? undefined : event.reference;
  if (reference?.by !== "request") return null;
  const row = await first(env.DB, selectRequestOutcome(id, reference.logId));
  return row && alertNamedIn(row.message);
}

function draftOf(
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
