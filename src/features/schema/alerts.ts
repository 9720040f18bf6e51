// The projection of the alert objects: alerts, workflows, logs, and notifications. Only an alert's
// object decides its state; `version` rejects outdated projections. No foreign keys to people or
// teams: history outlives them.
import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import {
  type AdditionalDatum,
  ALERT_STATUSES,
  ALERT_URGENCIES,
  INCIDENT_SEVERITIES,
} from "../../domain/alerts/alert.ts";
import { EXERCISES } from "../../domain/alerts/exercise.ts";
import type { StoredEntry, StoredState, StoredWorkflow } from "../../domain/alerts/stored-alert.ts";
import type { RecordKind } from "../../domain/shared/identifiers.ts";
import { common, flag, instant, stringList } from "../../kernel/db/columns.ts";
import { prefixIdFrom } from "../../kernel/db/prefix-id.ts";

/** The `prefix_id` of millions of rows is computed from their `id`. */
const prefixIdColumn = (kind: RecordKind) =>
  text("prefix_id").notNull().generatedAlwaysAs(prefixIdFrom(kind, sql`id`), { mode: "virtual" });

export const BUNDLES = ["burst", "digest"] as const;

const NOTIFICATION_STATUSES = ["queued", "sent", "delivered", "failed", "skipped"] as const;

/**
 * The notifications of an owner, after `from`. Without statistics SQLite prefers the primary key,
 * of which it knows the account alone, and reads all notifications of the account.
 */
export const notificationsByOwner = sql`notifications indexed by notifications_owner`;

/** The condition on notifications that are not about an alert; as an index of theirs has it. */
export const IS_NOTICE = sql`substr(event, 1, 6) <> 'alert.'`;

/**
 * One row per alert, with everything that its object knows: the object empties itself when the
 * alert has ended and finds the state here again. A row id table: rows are too long for an index
 * tree. `id` carries `created_at`, and its minute can be told from `prefix_id`.
 */
export const alerts = sqliteTable(
  "alerts",
  {
    ...common(),
    id: text("id").notNull(),
    prefixId: prefixIdColumn("alert"),
    version: integer("version").notNull(),
    title: text("title").notNull(),
    description: text("description"),
    status: text("status", { enum: ALERT_STATUSES }).notNull(),
    urgency: text("urgency", { enum: ALERT_URGENCIES }).notNull(),
    sourceId: text("source_id"),
    /** Who creates an alert otherwise than by a request to an integration is an account user. */
    sourceType: text("source_type").generatedAlwaysAs(
      sql`iif(source_log_id is null, 'AccountUser', 'Integration')`,
      { mode: "virtual" },
    ),
    sourceLogId: text("source_log_id"),
    thirdpartyId: text("thirdparty_id"),
    dedupKeys: stringList("dedup_keys"),
    dedupCount: integer("dedup_count").notNull().default(0),
    /** The alert that it was aggregated into by a router's `aggregate`. */
    aggregatedIntoId: text("aggregated_into_id"),
    tags: stringList("tags"),
    destinationTeamIds: stringList("destination_team_ids"),
    destinationRouterIds: stringList("destination_router_ids"),
    destinationAccountUserIds: stringList("destination_account_user_ids"),
    additionalData: text("additional_data", { mode: "json" })
      .$type<readonly AdditionalDatum[]>()
      .notNull()
      .default([]),
    incident: flag("incident").notNull().default(false),
    incidentSeverity: text("incident_severity", { enum: INCIDENT_SEVERITIES }),
    incidentMessage: text("incident_message"),
    acknowledgedAt: instant("acknowledged_at"),
    resolvedAt: instant("resolved_at"),
    snoozedUntil: instant("snoozed_until"),
    /** The alert that it was merged into. */
    mergedIntoId: text("merged_into_id"),
    /** When the object's next timer is due; the sweep checks it. */
    nextStepAt: instant("next_step_at"),
    /** As the view `alert_workflows` reads them. */
    workflows: text("workflows", { mode: "json" })
      .$type<readonly StoredWorkflow[]>()
      .notNull()
      .default([]),
    /** The latest entries, in order; earlier ones are in `alert_timelines`. */
    timeline: text("timeline", { mode: "json" })
      .$type<readonly StoredEntry[]>()
      .notNull()
      .default([]),
    /** The number of the first of these entries. */
    timelineFrom: integer("timeline_from").notNull().default(0),
    /** The rest of the state, without what has its initial value. */
    state: text("state", { mode: "json" }).$type<StoredState>().notNull().default({}),
  },
  (table) => [
    uniqueIndex("alerts_id").on(table.accountId, table.id),
    index("alerts_thirdparty").on(table.accountId, table.thirdpartyId, table.id),
    // What has ended is most of the table, and leaves this index at no price.
    index("alerts_unresolved")
      .on(table.accountId, table.status, table.id)
      .where(sql`status <> 'resolved'`),
  ],
);

/** The teams and people that an alert is, or was, for: lists of their alerts read these rows. */
export const alertDestinations = sqliteTable(
  "alert_destinations",
  {
    accountId: text("account_id").notNull(),
    destinationId: text("destination_id").notNull(),
    alertId: text("alert_id").notNull(),
    /** Whether the destination has, or had, a workflow. */
    escalated: flag("escalated").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.destinationId, table.alertId] }),
    index("alert_destinations_not_escalated")
      .on(table.accountId, table.destinationId)
      .where(sql`not escalated`),
  ],
);

/**
 * The test pages and fire drills of the last year: reports leave their alerts out, and they are
 * limited. WITHOUT ROWID.
 */
export const exercises = sqliteTable(
  "exercises",
  {
    accountId: text("account_id").notNull(),
    alertId: text("alert_id").notNull(),
    kind: text("kind", { enum: EXERCISES }).notNull(),
    /** Who started it: an account user. */
    startedById: text("started_by_id").notNull(),
    /** The team of a drill. */
    teamId: text("team_id"),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.alertId] })],
);

/** The earlier entries of long timelines, in chunks that never change. */
export const alertTimelines = sqliteTable(
  "alert_timelines",
  {
    accountId: text("account_id").notNull(),
    alertId: text("alert_id").notNull(),
    /** The number of the first entry. */
    firstSequence: integer("first_sequence").notNull(),
    entries: text("entries", { mode: "json" }).$type<readonly StoredEntry[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.alertId, table.firstSequence] })],
);

/** A line of a log: when (epoch ms), its level, its text, and the alert, if not the log's own. */
export type LogStep =
  | readonly [at: number, level: string, message: string]
  | readonly [at: number, level: string, message: string, alertId: string | null];

/** The outcomes of a request's events, null where one is pending; or the timeline of an alert. */
export type LogSteps = readonly (LogStep | null)[] | readonly StoredEntry[];

/** The table has no rowid: the primary key finds a log, and lists logs by time. */
export const logs = sqliteTable(
  "logs",
  {
    ...common(),
    id: text("id").notNull(),
    prefixId: prefixIdColumn("log"),
    level: text("level", { enum: ["debug", "info", "warn", "error"] })
      .notNull()
      .default("info"),
    /** `Integration` for an inbound request, `Alert` for an alert's timeline. */
    ownerType: text("owner_type").notNull(),
    ownerId: text("owner_id").notNull(),
    message: text("message").notNull(),
    /** The inbound request with secrets redacted; null if there is none. */
    request: text("request", { mode: "json" }).$type<Record<string, unknown>>(),
    /**
     * The outcomes of a request's events, by their position in the request; null where an event
     * is pending. Of a deleted alert, its timeline.
     */
    steps: text("steps", { mode: "json" }).$type<LogSteps>().notNull().default([]),
    /** The alert that the request created, was counted on, or answered. */
    alertId: text("alert_id"),
    /** Of a deleted alert: what its object must still know. */
    state: text("state", { mode: "json" }),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("logs_owner").on(table.accountId, table.ownerId, table.id),
  ],
);

export const notifications = sqliteTable(
  "notifications",
  {
    accountId: text("account_id").notNull(),
    accountUserId: text("account_user_id").notNull(),
    id: text("id").notNull(),
    /** The id of the alert, the broadcast or the request for cover; empty for other notices. */
    ownerId: text("owner_id").notNull().default(""),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    /** `effectId`, or what follows the owner's id in it: a colon and the rest. */
    effect: text("effect").notNull(),
    workflowId: text("workflow_id"),
    layer: integer("layer"),
    pass: integer("pass"),
    channel: text("channel").notNull(),
    to: text("to"),
    event: text("event").notNull(),
    status: text("status", { enum: NOTIFICATION_STATUSES }).notNull(),
    reason: text("reason"),
    providerId: text("provider_id"),
    attempts: integer("attempts").notNull().default(0),
    /** The stage of the person's notification plan; 0 is immediate. */
    stage: integer("stage").notNull().default(0),
    /** The alert's version when the page was decided; older workflow versions are ignored. */
    alertVersion: integer("alert_version"),
    /** Bundled with others into one message: rate limit (`burst`) or quiet hours (`digest`). */
    bundle: text("bundle", { enum: BUNDLES }),
    /** When the bundle is sent. */
    dueAt: instant("due_at"),
    /** End of the lease of the consumer that has claimed it. */
    claimedUntil: instant("claimed_until"),
    sentAt: instant("sent_at"),
    deliveredAt: instant("delivered_at"),
    failedAt: instant("failed_at"),
    /** When a message that stays open at the provider was ended there: somebody has answered. */
    closedAt: instant("closed_at"),
    alertId: text("alert_id").generatedAlwaysAs(
      sql`case when substr(event, 1, 6) = 'alert.' then owner_id end`,
      { mode: "virtual" },
    ),
    broadcastId: text("broadcast_id").generatedAlwaysAs(
      sql`case when event = 'broadcast.sent' then owner_id end`,
      { mode: "virtual" },
    ),
    /** The effect of this notification: one page to one person, shared by its channels. */
    effectId: text("effect_id")
      .notNull()
      .generatedAlwaysAs(sql`iif(substr(effect, 1, 1) = ':', owner_id, '') || effect`, {
        mode: "virtual",
      }),
  },
  (table) => [
    // In a table WITHOUT ROWID: a page costs this key and the index below it.
    primaryKey({ columns: [table.accountId, table.accountUserId, table.id] }),
    index("notifications_owner").on(table.accountId, table.ownerId),
    // Only unusual rows enter these: bundled ones, and those that retention finds by no alert.
    index("notifications_due")
      .on(table.accountId, table.accountUserId, table.channel, table.bundle, table.dueAt)
      .where(sql`due_at is not null`),
    index("notifications_bundled")
      .on(table.accountId, table.accountUserId, table.providerId)
      .where(sql`due_at is not null and provider_id is not null`),
    index("notifications_notice").on(table.id).where(IS_NOTICE),
  ],
);
