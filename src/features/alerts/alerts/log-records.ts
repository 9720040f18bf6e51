// Logs: what a record shows (contract 2, Logs). Only admins see the raw request, and only they can
// filter by it.
import { sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { commonAttributes, nestedAs, reference, string } from "../../../kernel/db/attributes.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { alerts, type LogSteps, logs } from "../../schema/alerts.ts";
import { integrations } from "../../schema/integrations.ts";
import { logEntries } from "../../schema/views/log-entries.ts";
import type { LogDetails, Sublog } from "./contract.ts";

type Details = {
  readonly owner: string;
  /** When the owner was created (epoch ms): times of a timeline count from there. */
  readonly from: number;
  readonly message: string;
  readonly request?: Readonly<Record<string, unknown>> | null;
  readonly steps: LogSteps;
  /** The alert of a request's log. */
  readonly alert?: string | null;
};

/** The lines of a timeline, or of a request's log, where an event may be pending. */
const linesOf = ({ owner, from, steps, alert }: Details): readonly Sublog[] =>
  steps.flatMap((step) => {
    if (step === null) return [];
    const [at, one, other = "info"] = step;
    const isTimeline = owner === "Alert";
    const [message, level] = isTimeline ? [one, other] : [other, one];
    const time = formatInstant(isTimeline ? from + at : at);
    const line = { time, level: level as Sublog["level"], message };
    if (isTimeline) return [line];
    const alertId = step.length > 3 ? step[3] : alert;
    return [typeof alertId === "string" ? { ...line, alert_id: alertId } : line];
  });

/** The timeline of an alert has no request. */
const showDetails = (details: Details): LogDetails => ({
  message: details.message,
  ...(details.request && Object.keys(details.request).length > 0 && { request: details.request }),
  sublogs: [...linesOf(details)],
});

const detailsForEveryone = sql<Details>`json_object('owner', ${logEntries.ownerType}, 'from', ${logEntries.createdAt},
  'message', ${logEntries.message}, 'steps', json(${logEntries.steps}), 'alert', ${logEntries.alertId})`;
const detailsForAdmins = sql<Details>`json_object('owner', ${logEntries.ownerType}, 'from', ${logEntries.createdAt},
  'message', ${logEntries.message}, 'request', json(${logEntries.request}), 'steps', json(${logEntries.steps}),
  'alert', ${logEntries.alertId})`;

/** The records of logs, limited to what the reader may see. */
export function logRecords({
  actor,
}: {
  readonly actor: Pick<MemberActor, "roles">;
}): Records<"Log"> {
  return {
    kind: "log",
    shows: "Log",
    from: logEntries,
    accountId: logEntries.accountId,
    id: logEntries.id,
    prefixId: logEntries.prefixId,
    attributes: {
      ...commonAttributes(logEntries),
      format: string(sql<string>`'json'`),
      level: string(logEntries.level),
      owner_type: string(logEntries.ownerType),
      owner_id: reference(logEntries.ownerId, logEntries.accountId, integrations, alerts),
      details: nestedAs(actor.roles.admin ? detailsForAdmins : detailsForEveryone, showDetails),
    },
    search: [logEntries.message],
    total: [logs, alerts],
    datedById: true,
  };
}
