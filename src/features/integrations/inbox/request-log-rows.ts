// Writes the logs of inbound requests in batches. Safe to repeat: each step is written once.
import { type SQL, sql } from "drizzle-orm";
import type { AlertReference } from "../../../domain/integrations/opsgenie-identifiers.ts";

import { foldTotal } from "../../../kernel/db/folded-totals.ts";
import { select } from "../../../kernel/db/select.ts";
import { alerts, type LogStep, logs } from "../../schema/alerts.ts";
import { integrations } from "../../schema/integrations.ts";

/** The outcome of one event of a request. */
export type RequestLog = {
  readonly logId: string;
  /** The event's position in the request. */
  readonly position: number;
  readonly acceptedAt: number;
  readonly settledAt: number;
  /** JSON; the same for all events of a request, null where it is already in D1. */
  readonly request: string | null;
  readonly level: string;
  readonly outcome: string;
  readonly alertId: string | null;
};

/** The row of a request: the steps known so far, null where an event is pending. */
function rowOf(events: readonly RequestLog[]) {
  const sorted = events.toSorted((one, other) => one.position - other.position);
  const [first, last] = [sorted[0] as RequestLog, sorted.at(-1) as RequestLog];
  const steps: (LogStep | null)[] = Array.from({ length: last.position + 1 }, () => null);
  for (const { position, settledAt, level, outcome, alertId } of sorted) {
    // The log's alert is that of its first event. Another event's is named, also if it has none.
    const isOwn = position === 0 && alertId !== null;
    steps[position] = isOwn ? [settledAt, level, outcome] : [settledAt, level, outcome, alertId];
  }
  return {
    id: first.logId,
    acceptedAt: first.acceptedAt,
    settledAt: Math.max(...sorted.map((event) => event.settledAt)),
    level: first.level,
    outcome: first.outcome,
    request: first.request ?? "{}",
    alertId: first.alertId,
    steps,
  };
}

/** The steps of the stored log and of the new row together; the stored ones stay. */
const mergedSteps = sql`(select json_group_array(json(coalesce(was.value, added.value)) order by slot)
  from (select key as slot from json_each(logs.steps) union select key from json_each(excluded.steps))
    left join json_each(logs.steps) as was on was.key = slot
    left join json_each(excluded.steps) as added on added.key = slot)`;

/** Whether the new row has the outcome of an earlier event than any in the stored log. */
const isEarlier = sql`(
  (select min(key) from json_each(excluded.steps) where value is not null)
  < (select min(key) from json_each(logs.steps) where value is not null))`;

/** The statements that write the logs of one integration's requests. `now` in epoch ms. */
export function writeRequestLogs(
  accountId: string,
  integrationId: string,
  events: readonly RequestLog[],
  now: number,
): SQL[] {
  const rows = [...Map.groupBy(events, (event) => event.logId).values()].map(rowOf);
  return [
    sql`insert into ${logs} (id, account_id, created_at, updated_at, owner_type, owner_id,
        level, message, request, alert_id, steps)
      select value->>'id', ${accountId}, value->>'acceptedAt', value->>'settledAt',
        'Integration', ${integrationId}, value->>'level', value->>'outcome', value->>'request',
        value->>'alertId', value->'steps'
      from json_each(${JSON.stringify(rows)}) where true
      on conflict (account_id, id) do update set
        updated_at = max(logs.updated_at, excluded.updated_at),
        level = iif(${isEarlier}, excluded.level, logs.level),
        message = iif(${isEarlier}, excluded.message, logs.message),
        alert_id = coalesce(iif(${isEarlier}, excluded.alert_id, null), logs.alert_id),
        steps = ${mergedSteps}`,
    foldTotal(logs, accountId, now),
  ];
}

/** Selects the alert that a reference names, among those of an integration. */
export function selectReferenced(
  accountId: string,
  integrationId: string,
  reference: AlertReference,
) {
  const columns = { id: alerts.id, thirdpartyId: alerts.thirdpartyId };
  const own = sql`${alerts.accountId} = ${accountId} and ${alerts.sourceId} = ${integrationId}`;
  switch (reference.by) {
    case "request":
      return select(
        columns,
        sql`from ${logs} join ${alerts} on ${alerts.accountId} = ${logs.accountId}
            and ${alerts.id} = ${logs.alertId}
          where ${logs.accountId} = ${accountId} and ${logs.id} = ${reference.logId}
            and ${logs.ownerId} = ${integrationId}`,
      );
    case "alert":
      return select(columns, sql`from ${alerts} where ${own} and ${alerts.id} = ${reference.id}`);
    case "tiny":
      return select(
        columns,
        sql`from ${alerts} where ${own} and ${alerts.id} >= ${reference.prefix}
          and ${alerts.id} <= ${reference.prefix.padEnd(26, "Z")}
          order by ${alerts.id} desc limit 1`,
      );
  }
}

/** Selects the newest alert of an `Id` of an integration. */
export const selectNewest = (accountId: string, integrationId: string, thirdpartyId: string) =>
  select(
    { id: alerts.id },
    sql`from ${alerts} where ${alerts.accountId} = ${accountId}
      and ${alerts.thirdpartyId} = ${thirdpartyId} and ${alerts.sourceId} = ${integrationId}
      order by ${alerts.id} desc limit 1`,
  );

/** Records that an integration has received something: audits ask its inbox. */
export function markReceived(integrationId: string, now: number): SQL {
  return sql`update ${integrations} set received_at = ${now}
    where id = ${integrationId} and received_at is null`;
}

/** Records that an event arrived which the integration's type did not understand. */
export function markNotUnderstood(integrationId: string, at: number): SQL {
  return sql`update ${integrations} set not_understood_at = ${at}
    where id = ${integrationId} and ${at} > coalesce(not_understood_at, 0)`;
}
