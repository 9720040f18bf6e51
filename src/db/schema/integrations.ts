// Integrations and what routes the alerts they make: receivers, maintenance windows, routers, rules.
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { ALERT_URGENCIES } from "../../domain/alert.ts";
import { common, flag, hash, instant } from "./columns.ts";

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
    /** Secret options: a hash where hashing will do. Never shown. */
    secrets: hash("secrets"),
    intakeKey: text("intake_key").notNull(),
    /** Where its inbox is to live: a location hint. */
    region: text("region"),
    /** Set once, when the inbox has received something: only then is configuration pushed to it. */
    receivedAt: instant("received_at"),
  },
  (table) => [
    uniqueIndex("integrations_prefix_id").on(table.accountId, table.prefixId),
    uniqueIndex("integrations_inbox").on(table.prefixId),
    index("integrations_created").on(table.accountId, table.createdAt, table.id),
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

/** What a router's rules name, kept beside their text: found from either end without reading it. */
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
    name: text("name").notNull(),
    enabled: flag("enabled").notNull().default(true),
    rules: text("rules").notNull().default(""),
    /** What its rules name, kept beside their text: an alert's object sees at once who is to be told of more. */
    types: text("types", { mode: "json" })
      .$type<readonly string[]>()
      .notNull()
      .default(["alert.open"]),
  },
  (table) => [
    uniqueIndex("notification_rules_prefix_id").on(table.accountId, table.prefixId),
    index("notification_rules_created").on(table.accountId, table.createdAt, table.id),
  ],
);
