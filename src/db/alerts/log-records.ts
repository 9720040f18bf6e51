// Logs: what a record shows (contract 2, Logs). Only admins see the raw request, and only they can
// filter by it.
import { sql } from "drizzle-orm";
import type { LogDetails, Sublog } from "../../contract/alerts/log.ts";
import type { MemberActor } from "../../domain/access/actor.ts";
import { formatInstant } from "../../domain/shared/time.ts";
import { commonAttributes, nestedAs, reference, string } from "../records/attributes.ts";
import type { Records } from "../records/records.ts";
import { alerts, logs, sublogs } from "../schema/alerts.ts";
import { integrations } from "../schema/integrations.ts";

type Details = {
  readonly message: string;
  readonly request?: Readonly<Record<string, unknown>>;
  readonly sublogs: readonly (Omit<Sublog, "time"> & { readonly time: number })[];
};

/** The timeline of an alert has no request. */
const showDetails = ({ message, request, sublogs: steps }: Details): LogDetails => {
  return {
    message,
    ...(request && Object.keys(request).length > 0 && { request }),
    sublogs: steps.map((step) => ({ ...step, time: formatInstant(step.time) })),
  };
};

const stepsOfLog = sql`(select json_group_array(json_object('time', time, 'level', level,
    'message', message) order by sequence)
  from ${sublogs} where ${sublogs.accountId} = ${logs.accountId} and ${sublogs.logId} = ${logs.id})`;

const detailsForEveryone = sql<Details>`json_object('message', ${logs.message}, 'sublogs', ${stepsOfLog})`;
const detailsForAdmins = sql<Details>`json_object('message', ${logs.message},
  'request', json(${logs.request}), 'sublogs', ${stepsOfLog})`;

/** The records of logs, limited to what the reader may see. */
export function logRecords({
  actor,
}: {
  readonly actor: Pick<MemberActor, "roles">;
}): Records<"Log"> {
  return {
    kind: "log",
    shows: "Log",
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
      details: nestedAs(actor.roles.admin ? detailsForAdmins : detailsForEveryone, showDetails),
    },
    search: [logs.message],
    total: "logs",
  };
}
