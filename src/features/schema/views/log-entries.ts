// The view of an account's logs: those of requests, and the timelines of alerts, from the alerts'
// own rows. Read only. Declared as a table for its columns; the migration defines it.
import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { hash, instant } from "../../../kernel/db/columns.ts";
import type { LogSteps } from "../alerts.ts";

export const logEntries = sqliteTable("log_entries", {
  id: text("id").notNull(),
  prefixId: text("prefix_id").notNull(),
  accountId: text("account_id").notNull(),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
  meta: hash("meta"),
  level: text("level", { enum: ["debug", "info", "warn", "error"] }).notNull(),
  /** `Integration` for an inbound request, `Alert` for an alert's timeline. */
  ownerType: text("owner_type").notNull(),
  ownerId: text("owner_id").notNull(),
  message: text("message").notNull(),
  request: text("request", { mode: "json" }).$type<Record<string, unknown>>(),
  /** The outcomes of a request's events, or the timeline. */
  steps: text("steps", { mode: "json" }).$type<LogSteps>().notNull(),
  /** Of a request's log: the alert of its first event that has one. */
  alertId: text("alert_id"),
});
