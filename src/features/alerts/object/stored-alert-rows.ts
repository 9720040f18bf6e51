// Reads an alert's state back from D1, for its object, which empties itself once the alert has
// ended.
import { type SQL, sql } from "drizzle-orm";
import type { Alert } from "../../../domain/alerts/alert.ts";
import {
  restoreAlert,
  restoreTimeline,
  restoreWorkflow,
} from "../../../domain/alerts/stored-alert.ts";
import { type Identifier, prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { identified } from "../../../kernel/db/identified.ts";
import { mapped, parsed, type RowOf, type Select, select } from "../../../kernel/db/select.ts";
import { alerts, logs } from "../../schema/alerts.ts";
import { integrations } from "../../schema/integrations.ts";
import { alertMeta } from "../alerts/alert-meta.ts";
import type { AlertSnapshot } from "../alerts/alert-rows.ts";
import type { BuriedState } from "../alerts/deleted-alert-rows.ts";

/** A stored alert, with the request that created it as JSON, if its log is still there. */
export type StoredAlert = AlertSnapshot & { readonly request: string | null };

const columns = {
  id: alerts.id,
  accountId: alerts.accountId,
  version: alerts.version,
  title: alerts.title,
  description: alerts.description,
  status: alerts.status,
  nextStepAt: alerts.nextStepAt,
  urgency: alerts.urgency,
  tags: alerts.tags,
  meta: parsed<Alert["meta"]>(alertMeta),
  additionalData: alerts.additionalData,
  sourceId: sql<string>`${alerts.sourceId}`,
  sourceType: sql<Alert["source"]["type"]>`${alerts.sourceType}`,
  sourceLogId: alerts.sourceLogId,
  thirdpartyId: alerts.thirdpartyId,
  dedupKeys: alerts.dedupKeys,
  dedupCount: alerts.dedupCount,
  aggregatedIntoId: alerts.aggregatedIntoId,
  teamIds: alerts.destinationTeamIds,
  routerIds: alerts.destinationRouterIds,
  accountUserIds: alerts.destinationAccountUserIds,
  acknowledgedAt: alerts.acknowledgedAt,
  resolvedAt: alerts.resolvedAt,
  snoozedUntil: alerts.snoozedUntil,
  mergedIntoId: alerts.mergedIntoId,
  createdAt: alerts.createdAt,
  updatedAt: alerts.updatedAt,
  workflows: alerts.workflows,
  timeline: alerts.timeline,
  timelineFrom: alerts.timelineFrom,
  state: alerts.state,
  integrationType: sql<string | null>`(select ${integrations.integrationType} from ${integrations}
    where ${integrations.id} = ${alerts.sourceId})`,
  request: sql<string | null>`(select ${logs.request} from ${logs}
    where ${logs.accountId} = ${alerts.accountId} and ${logs.id} = ${alerts.sourceLogId})`,
};

function toStoredAlert(row: RowOf<typeof columns>): StoredAlert {
  const { sourceId, sourceType, sourceLogId, integrationType, ...others } = row;
  const { aggregatedIntoId, snoozedUntil, mergedIntoId, request, ...rest } = others;
  const { workflows, timeline, timelineFrom, state, ...plain } = rest;
  const alert = restoreAlert(
    {
      ...plain,
      ...(aggregatedIntoId === null ? {} : { aggregatedIntoId }),
      ...(snoozedUntil === null ? {} : { snoozedUntil }),
      ...(mergedIntoId === null ? {} : { mergedIntoId }),
      source: {
        ...{ id: sourceId, type: sourceType, logId: sourceLogId },
        ...(integrationType === null ? {} : { integrationType }),
      },
      workflows: workflows.map((it) => restoreWorkflow(it, plain.createdAt)),
      logCount: timelineFrom + timeline.length,
    },
    state,
    timelineFrom === 0 ? (timeline[0]?.[1] ?? null) : null,
  );
  return {
    alert,
    timeline: restoreTimeline(timeline, plain.createdAt, timelineFrom),
    request,
  };
}

const named = (table: typeof alerts | typeof logs, accountId: string, name: Identifier): SQL =>
  sql`${table.accountId} = ${accountId} and ${identified(table, name)}`;

/** Selects the stored state of an alert: one row or none. */
export const selectStoredAlert = (accountId: string, name: Identifier): Select<StoredAlert> =>
  mapped(
    select(columns, sql`from ${alerts} where ${named(alerts, accountId, name)}`),
    toStoredAlert,
  );

const buriedColumns = {
  id: logs.id,
  accountId: logs.accountId,
  createdAt: logs.createdAt,
  updatedAt: logs.updatedAt,
  state: parsed<BuriedState>(sql`${logs.state}`),
};

/** Selects what remains of a deleted alert: enough to recognize events that it has counted. */
export const selectBuriedAlert = (
  accountId: string,
  { form, value }: Identifier,
): Select<StoredAlert> => {
  // The log has the alert's id.
  const log = { form, value: form === "id" ? value : value.replace(/^.{3}/, "log") };
  const rows = sql`from ${logs} where ${named(logs, accountId, log)}
    and ${logs.state} is not null`;
  return mapped(select(buriedColumns, rows), toBuriedAlert);
};

function toBuriedAlert({ state, ...dates }: RowOf<typeof buriedColumns>): StoredAlert {
  const { sourceId, sourceType, thirdpartyId, version, ...rest } = state;
  const alert = restoreAlert(
    {
      ...dates,
      version,
      thirdpartyId,
      title: `Deleted alert ${prefixIdOf("alert", dates.id)}`,
      description: null,
      status: "resolved",
      urgency: "silent",
      tags: [],
      meta: {},
      additionalData: [],
      source: { id: sourceId, type: sourceType, logId: null },
      dedupKeys: [],
      dedupCount: 0,
      teamIds: [],
      routerIds: [],
      accountUserIds: [],
      workflows: [],
      acknowledgedAt: null,
      resolvedAt: null,
      logCount: 0,
    },
    rest,
    null,
  );
  return { alert, timeline: [], request: null };
}
