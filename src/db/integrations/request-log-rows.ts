// Writes the logs of inbound requests in batches. Safe to repeat: each log is written once.
import { type SQL, sql } from "drizzle-orm";
import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import { alerts, logs, sublogs } from "../schema/alerts.ts";
import { integrations } from "../schema/integrations.ts";
import { select } from "../shared/select.ts";

export type RequestLog = {
  readonly logId: string;
  readonly position: number;
  readonly acceptedAt: number;
  readonly settledAt: number;
  /** JSON; set only for a request's first event. */
  readonly request: string | null;
  readonly level: string;
  readonly outcome: string;
};

/** The statements that write the logs of one integration's requests. */
export function writeRequestLogs(
  accountId: string,
  integrationId: string,
  entries: readonly RequestLog[],
): SQL[] {
  const heads = entries
    .filter((entry) => entry.position === 0)
    .map(({ logId, acceptedAt, settledAt, request, level, outcome }) => ({
      id: logId,
      prefix: prefixIdOf("log", logId),
      acceptedAt,
      settledAt,
      request: request ?? "{}",
      level,
      outcome,
    }));
  const steps = entries.map(({ logId, position, settledAt, level, outcome }) => ({
    id: logId,
    position,
    settledAt,
    level,
    outcome,
  }));
  return [
    sql`insert into ${logs} (id, prefix_id, account_id, created_at, updated_at, owner_type, owner_id,
        level, message, request)
      select value->>'id', value->>'prefix', ${accountId}, value->>'acceptedAt', value->>'settledAt',
        'Integration', ${integrationId}, value->>'level', value->>'outcome', value->>'request'
      from json_each(${JSON.stringify(heads)}) where true on conflict do nothing`,
    sql`insert into ${sublogs} (account_id, log_id, sequence, time, level, message)
      select ${accountId}, value->>'id', value->>'position', value->>'settledAt', value->>'level',
        value->>'outcome'
      from json_each(${JSON.stringify(steps)}) where true on conflict do nothing`,
  ];
}

/** Selects the result of an integration's request. */
export const selectRequestOutcome = (integrationId: string, logId: string) =>
  select(
    { message: logs.message },
    sql`from ${logs} where ${logs.id} = ${logId} and ${logs.ownerId} = ${integrationId}`,
  );

/** Selects the alert named in the log of an integration's request. */
export const selectAlertOfRequest = (integrationId: string, logId: string) =>
  select(
    { id: alerts.id },
    sql`from ${logs}
      join ${alerts} on ${alerts.accountId} = ${logs.accountId} and ${alerts.prefixId} = ${namedAlert}
      where ${logs.id} = ${logId} and ${logs.ownerId} = ${integrationId}`,
  );

/** Our own texts before an alert's name. Other messages quote senders, who may write any name. */
const BEFORE_A_NAME = [
  ...["Created alert ", "Counted on alert ", "Noted on alert ", "Acknowledged alert "],
  ...["Resolved alert ", "Could not acknowledge alert ", "Could not resolve alert "],
];

const nameAt = sql`instr(${logs.message}, 'alt_')`;
const words = sql.raw(BEFORE_A_NAME.map((text) => `'${text}'`).join(", "));

/** The `prefix_id` of the alert named in a log's message, as SQL; null if none. */
export const namedAlert = sql`(case when substr(${logs.message}, 1, ${nameAt} - 1) in (${words})
  then substr(${logs.message}, ${nameAt}, 18) end)`;

/** Finds the `prefix_id` of the alert named in a log's message; null if none. */
export function alertNamedIn(message: string): string | null {
  const before = BEFORE_A_NAME.find((text) => message.startsWith(text));
  if (before === undefined) return null;
  return /^alt_[A-Za-z0-9_-]{14}/.exec(message.slice(before.length))?.[0] ?? null;
}

/** Records that an integration's inbox exists: from then on it gets the configuration. */
export function markReceived(integrationId: string, now: number): SQL {
  return sql`update ${integrations} set received_at = ${now}
    where id = ${integrationId} and received_at is null`;
}
