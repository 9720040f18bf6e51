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
  WORKFLOW_STATES,
} from "../../domain/alerts/alert.ts";
import { common, flag, hash, instant, stringList } from "./columns.ts";

export const BUNDLES = ["burst", "digest"] as const;

const NOTIFICATION_STATUSES = ["queued", "sent", "delivered", "failed", "skipped"] as const;

export const alerts = sqliteTable(
  "alerts",
  {
    ...common(),
    version: integer("version").notNull(),
    title: text("title").notNull(),
    description: text("description"),
    status: text("status", { enum: ALERT_STATUSES }).notNull(),
    urgency: text("urgency", { enum: ALERT_URGENCIES }).notNull(),
    sourceId: text("source_id"),
    sourceType: text("source_type"),
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
    /** When the object's next timer is due; the sweep checks it. */
    nextStepAt: instant("next_step_at"),
  },
  (table) => [
    uniqueIndex("alerts_prefix_id").on(table.accountId, table.prefixId),
    index("alerts_created").on(table.accountId, table.createdAt, table.id),
    index("alerts_status").on(table.accountId, table.status, table.createdAt, table.id),
    index("alerts_thirdparty").on(table.accountId, table.thirdpartyId),
    index("alerts_next_step").on(table.nextStepAt),
    // For retention.
    index("alerts_ended").on(table.updatedAt).where(sql`status in ('resolved', 'suppressed')`),
  ],
);

export const alertWorkflows = sqliteTable(
  "alert_workflows",
  {
    ...common(),
    version: integer("version").notNull(),
    alertId: text("alert_id").notNull(),
    destinationType: text("destination_type", { enum: ["team", "account_user"] }).notNull(),
    destinationId: text("destination_id").notNull(),
    state: text("state", { enum: WORKFLOW_STATES }).notNull(),
    layer: integer("layer"),
    pass: integer("pass").notNull().default(1),
    accountUserIds: stringList("account_user_ids"),
    nextStepAt: instant("next_step_at"),
  },
  (table) => [
    index("alert_workflows_alert").on(table.accountId, table.alertId, table.createdAt),
    index("alert_workflows_destination").on(
      table.accountId,
      table.destinationId,
      table.createdAt,
      table.alertId,
    ),
    // For the sweep: layers that were never paged.
    index("alert_workflows_open").on(table.updatedAt).where(sql`state = 'open'`),
  ],
);

export const logs = sqliteTable(
  "logs",
  {
    ...common(),
    format: text("format").notNull().default("json"),
    level: text("level", { enum: ["debug", "info", "warn", "error"] })
      .notNull()
      .default("info"),
    /** `Integration` for an inbound request, `Alert` for an alert's timeline. */
    ownerType: text("owner_type").notNull(),
    ownerId: text("owner_id").notNull(),
    message: text("message").notNull(),
    /** The inbound request with secrets redacted; empty for an alert's timeline. */
    request: hash("request"),
  },
  (table) => [
    uniqueIndex("logs_prefix_id").on(table.accountId, table.prefixId),
    index("logs_created").on(table.accountId, table.createdAt, table.id),
    index("logs_owner").on(table.accountId, table.ownerId, table.createdAt, table.id),
  ],
);

/** The steps of a log, in order. Each is written once, even if delivered twice. */
export const sublogs = sqliteTable(
  "sublogs",
  {
    accountId: text("account_id").notNull(),
    logId: text("log_id").notNull(),
    sequence: integer("sequence").notNull(),
    time: instant("time").notNull(),
    level: text("level", { enum: ["debug", "info", "warn", "error"] }).notNull(),
    message: text("message").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.logId, table.sequence] })],
);

export const notifications = sqliteTable(
  "notifications",
  {
    ...common(),
    /** The effect of this notification: one page to one person, shared by its channels. */
    effectId: text("effect_id").notNull(),
    alertId: text("alert_id"),
    broadcastId: text("broadcast_id"),
    workflowId: text("workflow_id"),
    layer: integer("layer"),
    pass: integer("pass"),
    accountUserId: text("account_user_id").notNull(),
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
  },
  (table) => [
    uniqueIndex("notifications_prefix_id").on(table.accountId, table.prefixId),
    index("notifications_created").on(table.accountId, table.createdAt, table.id),
    index("notifications_alert").on(table.accountId, table.alertId, table.createdAt, table.id),
    index("notifications_broadcast").on(table.accountId, table.broadcastId, table.createdAt),
    index("notifications_person").on(table.accountId, table.accountUserId, table.createdAt),
    index("notifications_provider").on(table.providerId),
    index("notifications_due")
      .on(table.accountId, table.accountUserId, table.dueAt)
      .where(sql`due_at is not null`),
  ],
);

/** Messages per person and channel since an instant; those over a limit are bundled. */
export const messageTurns = sqliteTable(
  "message_turns",
  {
    accountId: text("account_id").notNull(),
    accountUserId: text("account_user_id").notNull(),
    channel: text("channel").notNull(),
    since: instant("since").notNull(),
    count: integer("count").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.accountUserId, table.channel] })],
);
