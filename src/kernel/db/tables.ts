// The tables that know no subject: totals of lists, idempotency keys, and what a day has used.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { DailyLimit } from "../../domain/shared/daily-limits.ts";
import { flag, hash, instant } from "./columns.ts";

/**
 * Number of an account's records by kind: a list page must not run `count(*)`, which reads every
 * row. `name` is the table's name, or `alerts:<status>`. Maintained by triggers, or, for tables
 * whose ids carry the time, folded from time to time (`folded-totals.ts`).
 */
export const listTotals = sqliteTable(
  "list_totals",
  {
    accountId: text("account_id").notNull(),
    name: text("name").notNull(),
    total: integer("total").notNull(),
    /** Rows up to this id are in `total`, later ones are not; null: triggers count all rows. */
    countedTo: text("counted_to"),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.name] })],
);

/**
 * One row per `Idempotency-Key` of an API key, stored for 24 hours (contract 1, Idempotency); and per request of a
 * provider that counts once: its `apiKeyId` is then the provider's name.
 */
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

/** What has been counted of a day on Cloudflare's free plan (`daily-use.ts`); one row, with id 1. */
export const dailyUse = sqliteTable("daily_use", {
  id: integer("id").primaryKey(),
  /** Midnight UTC before it. */
  day: instant("day").notNull(),
  alerts: integer("alerts").notNull().default(0),
  messages: integer("messages").notNull().default(0),
  /** Alerts and messages up to this id are counted. */
  countedTo: text("counted_to").notNull().default(""),
  /** The limits of which Cloudflare has said that they are used up. */
  usedUp: text("used_up", { mode: "json" }).$type<readonly DailyLimit[]>().notNull().default([]),
  /** Whether admins have been told. */
  told: flag("told").notNull().default(false),
});
