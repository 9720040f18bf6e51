// Integrations with receivers, maintenance windows and deliveries; routers; notification rules.
import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { ALERT_URGENCIES } from "../../domain/alerts/alert.ts";
import { DELIVERY_STATUSES } from "../../domain/integrations/delivery-attempts.ts";
import { common, flag, hash, instant } from "../../kernel/db/columns.ts";
import { accountUsers } from "./people.ts";

export const integrations = sqliteTable(
  "integrations",
  {
    ...common(),
    name: text("name").notNull(),
    enabled: flag("enabled").notNull().default(true),
    urgency: text("urgency", { enum: ALERT_URGENCIES }).notNull(),
    /** The snake_case name of the type. */
    integrationType: text("integration_type").notNull(),
    /** Options that may be shown. */
    options: hash("options"),
    /** Secret options, hashed where possible. Never shown. */
    secrets: hash("secrets"),
    intakeKey: text("intake_key").notNull(),
    /** Whether its id is enough to post to it. */
    acceptsId: flag("accepts_id").notNull().default(true),
    /** Whether a GET creates and resolves alerts. */
    acceptsGet: flag("accepts_get").notNull().default(false),
    /** Its address is derived from its id and this number, which a rotation raises. */
    addressVersion: integer("address_version").notNull().default(1),
    /** Until when the address before a rotation is accepted. */
    previousAddressUntil: instant("previous_address_until"),
    /** Location hint for its inbox. */
    region: text("region"),
    /** When the inbox first received something; before that no configuration is pushed to it. */
    receivedAt: instant("received_at"),
    /** When the latest event arrived that its type did not understand; null once it is read. */
    notUnderstoodAt: instant("not_understood_at"),
  },
  (table) => [
    uniqueIndex("integrations_prefix_id").on(table.accountId, table.prefixId),
    uniqueIndex("integrations_inbox").on(table.prefixId),
    index("integrations_created").on(table.accountId, table.createdAt, table.id),
    index("integrations_type").on(table.accountId, table.integrationType),
  ],
);

/** Messages of outgoing integrations, one row per message and integration. */
export const deliveries = sqliteTable(
  "deliveries",
  {
    ...common(),
    integrationId: text("integration_id")
      .notNull()
      .references(() => integrations.id, { onDelete: "cascade" }),
    /** Makes deliveries idempotent: one per effect and integration. */
    effectId: text("effect_id").notNull(),
    event: text("event").notNull(),
    alertId: text("alert_id"),
    /** Ordering key: its deliveries are sent in order of `happened_at`, then `sequence`. */
    lane: text("lane").notNull(),
    happenedAt: instant("happened_at").notNull(),
    sequence: integer("sequence").notNull(),
    status: text("status", { enum: DELIVERY_STATUSES }).notNull().default("queued"),
    /** The content; emptied once delivered. */
    said: hash("said"),
    attempts: integer("attempts").notNull().default(0),
    /** Attempts since it was last queued (`queued_at`, by hand too): the back-off uses both. */
    tries: integer("tries").notNull().default(0),
    queuedAt: instant("queued_at").notNull(),
    nextAt: instant("next_at"),
    attemptedAt: instant("attempted_at"),
    responseCode: integer("response_code"),
    reason: text("reason"),
    deliveredAt: instant("delivered_at"),
    failedAt: instant("failed_at"),
  },
  (table) => [
    uniqueIndex("deliveries_prefix_id").on(table.accountId, table.prefixId),
    uniqueIndex("deliveries_effect").on(table.integrationId, table.effectId),
    index("deliveries_created").on(table.accountId, table.createdAt, table.id),
    index("deliveries_integration").on(table.accountId, table.integrationId, table.createdAt),
    index("deliveries_waiting")
      .on(table.integrationId, table.lane, table.happenedAt, table.sequence)
      .where(sql`status = 'queued'`),
    index("deliveries_next").on(table.nextAt).where(sql`status = 'queued'`),
  ],
);

/** The message of an alert that an integration's app posted to a chat. WITHOUT ROWID. */
export const chatMessages = sqliteTable(
  "chat_messages",
  {
    accountId: text("account_id").notNull(),
    integrationId: text("integration_id")
      .notNull()
      .references(() => integrations.id, { onDelete: "cascade" }),
    alertId: text("alert_id").notNull(),
    channel: text("channel").notNull(),
    /** The product's id of the message, unique in its channel. */
    messageId: text("message_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.alertId, table.integrationId] }),
    index("chat_messages_integration").on(table.integrationId),
    index("chat_messages_message").on(table.accountId, table.channel, table.messageId),
  ],
);

/**
 * Requests of a chat product, as the version before claimed them: now `idempotency_keys` has them. Kept while that
 * version may still run. WITHOUT ROWID.
 *
 * @public
 */
export const chatRequests = sqliteTable(
  "chat_requests",
  {
    accountId: text("account_id").notNull(),
    integrationId: text("integration_id")
      .notNull()
      .references(() => integrations.id, { onDelete: "cascade" }),
    signature: text("signature").notNull(),
    receivedAt: instant("received_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.signature] }),
    index("chat_requests_received").on(table.integrationId, table.receivedAt),
  ],
);

export const integrationReceivers = sqliteTable(
  "integration_receivers",
  {
    accountId: text("account_id").notNull(),
    integrationId: text("integration_id")
      .notNull()
      .references(() => integrations.id, { onDelete: "cascade" }),
    receiverType: text("receiver_type", { enum: ["team", "router", "account_user"] }).notNull(),
    receiverId: text("receiver_id").notNull(),
    position: integer("position").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.receiverType, table.receiverId] }),
    index("integration_receivers_receiver").on(table.accountId, table.receiverId),
  ],
);

export const maintenanceWindows = sqliteTable(
  "maintenance_windows",
  {
    ...common(),
    name: text("name").notNull(),
    description: text("description"),
    startAt: instant("start_at").notNull(),
    endAt: instant("end_at").notNull(),
    timeZone: text("time_zone").notNull(),
  },
  (table) => [
    uniqueIndex("maintenance_windows_prefix_id").on(table.accountId, table.prefixId),
    index("maintenance_windows_created").on(table.accountId, table.createdAt, table.id),
  ],
);

export const maintenanceWindowIntegrations = sqliteTable(
  "maintenance_window_integrations",
  {
    accountId: text("account_id").notNull(),
    maintenanceWindowId: text("maintenance_window_id")
      .notNull()
      .references(() => maintenanceWindows.id, { onDelete: "cascade" }),
    integrationId: text("integration_id")
      .notNull()
      .references(() => integrations.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.maintenanceWindowId, table.integrationId] }),
    index("maintenance_window_integrations_integration").on(table.integrationId),
  ],
);

export const routers = sqliteTable(
  "routers",
  {
    ...common(),
    name: text("name").notNull(),
    enabled: flag("enabled").notNull().default(true),
    /** As the user wrote it, YAML or JSON. */
    rules: text("rules").notNull().default(""),
    defaultReceiverType: text("default_receiver_type", {
      enum: ["team", "router", "account_user"],
    }).notNull(),
    defaultReceiverId: text("default_receiver_id").notNull(),
  },
  (table) => [
    uniqueIndex("routers_prefix_id").on(table.accountId, table.prefixId),
    index("routers_created").on(table.accountId, table.createdAt, table.id),
  ],
);

/** The receivers that a router's rules name, stored so that queries need not parse the text. */
export const routerReceivers = sqliteTable(
  "router_receivers",
  {
    accountId: text("account_id").notNull(),
    routerId: text("router_id")
      .notNull()
      .references(() => routers.id, { onDelete: "cascade" }),
    receiverType: text("receiver_type", { enum: ["team", "router", "account_user"] }).notNull(),
    receiverId: text("receiver_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.routerId, table.receiverType, table.receiverId] }),
    index("router_receivers_receiver").on(table.accountId, table.receiverId),
  ],
);

export const notificationRules = sqliteTable(
  "notification_rules",
  {
    ...common(),
    /** The person whose own rule it is, which they may change; null: a rule of the account. */
    accountUserId: text("account_user_id").references(() => accountUsers.id, {
      onDelete: "cascade",
    }),
    name: text("name").notNull(),
    enabled: flag("enabled").notNull().default(true),
    rules: text("rules").notNull().default(""),
    /** The event types that its rules name, stored so that alert objects need not parse them. */
    types: text("types", { mode: "json" })
      .$type<readonly string[]>()
      .notNull()
      .default(["alert.open"]),
  },
  (table) => [
    uniqueIndex("notification_rules_prefix_id").on(table.accountId, table.prefixId),
    index("notification_rules_created").on(table.accountId, table.createdAt, table.id),
    index("notification_rules_own").on(table.accountUserId),
  ],
);
