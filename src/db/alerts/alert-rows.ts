// The projection of an alert's object to D1, guarded by the alert's version; and the alert's record
// from the object's snapshot, presented by the same attributes as its row.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { AnswerNamed } from "../../contract/answers.ts";
import { type Alert, incidentOf, type LogEntry, nextStepAt } from "../../domain/alerts/alert.ts";
import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import type { RawRow } from "../records/attributes.ts";
import { presentRecord } from "../records/records.ts";
import { alerts, alertWorkflows, logs, sublogs } from "../schema/alerts.ts";
import { alertRecords } from "./alert-records.ts";
import { deleteCommentsOn } from "./comment-rows.ts";

/** The id of the alert's timeline log is the alert's own id. */
const timelineIdOf = (alert: Alert) => alert.id;

function columnsOf(alert: Alert) {
  const incident = incidentOf(alert.meta);
  return {
    id: alert.id,
    prefix_id: prefixIdOf("alert", alert.id),
    account_id: alert.accountId,
    created_at: alert.createdAt,
    updated_at: alert.updatedAt,
    meta: JSON.stringify(alert.meta),
    version: alert.version,
    title: alert.title,
    description: alert.description,
    status: alert.status,
    urgency: alert.urgency,
    source_id: alert.source.id,
    source_type: alert.source.type,
    source_log_id: alert.source.logId,
    thirdparty_id: alert.thirdpartyId,
    dedup_keys: JSON.stringify(alert.dedupKeys),
    dedup_count: alert.dedupCount,
    aggregated_into_id: alert.aggregatedIntoId ?? null,
    tags: JSON.stringify(alert.tags),
    destination_team_ids: JSON.stringify(alert.teamIds),
    destination_router_ids: JSON.stringify(alert.routerIds),
    destination_account_user_ids: JSON.stringify(alert.accountUserIds),
    additional_data: JSON.stringify(alert.additionalData),
    incident: incident.incident ? 1 : 0,
    incident_severity: incident.incident_severity,
    incident_message: incident.incident_message,
    acknowledged_at: alert.acknowledgedAt,
    resolved_at: alert.resolvedAt,
    next_step_at: nextStepAt(alert),
  };
}

/** Builds an alert's record from its object's snapshot. */
export function presentAlert(alert: Alert): AnswerNamed<"Alert"> {
  const columns = columnsOf(alert);
  const row: RawRow = { ...columns, tag_list: columns.tags };
  return presentRecord(alertRecords, row);
}

/**
 * Inserts rows or updates those of an older version. Does nothing for a newer version, and after
 * the alert was deleted, which its remaining timeline log records.
 */
function upsert(alert: Alert, table: string, rows: readonly Record<string, unknown>[]): SQL {
  const names = Object.keys(rows[0] ?? {});
  const immutable = ["id", "prefix_id", "account_id", "created_at"];
  const changes = names
    .filter((name) => !immutable.includes(name))
    .map((name) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`);
  const columns = sql.join(
    names.map((name) => sql.identifier(name)),
    sql`, `,
  );
  const values = sql.join(
    names.map((name) => sql`value->>${`$.${name}`}`),
    sql`, `,
  );
  return sql`insert into ${sql.identifier(table)} (${columns})
    select ${values} from json_each(${JSON.stringify(rows)})
    where not exists (select 1 from ${logs} where id = ${timelineIdOf(alert)} and meta ->> 'deleted')
    on conflict (id) do update set ${sql.join(changes, sql`, `)}
    where excluded.version > ${sql.identifier(table)}.version`;
}

function workflowRows(alert: Alert): Record<string, unknown>[] {
  return alert.workflows.map((workflow) => ({
    id: workflow.id,
    prefix_id: prefixIdOf("alert_workflow", workflow.id),
    account_id: alert.accountId,
    created_at: workflow.createdAt,
    updated_at: workflow.updatedAt,
    meta: "{}",
    version: alert.version,
    alert_id: alert.id,
    destination_type: workflow.destination.type,
    destination_id: workflow.destination.id,
    state: workflow.state,
    layer: workflow.layer,
    pass: workflow.pass,
    account_user_ids: JSON.stringify(workflow.accountUserIds),
    next_step_at: workflow.nextStepAt,
  }));
}

function writeTimeline(alert: Alert, entries: readonly LogEntry[]): SQLWrapper[] {
  const id = timelineIdOf(alert);
  const steps = entries.map(({ sequence, at, level, message }) => ({
    sequence,
    at,
    level,
    message,
  }));
  const meta = JSON.stringify(alert.deletedAt === null ? {} : { deleted: true });
  return [
    sql`insert into ${logs} (id, prefix_id, account_id, created_at, updated_at, owner_type, owner_id, message,
        meta)
      values (${id}, ${prefixIdOf("log", id)}, ${alert.accountId}, ${alert.createdAt}, ${alert.updatedAt},
        'Alert', ${alert.id}, ${`Timeline of ${prefixIdOf("alert", alert.id)}`}, ${meta})
      on conflict (id) do update set updated_at = max(updated_at, excluded.updated_at),
        meta = iif(meta ->> 'deleted', meta, excluded.meta)`,
    sql`insert into ${sublogs} (account_id, log_id, sequence, time, level, message)
      select ${alert.accountId}, ${id}, value->>'sequence', value->>'at', value->>'level', value->>'message'
      from json_each(${JSON.stringify(steps)}) where true on conflict do nothing`,
  ];
}

/**
 * The statements that project an alert to D1: its row, its workflows, the new timeline entries.
 * Safe to repeat, late or out of order: an older version changes nothing.
 */
export function projectionOf(alert: Alert, entries: readonly LogEntry[]): SQLWrapper[] {
  if (alert.deletedAt !== null) {
    return [
      ...writeTimeline(alert, entries),
      sql`delete from ${alerts} where ${alerts.id} = ${alert.id}`,
      sql`delete from ${alertWorkflows} where ${alertWorkflows.accountId} = ${alert.accountId}
        and ${alertWorkflows.alertId} = ${alert.id}`,
      deleteCommentsOn(alert.accountId, sql`${alert.id}`),
    ];
  }
  const timeline = entries.length === 0 ? [] : writeTimeline(alert, entries);
  const workflows = workflowRows(alert);
  return [
    upsert(alert, "alerts", [columnsOf(alert)]),
    ...(workflows.length === 0 ? [] : [upsert(alert, "alert_workflows", workflows)]),
    ...timeline,
  ];
}
