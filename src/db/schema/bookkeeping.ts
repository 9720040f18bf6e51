// What the service keeps for itself: totals of lists, and answers to repeated requests.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { hash, instant } from "./columns.ts";

/**
 * How many records an account has of a kind, kept by triggers: `count(*)` reads every row, a list page must not.
 * `name` is the table's name, or `alerts:<status>`.
 */
export const listTotals = sqliteTable(
  "list_totals",
  {
    accountId: text("account_id").notNull(),
    name: text("name").notNull(),
    total: integer("total").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.name] })],
);

/** One row per `Idempotency-Key` of an API key, kept 24 hours (contract 1, Idempotency). */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    accountId: text("account_id").notNull(),
    apiKeyId: text("api_key_id").notNull(),
    key: text("key").notNull(),
    requestHash: text("request_hash").notNull(),
    recordId: text("record_id").notNull(),
    status: integer("status"),
    answer: hash("answer"),
    claimedUntil: instant("claimed_until").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.apiKeyId, table.key] }),
    index("idempotency_keys_expires").on(table.expiresAt),
  ],
);

/**
 * What may have changed who is on call, written by triggers with every such change: the schedules
 * and teams whose objects are still to be notified. A row leaves once its object has looked.
 */
export const onCallChanges = sqliteTable(
  "on_call_changes",
  {
    /** A schedule's or a team's id. */
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    kind: text("kind", { enum: ["schedule", "team"] }).notNull(),
    /** Random, drawn anew by every further change: a row that changed meanwhile stays. */
    version: text("version").notNull(),
  },
  (table) => [index("on_call_changes_account").on(table.accountId)],
);

/**
 * Account users who were removed, written by a trigger, until every running alert that asks them
 * has been notified.
 */
export const memberRemovals = sqliteTable(
  "member_removals",
  {
    /** The account user's id. */
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    name: text("name").notNull(),
  },
  (table) => [index("member_removals_account").on(table.accountId)],
);
