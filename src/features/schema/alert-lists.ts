// What people do with the list of alerts: bulk operations, and filters saved under a name.
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { BULK_ACTIONS, type BulkRefusal } from "../../domain/alerts/bulk-operation.ts";
import type { SavedFilterValues } from "../../domain/alerts/saved-filter.ts";
import { common, hash, instant } from "../../kernel/db/columns.ts";
import { accountUsers } from "./people.ts";

/**
 * One row per bulk operation, updated once per step. The alerts that are still to be done are
 * stored in the operation's object.
 */
export const bulkOperations = sqliteTable(
  "bulk_operations",
  {
    ...common(),
    accountUserId: text("account_user_id").notNull(),
    action: text("action", { enum: BULK_ACTIONS }).notNull(),
    teamId: text("team_id"),
    filter: hash("filter"),
    /** What the action takes, by parameter. */
    parameters: hash("parameters"),
    status: text("status", { enum: ["queued", "running", "finished"] }).notNull(),
    totalCount: integer("total_count").notNull(),
    changedCount: integer("changed_count").notNull().default(0),
    unchangedCount: integer("unchanged_count").notNull().default(0),
    refusedCount: integer("refused_count").notNull().default(0),
    refusals: text("refusals", { mode: "json" })
      .$type<readonly BulkRefusal[]>()
      .notNull()
      .default([]),
    finishedAt: instant("finished_at"),
  },
  (table) => [
    uniqueIndex("bulk_operations_prefix_id").on(table.accountId, table.prefixId),
    index("bulk_operations_created").on(table.accountId, table.createdAt, table.id),
  ],
);

/** A person's filters of the list of alerts. */
export const savedFilters = sqliteTable(
  "saved_filters",
  {
    ...common(),
    accountUserId: text("account_user_id")
      .notNull()
      .references(() => accountUsers.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    filter: text("filter", { mode: "json" }).$type<SavedFilterValues>().notNull(),
  },
  (table) => [
    uniqueIndex("saved_filters_prefix_id").on(table.accountId, table.prefixId),
    uniqueIndex("saved_filters_name").on(table.accountId, table.accountUserId, table.name),
    index("saved_filters_own").on(table.accountId, table.accountUserId, table.createdAt, table.id),
  ],
);
