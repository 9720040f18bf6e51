// Handing events of one `Id` on to its alert's object: which alert is meant, and what became of it. A hand-over may
// be repeated after a crash, with more rows: the alert's object counts each row once.
import { statement } from "../db/database.ts";
import { newId } from "../db/identifiers.ts";
import { alertIn, selectRequestOutcome } from "../db/request-log-rows.ts";
import { CREATED } from "../db/sweep-rows.ts";
import type { AlertDraft, By } from "../domain/commands.ts";
import { prefixIdOf } from "../domain/identifiers.ts";
import type { IntegrationConfiguration } from "../domain/integration-configuration.ts";
import { windowAround } from "../domain/maintenance.ts";
import { isRefusal } from "../domain/refusal.ts";
import type { CreateEvent } from "../integrations/integration-type.ts";
import { senderDraft } from "../integrations/sender-draft.ts";
import type { HandableEvent, InboxStorage, PendingEvent, Told } from "./inbox-storage.ts";
import type { Lane } from "./lane-storage.ts";
import { createByKeys, dedupKey } from "./shared-keys.ts";
import { alertObject } from "./stubs.ts";

/** Events handed over at a time. */
const MOST = 500;

const words = {
  acknowledge: { done: "Acknowledged", failed: "Could not acknowledge" },
  resolve: { done: "Resolved", failed: "Could not resolve" },
} as const;

/**
 * Hands over the head of a lane: one run of creates, or one acknowledge or resolve.
 *
 * @returns the events that are settled now
 * @throws when nothing could be decided, to be tried again
 */
export async function handOver(
  env: Cloudflare.Env,
  kept: InboxStorage,
  lane: string,
): Promise<readonly PendingEvent[]> {
  const configuration = kept.configuration()?.body;
  if (!configuration) throw new Error("an inbox with events has no configuration");
  const waiting = kept.waiting(lane, MOST);
  const [head] = waiting;
  if (head === undefined) return [];
  if (head.kind !== "create") {
    kept.settle([head], await tell(env, kept, configuration, lane, head), Date.now());
    return [head];
  }
  const end = waiting.findIndex((it) => it.kind !== "create");
  const creates = end < 0 ? waiting : waiting.slice(0, end);
  await create(env, kept, configuration, lane, creates);
  return creates;
}

/** Events that say the same: they make an alert, or are counted on the newest. */
async function create(
  env: Cloudflare.Env,
  kept: InboxStorage,
  configuration: IntegrationConfiguration,
  lane: string,
  creates: readonly PendingEvent[],
): Promise<void> {
  let rest = creates;
  let newest = kept.lanes.newest(lane);
  for (let [first] = rest; first !== undefined; [first] = rest) {
    const now = Date.now();
    const running = newest !== null && !newest.finished ? newest.alertId : null;
    const alertId = running ?? newId(now);
    const said = kept.saidBy(first) as CreateEvent;
    const byKeys = running === null && said.dedupKeys.length > 0;
    // The alert's id is kept before the call: whatever dies now, the retry means the same alert. Of one with keys,
    // the keys keep it.
    if (running === null && !byKeys) kept.lanes.keep(lane, { alertId, finished: false }, now);
    const alike = thoseOfOneWindow(rest, configuration);
    const draft = draftOf(configuration, kept, alertId, lane, first, said);
    const sequences = alike.map((event) => event.sequence);
    const object = alertObject(env, prefixIdOf("alert", alertId));
    const result = await (byKeys
      ? createByKeys(env, draft, sequences, "for_nothing")
      : object.create(draft, sequences, "for_nothing"));
    if (isRefusal(result)) throw new Error(`the alert answered ${result.reason}`);
    const { countedSequence } = result;
    const on = result.kind === "finished" ? alertId : result.alert.id;
    if (byKeys) kept.lanes.keep(lane, { alertId: on, finished: false }, now);
    const counted = rest.filter((event) => event.sequence <= countedSequence);
    settleCreates(kept, counted, on, result.kind === "created");
    rest = rest.filter((event) => event.sequence > countedSequence);
    newest = result.kind === "finished" ? null : { alertId: on, finished: false };
  }
}

/** The first events as far as they are all inside one maintenance window, or all outside of any. */
function thoseOfOneWindow(
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
  kept: InboxStorage,
  events: readonly PendingEvent[],
  alertId: string,
  made: boolean,
): void {
  const name = prefixIdOf("alert", alertId);
  const now = Date.now();
  const maker = made ? events.slice(0, 1) : [];
  kept.settle(maker, { level: "info", message: `${CREATED}${name}` }, now);
  const others = events.slice(maker.length);
  kept.settle(others, { level: "info", message: `Counted on alert ${name}` }, now);
}

/** An acknowledge or resolve for the newest alert of the `Id`; a refusal is only noted. */
async function tell(
  env: Cloudflare.Env,
  kept: InboxStorage,
  configuration: IntegrationConfiguration,
  lane: string,
  event: PendingEvent,
): Promise<Told> {
  const type = event.kind as "acknowledge" | "resolve";
  const said = kept.saidBy(event);
  const newest = kept.lanes.newest(lane) ?? (await newestByKeys(env, configuration, said));
  const name =
    newest === null
      ? await namedByRequest(env, configuration, said)
      : prefixIdOf("alert", newest.alertId);
  if (name === null) {
    return { level: "warn", message: `Unmatched: no alert has this Id or key, nothing to ${type}` };
  }
  const by = byOf(configuration, said.trail);
  const object = alertObject(env, name);
  const result = await object.command(configuration.accountId, { type, by }, "for_nothing");
  if (!isRefusal(result)) {
    if (type === "resolve" && newest !== null) {
      kept.lanes.keep(lane, { ...newest, finished: true }, Date.now());
    }
    return { level: "info", message: `${words[type].done} alert ${name}` };
  }
  if (result.reason === "unavailable") throw new Error("the alert cannot decide now");
  if (result.reason === "not_found") {
    return { level: "warn", message: `Unmatched: alert ${name} was deleted` };
  }
  const why = result.errors.map((error) => error.message).join("; ");
  return { level: "warn", message: `${words[type].failed} alert ${name}: ${why}` };
}

/** A sender that stands for nobody. */
function byOf({ id, name }: IntegrationConfiguration, trail: readonly string[] = []): By {
  const come = trail.length > 0 ? { trail } : {};
  return { accountUserId: null, name: `integration ${name}`, integrationId: id, ...come };
}

/** For an event without an `Id`: the alert that has any of its keys. */
async function newestByKeys(
  env: Cloudflare.Env,
  { accountId }: IntegrationConfiguration,
  said: HandableEvent,
): Promise<Lane | null> {
  if (said.thirdpartyId !== null) return null;
  for (const key of said.dedupKeys) {
    const alertId = await dedupKey(env, accountId, key).look();
    if (alertId !== null) return { alertId, finished: false };
  }
  return null;
}

/** For an event that names the alert by a request whose log has been written: that alert, by its `prefix_id`. */
async function namedByRequest(
  env: Cloudflare.Env,
  { id }: IntegrationConfiguration,
  said: HandableEvent,
): Promise<string | null> {
  const reference = said.kind === "create" ? undefined : said.reference;
  if (reference?.by !== "request") return null;
  const query = selectRequestOutcome(id, reference.logId);
  const row = await statement(env.DB, query).first<{ message: string }>();
  return row && alertIn(row.message);
}

function draftOf(
  configuration: IntegrationConfiguration,
  kept: InboxStorage,
  alertId: string,
  thirdpartyId: string,
  { logId, acceptedAt }: PendingEvent,
  given: CreateEvent,
): AlertDraft {
  const request = configuration.receivers.routerIds.length > 0 ? kept.requestOf(logId) : null;
  return senderDraft(configuration, given, { alertId, logId, acceptedAt, thirdpartyId, request });
}
