// Covers: who is on call instead of an absent person; and what absences were before they changed.
import { sql } from "drizzle-orm";
import { index, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { INSTEAD, type ReleasedHours } from "../../../domain/oncall/absences/absence.ts";
import { COVERED_BY } from "../../../domain/oncall/absences/cover.ts";
import { common, instant } from "../columns.ts";
import { accountUsers } from "../people.ts";

export const covers = sqliteTable(
  "covers",
  {
    ...common(),
    /** Who is absent. */
    accountUserId: text("account_user_id")
      .notNull()
      .references(() => accountUsers.id, { onDelete: "cascade" }),
    startAt: instant("start_at").notNull(),
    endAt: instant("end_at").notNull(),
    coveredBy: text("covered_by", { enum: COVERED_BY }).notNull(),
    coveringAccountUserId: text("covering_account_user_id").references(() => accountUsers.id, {
      onDelete: "set null",
    }),
    /** Null: all schedules. */
    scheduleIds: text("schedule_ids", { mode: "json" }).$type<readonly string[]>(),
    reason: text("reason"),
    /** When a person last decided the cover: newer overrides by hand stay. */
    decidedAt: instant("decided_at").notNull(),
    /** It changes nobody's hours before: they are as they were served. */
    servesFrom: instant("serves_from").notNull().default(0),
    /** Hours that it leaves to the absent person. */
    released: text("released", { mode: "json" })
      .$type<readonly ReleasedHours[]>()
      .notNull()
      .default([]),
  },
  (table) => [
    uniqueIndex("covers_prefix_id").on(table.accountId, table.prefixId),
    index("covers_created").on(table.accountId, table.createdAt, table.id),
    index("covers_end").on(table.accountId, table.endAt),
    index("covers_next_in_line")
      .on(table.accountId, table.endAt)
      .where(sql`covered_by = 'next_in_line'`),
    index("covers_covering")
      .on(table.coveringAccountUserId)
      .where(sql`covering_account_user_id is not null`),
  ],
);

/**
 * What covers and unavailabilities were before they changed or were deleted, in the hours that were
 * served meanwhile. No references: what was served stays.
 */
export const pastAbsences = sqliteTable(
  "past_absences",
  {
    accountId: text("account_id").notNull(),
    absenceId: text("absence_id").notNull(),
    accountUserId: text("account_user_id").notNull(),
    startAt: instant("start_at").notNull(),
    endAt: instant("end_at").notNull(),
    instead: text("instead", { enum: INSTEAD }).notNull(),
    coveringAccountUserId: text("covering_account_user_id"),
    /** Null: all schedules. */
    scheduleIds: text("schedule_ids", { mode: "json" }).$type<readonly string[]>(),
    decidedAt: instant("decided_at").notNull(),
    released: text("released", { mode: "json" }).$type<readonly ReleasedHours[]>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.endAt, table.absenceId, table.startAt] }),
  ],
);
