// The projection of an alert's object to D1, guarded by the alert's version; the alert's record
// from the object's snapshot; and the object's state, read back from the row.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type Alert, incidentOf, type LogEntry, nextStepAt } from "../../../domain/alerts/alert.ts";
import { memberNames } from "../../../domain/alerts/members.ts";
import { storeState, storeTimeline, storeWorkflow } from "../../../domain/alerts/stored-alert.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import type { RawRow } from "../../../kernel/db/attributes.ts";
import { foldTotal } from "../../../kernel/db/folded-totals.ts";
import { presentRecord } from "../../../kernel/db/records.ts";
import type { AnswerNamed } from "../../answers.ts";
import { alertDestinations, alerts, alertTimelines } from "../../schema/alerts.ts";
import { storedMeta } from "./alert-meta.ts";
import { alertRecords } from "./alert-records.ts";
import { buryAlert, isBuried } from "./deleted-alert-rows.ts";
import { foldDestinations } from "./destination-totals.ts";
import { notePageAnswered } from "./setup-progress.ts";

/** Entries of a timeline in a chunk of their own. A row has at most twice as many. */
const CHUNK_LENGTH = 100;

/** What an alert's object knows: its state and the latest entries of its timeline. */
export type AlertSnapshot = {
  readonly alert: Alert;
  /** In order, without a gap, up to the last one. */
  readonly timeline: readonly LogEntry[];
};

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
    snoozed_until: alert.snoozedUntil ?? null,
    merged_into_id: alert.mergedIntoId ?? null,
    next_step_at: nextStepAt(alert),
  };
}

const storedWorkflowsOf = ({ workflows, createdAt }: Alert, isResolved: boolean): string =>
  JSON.stringify(workflows.map((it) => storeWorkflow(it, createdAt, isResolved)));

/**
 * The same as they are stored, with the rest of the state: what most alerts have is left out, and so is what is
 * computed.
 */
function storedColumnsOf({ alert, timeline }: AlertSnapshot) {
  const { prefix_id: _, source_type: __, meta, ...columns } = columnsOf(alert);
  const isWhole = timeline.length === alert.logCount;
  return {
    ...columns,
    meta: storedMeta(meta),
    workflows: storedWorkflowsOf(alert, alert.status === "resolved"),
    state: JSON.stringify(storeState(alert, isWhole ? (timeline[0]?.message ?? null) : null)),
  };
}

/** Builds an alert's record from its object's snapshot. */
export function presentAlert(alert: Alert): AnswerNamed<"Alert"> {
  const columns = columnsOf(alert);
  const { latest = {}, exercise = null } = alert;
  const row: RawRow = {
    ...columns,
    tag_list: columns.tags,
    exercise,
    members: JSON.stringify(memberNames(alert)),
    latest_title: latest.title ?? null,
    latest_description: latest.description ?? null,
    latest_link: latest.link ?? null,
  };
  return presentRecord(alertRecords, row);
}

/** Splits a long timeline: the chunks that are complete, and the rest for the alert's own row. */
export function splitTimeline(timeline: readonly LogEntry[]): {
  readonly chunks: readonly (readonly LogEntry[])[];
  readonly rest: readonly LogEntry[];
} {
  const full = Math.floor(timeline.length / CHUNK_LENGTH);
  const count = full < 2 ? 0 : full - 1;
  const chunkAt = (i: number) => timeline.slice(i * CHUNK_LENGTH, (i + 1) * CHUNK_LENGTH);
  return {
    chunks: Array.from({ length: count }, (_, i) => chunkAt(i)),
    rest: timeline.slice(count * CHUNK_LENGTH),
  };
}

const IMMUTABLE = ["id", "account_id", "created_at", "thirdparty_id"];

/**
 * Inserts the row, or updates one of an older version; does nothing for a newer version or a
 * deleted alert. Two statements, since setting an indexed column is billed even if its value stays
 * the same: the first leaves the status alone and changes nothing where it differs.
 */
function upsert(alert: Alert, columns: Record<string, unknown>): (SQL | null)[] {
  written ??= textsOf(Object.keys(columns));
  const { names, values, excluded, updated } = written;
  const row = sql`json_each(${JSON.stringify([columns])})`;
  return [
    sql`insert into ${alerts} (${names})
      select ${values} from ${row} where not ${isBuried(alert)}
      on conflict (account_id, id) do update set ${excluded}
        where excluded.version > alerts.version and excluded.status = alerts.status`,
    // Nothing is older than the first version.
    alert.version === 1
      ? null
      : sql`update ${alerts} set ${updated}
      from ${row} where ${alerts.accountId} = ${alert.accountId} and ${alerts.id} = ${alert.id}
        and ${alerts.version} < ${alert.version}`,
  ];
}

/** The parts of those statements that list columns: they are the same for every alert. */
let written: ReturnType<typeof textsOf> | null = null;

function textsOf(names: readonly string[]) {
  const mutable = names.filter((name) => !IMMUTABLE.includes(name));
  const listed = (items: readonly string[], textOf: (name: string) => string) =>
    sql.raw(items.map(textOf).join(", "));
  return {
    names: listed(names, (name) => `"${name}"`),
    values: listed(names, (name) => `value->>'$.${name}'`),
    excluded: listed(
      mutable.filter((name) => name !== "status"),
      (name) => `"${name}" = excluded."${name}"`,
    ),
    updated: listed(mutable, (name) => `"${name}" = value->>'$.${name}'`),
  };
}

/** The teams and people that the alert is, or was, for. */
const destinationIdsOf = ({ workflows, teamIds, accountUserIds }: Alert): string[] => [
  ...new Set([...workflows.map((it) => it.destination.id), ...teamIds, ...accountUserIds]),
];

/** Adds the teams and people that the alert is for. A row that exists costs nothing. */
function insertDestinations(alert: Alert): SQL | null {
  const escalated = new Set(alert.workflows.map((it) => it.destination.id));
  const rows = destinationIdsOf(alert).map((id) => [id, escalated.has(id) ? 1 : 0]);
  if (rows.length === 0) return null;
  return sql`insert into ${alertDestinations} (account_id, destination_id, alert_id, escalated)
    select ${alert.accountId}, value->>0, ${alert.id}, value->>1 from json_each(${JSON.stringify(rows)})
      where not ${isBuried(alert)}
    on conflict do update set escalated = 1 where excluded.escalated > alert_destinations.escalated`;
}

function insertChunks(alert: Alert, chunks: readonly (readonly LogEntry[])[]): SQL | null {
  if (chunks.length === 0) return null;
  const rows = chunks.map((entries) => [
    entries[0]?.sequence,
    storeTimeline(entries, alert.createdAt),
  ]);
  return sql`insert into ${alertTimelines} (account_id, alert_id, first_sequence, entries)
    select ${alert.accountId}, ${alert.id}, value->>0, value->1 from json_each(${JSON.stringify(rows)})
      where not ${isBuried(alert)} on conflict do nothing`;
}

/** Whether the totals are folded with this alert: with one in eight, since it reads rows. */
const isFoldedWith = ({ id }: Alert) => id.charAt(10) < "4";

/** What an acknowledgement adds to the timeline and the state, and a resolution to the timeline, without the destination. */
const GROWTH = { acknowledged: 78, resolved: 38 } as const;
/** The length of a row that has no page of its own: 1,002 bytes, with what describes its columns. */
const LONGEST = 950;

/**
 * The spaces after the timeline of an alert that is not over: a row that grows splits its page, which
 * stays half empty for as long as its alerts are kept. No more than an answer needs: five rows of most
 * alerts fill a page.
 */
function spacesFor(alert: Alert, stored: ReturnType<typeof storedColumnsOf>, timeline: string) {
  const { status, workflows } = alert;
  if (status === "resolved") return "";
  const lengths = Object.values(stored).map((value) => (value === null ? 0 : String(value).length));
  const whole = lengths.reduce((sum, length) => sum + length, timeline.length);
  const names = workflows.reduce((sum, it) => sum + it.destinationName.length, 0);
  const acknowledged = status === "acknowledged" ? whole : whole + GROWTH.acknowledged + names;
  // Of a resolved alert, nobody is left to be told.
  const told = stored.workflows.length - storedWorkflowsOf(alert, true).length;
  const most = acknowledged + Math.max(0, GROWTH.resolved - told);
  return " ".repeat(Math.max(0, Math.min(most, LONGEST) - whole));
}

/**
 * The statements that project an alert to D1: its row with workflows and timeline, its
 * destinations, and what it shows of the account's setup. Safe to repeat, late or out of order: an
 * older version changes nothing.
 */
export function projectionOf({ alert, timeline }: AlertSnapshot): SQLWrapper[] {
  const { chunks, rest } = splitTimeline(timeline);
  const stored = storedColumnsOf({ alert, timeline });
  const entries = JSON.stringify(storeTimeline(rest, alert.createdAt));
  const columns = {
    ...stored,
    timeline: `${entries}${spacesFor(alert, stored, entries)}`,
    timeline_from: alert.logCount - rest.length,
  };
  const folds = alert.version === 1 && isFoldedWith(alert);
  const statements = [
    ...upsert(alert, columns),
    insertDestinations(alert),
    insertChunks(alert, chunks),
    notePageAnswered(alert),
    folds ? foldTotal(alerts, alert.accountId, alert.createdAt) : null,
    folds ? foldDestinations(alert.accountId, destinationIdsOf(alert), alert.createdAt) : null,
    ...(alert.deletedAt === null ? [] : buryAlert(alert, destinationIdsOf(alert))),
  ];
  return statements.filter((it) => it !== null);
}
