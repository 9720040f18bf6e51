// Internal tables: totals of lists, idempotency keys, and changes still to be announced.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { hash, instant } from "./columns.ts";

/**
 * Number of an account's records by kind, maintained by triggers: a list page must not run
 * `count(*)`, which reads every row. `name` is the table's name, or `alerts:<status>`.
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

/** One row per `Idempotency-Key` of an API key, stored for 24 hours (contract 1, Idempotency). */
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
 * Possible changes of who is on call, written by triggers: schedules and teams whose objects are
 * still to be notified. A row is deleted once its object has checked.
 */
export const onCallChanges = sqliteTable(
  "on_call_changes",
  {
    /** A schedule's or a team's id. */
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    kind: text("kind", { enum: ["schedule", "team"] }).notNull(),
    /** Random, new with every change, so that a row changed in the meantime is not deleted. */
    version: text("version").notNull(),
  },
  (table) => [index("on_call_changes_account").on(table.accountId)],
);

/**
 * Removed account users, written by a trigger, until every open alert that notifies them has been
 * informed.
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
