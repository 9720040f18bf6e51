// What series were before they changed or were deleted, in the hours that were served meanwhile.
import { sql } from "drizzle-orm";
import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { OnCallEvent } from "../../domain/oncall/on-call-event.ts";
import { instant } from "../../kernel/db/columns.ts";
import { schedules } from "./oncall.ts";

/**
 * One row for each change, series and schedule. Events, people and changes are not references: what
 * was served outlives them.
 */
export const pastEvents = sqliteTable(
  "past_events",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    scheduleId: text("schedule_id")
      .notNull()
      .references(() => schedules.id, { onDelete: "cascade" }),
    /** The series; its overrides belong to it. */
    rootId: text("root_id").notNull(),
    /** The hours [from, until) in which the events count, in place of the present ones of the series. */
    fromAt: instant("from_at").notNull(),
    untilAt: instant("until_at").notNull(),
    /** The end of the shifts that were running at `until_at`: they are shown as what is left of them. */
    activeUntil: instant("active_until").notNull(),
    /** The series and its overrides; none: it was not there yet. */
    events: text("events", { mode: "json" }).$type<readonly OnCallEvent[]>().notNull(),
    /** The change that was made at `until_at`, or that corrected other hours of a row. */
    changeId: text("change_id").notNull(),
    /** The change that has corrected these hours: the row does not count any more. */
    correctedById: text("corrected_by_id"),
  },
  (table) => [
    index("past_events_active")
      .on(table.accountId, table.activeUntil)
      .where(sql`corrected_by_id is null`),
    index("past_events_root").on(table.accountId, table.rootId),
    index("past_events_until").on(table.accountId, table.untilAt),
  ],
);
