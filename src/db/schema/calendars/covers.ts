// Covers: who is on call instead of an absent person. Their overrides are events.
import { index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { COVERED_BY, type ReleasedHours } from "../../../domain/oncall/covers/cover.ts";
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
    /** Hours whose override was deleted by hand since then. */
    released: text("released", { mode: "json" })
      .$type<readonly ReleasedHours[]>()
      .notNull()
      .default([]),
  },
  (table) => [
    uniqueIndex("covers_prefix_id").on(table.accountId, table.prefixId),
    index("covers_created").on(table.accountId, table.createdAt, table.id),
    index("covers_end").on(table.accountId, table.endAt),
  ],
);
