// What an inbox does with the events that a standby holds for it: those that it has are confirmed, by their `Id`;
// others are received, as if their senders had sent them.
import { eq, sql } from "drizzle-orm";
import type { IntegrationConfiguration } from "../../../domain/integrations/integration-configuration.ts";
import { isNeeded, type KnownAlert } from "../../../domain/operations/held-event.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { MINUTE } from "../../../domain/shared/time.ts";
import { newDatedId } from "../../../kernel/db/identifiers.ts";
import { all, select } from "../../../kernel/db/select.ts";
import { interpretRequest } from "../../../products/interpret.ts";
import { heartbeat } from "../../../products/uptime/heartbeat.ts";
import type { ForwardedRequest, HeldEvent, ReceiveResult } from "../../rpc.ts";
import { alerts } from "../../schema/alerts.ts";
import { isActionable, readRequest } from "./request-refusal.ts";
import type { ActionableEvent } from "./stored-events.ts";

async function readAlerts(
  db: D1Database,
  { id, accountId }: IntegrationConfiguration,
  { thirdpartyId, ...event }: ActionableEvent,
  heldAt: number,
): Promise<KnownAlert[]> {
  const title = event.kind === "create" ? event.title : "";
  // Ids begin with their time; an event without an `Id` is looked for around its own.
  const isSame =
    thirdpartyId === null
      ? sql`${alerts.title} = ${title} and ${alerts.id} > ${newDatedId(heldAt - MINUTE)}`
      : eq(alerts.thirdpartyId, thirdpartyId);
  const { createdAt, resolvedAt } = alerts;
  const query = select(
    { createdAt, resolvedAt },
    sql`from ${alerts} where ${alerts.accountId} = ${accountId} and ${alerts.sourceId} = ${id}
      and ${isSame} order by ${alerts.id} desc limit 20`,
  );
  return all(db, query);
}

/** The `Id`s of a request of which something is lacking; null: it has all. */
async function lacks(
  db: D1Database,
  configuration: IntegrationConfiguration,
  { at, missed, request }: HeldEvent,
  followed: ReadonlySet<string | null>,
): Promise<readonly (string | null)[] | null> {
  const headers = new Headers(request.headers.map(([key, value]) => [key, value]));
  const read = readRequest(configuration, request, headers, at);
  // A call of a heartbeat says something of its moment, which is over.
  if (read.kind === "refused" || read.type === heartbeat) return null;
  const { options } = configuration;
  const events = interpretRequest(read.type, read.inbound, options, configuration).filter(
    isActionable,
  );
  // A note, or what the type ignores: it is logged.
  if (events.length === 0) return missed ? [] : null;
  for (const event of events) {
    const { thirdpartyId, kind } = event;
    const isFollowed = thirdpartyId !== null && followed.has(thirdpartyId);
    const isOne =
      isFollowed || isNeeded(kind === "create", at, await readAlerts(db, configuration, event, at));
    if (isOne) return events.map((it) => it.thirdpartyId);
  }
  return null;
}

/** Whether an event that was not received may be later. */
export const isRefusedForNow = (result: ReceiveResult): boolean =>
  isRefusal(result) && ["unavailable", "overloaded"].includes(result.reason);

/**
 * Settles events in order; returns the ids of those that the standby need not hold any more. What cannot be
 * received now is left to the next call, and all after it.
 *
 * @param followed the `Id`s of which something was received: what follows of them is needed, in order
 */
export async function settleHeld(
  db: D1Database,
  configuration: IntegrationConfiguration,
  held: readonly HeldEvent[],
  followed: Set<string | null>,
  receive: (request: ForwardedRequest) => Promise<ReceiveResult>,
): Promise<number[]> {
  const settled: number[] = [];
  for (const event of held) {
    const ids = await lacks(db, configuration, event, followed);
    if (ids !== null) {
      const result = await receive(event.request);
      if (isRefusedForNow(result)) break;
      for (const id of ids) followed.add(id);
    }
    settled.push(event.id);
  }
  return settled;
}
