// Logs: what came in and what became of it, and the story of each alert (contract 2, Logs). The raw request is for
// admins only, in answers and in filters alike.
import { sql } from "drizzle-orm";
import { commonAttributes, nested, reference, string } from "../db/attributes.ts";
import type { Records } from "../db/records.ts";
import { alerts, logs, sublogs } from "../db/schema/alerts.ts";
import { integrations } from "../db/schema/integrations.ts";
import * as shape from "../db/shape.ts";
import { formatInstant } from "../domain/time.ts";
import { readRoutes } from "../http/records.ts";
import type { Asker, Route } from "../http/route.ts";

// ── Shape ──

const LOG_LEVELS = ["debug", "info", "warn", "error"];

type Details = {
  readonly message: string;
  readonly request?: Readonly<Record<string, unknown>>;
  readonly sublogs: readonly { readonly time: number; readonly level: string; message: string }[];
};

const detailsShape = shape.object(
  "LogDetails",
  {
    message: shape.text,
    request: shape.hash,
    sublogs: shape.listOf(
      shape.object("Sublog", {
        time: shape.instant,
        level: shape.oneOf(LOG_LEVELS),
        message: shape.text,
      }),
    ),
  },
  ["request"],
);

/** An alert's story has no request; it shows none. */
const showDetails = (value: unknown) => {
  const { message, request, sublogs: steps } = value as Details;
  return {
    message,
    ...(request && Object.keys(request).length > 0 && { request }),
    sublogs: steps.map((step) => ({ ...step, time: formatInstant(step.time) })),
  };
};

// ── Rows ──

const stepsOfLog = sql`(select json_group_array(json_object('time', time, 'level', level,
    'message', message) order by sequence)
  from ${sublogs} where ${sublogs.accountId} = ${logs.accountId} and ${sublogs.logId} = ${logs.id})`;

const detailsForEveryone = sql`json_object('message', ${logs.message}, 'sublogs', ${stepsOfLog})`;
const detailsForAdmins = sql`json_object('message', ${logs.message},
  'request', json(${logs.request}), 'sublogs', ${stepsOfLog})`;

/** Logs as the caller may see them. */
function logRecords({ actor }: Asker): Records {
  return {
    kind: "log",
    from: logs,
    accountId: logs.accountId,
    id: logs.id,
    prefixId: logs.prefixId,
    attributes: {
      ...commonAttributes(logs),
      format: string(logs.format),
      level: string(logs.level),
      owner_type: string(logs.ownerType),
      owner_id: reference(logs.ownerId, logs.accountId, integrations, alerts),
      details: nested(
        actor.roles.admin ? detailsForAdmins : detailsForEveryone,
        detailsShape,
        showDetails,
      ),
    },
    search: [logs.message],
    total: "logs",
  };
}

// ── Routes ──

export const logRoutes: readonly Route[] = readRoutes("/logs", "Log", logRecords);
