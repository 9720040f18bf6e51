// The view of alerts' workflows, one row each: read only, over the JSON in the alerts' rows. Declared
// as a table for its columns; the migration defines it. Select by `alert_id` or `id` of the alert:
// nothing else leads to a row without reading all.
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { WORKFLOW_STATES } from "../../../domain/alerts/alert.ts";
import { flag, hash, instant, stringList } from "../../../kernel/db/columns.ts";

export const alertWorkflows = sqliteTable("alert_workflows", {
  id: text("id").notNull(),
  accountId: text("account_id").notNull(),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
  meta: hash("meta"),
  /** The alert's. */
  version: integer("version").notNull(),
  alertId: text("alert_id").notNull(),
  destinationType: text("destination_type", { enum: ["team", "account_user"] }).notNull(),
  destinationId: text("destination_id").notNull(),
  state: text("state", { enum: WORKFLOW_STATES }).notNull(),
  isRequested: flag("is_requested").notNull(),
  layer: integer("layer"),
  pass: integer("pass").notNull(),
  accountUserIds: stringList("account_user_ids"),
  nextStepAt: instant("next_step_at"),
});
