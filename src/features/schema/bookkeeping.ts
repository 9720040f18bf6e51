// Internal tables: changes still to be announced, the size of the database, and who watches.
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, instant } from "../../kernel/db/columns.ts";

/**
 * Possible changes of who is on call and of who is notified, written by triggers: schedules, teams,
 * people and absences whose objects are still to be notified. A row is deleted once its object has checked.
 */
export const onCallChanges = sqliteTable(
  "on_call_changes",
  {
    /** A schedule's, a team's, an account user's or an absence's id. */
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    /**
     * `person`: when their weekly digest is due, whether they get one, or which browsers they have for push. `absence`: who is
     * to be told of it; `cover_request`: the same, by the version before.
     */
    kind: text("kind", {
      enum: ["schedule", "team", "person", "absence", "cover_request"],
    }).notNull(),
    /** Random, new with every change, so that a row changed in the meantime is not deleted. */
    version: text("version").notNull(),
    /** The account users who made the changes; an empty id: the service, or somebody unknown. */
    actors: text("actors", { mode: "json" }).$type<readonly string[]>().notNull().default([]),
    /** The latest version whose author is among `actors`; null: none. */
    attributed: text("attributed"),
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

/** The database's size and the warnings about it; one row, with id 1. */
export const databaseSize = sqliteTable("database_size", {
  id: integer("id").primaryKey(),
  measuredAt: instant("measured_at").notNull(),
  bytes: integer("bytes").notNull(),
  /** Estimated size of the rows removed to free space since `bytes` last changed. */
  freed: integer("freed").notNull().default(0),
  /** Whether records are being removed to free space. */
  reclaiming: flag("reclaiming").notNull().default(false),
  /** When the log last warned of the size. */
  warnedAt: instant("warned_at").notNull().default(0),
  /** When the log last reported that the archive failed. */
  archiveFailedAt: instant("archive_failed_at").notNull().default(0),
});

/**
 * Accounts whose alerts somebody watches in the console: an alert's object notifies the account's
 * `LiveObject` of each step while the row is valid. WITHOUT ROWID.
 */
export const watchedAccounts = sqliteTable("watched_accounts", {
  accountId: text("account_id").primaryKey(),
  /** When the row is no longer valid, unless it is renewed. */
  until: instant("until").notNull(),
});
