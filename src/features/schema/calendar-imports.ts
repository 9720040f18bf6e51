// Calendars that are read: imports of shifts, and people's absences.
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { common, flag, instant, stringList } from "../../kernel/db/columns.ts";
import { schedules } from "./oncall.ts";
import { accountUsers } from "./people.ts";

/** When a calendar was read, and with what result. */
const readings = () => ({
  /** The last time that its content was read, or known to be unchanged. */
  lastReadAt: instant("last_read_at"),
  /** Null after a success. */
  lastError: text("last_error"),
  /** The first of the present failures. */
  failingSince: instant("failing_since"),
  /** Consecutive failures. */
  failures: integer("failures").notNull().default(0),
  nextReadAt: instant("next_read_at").notNull(),
  /** The last time that the whole content was read, with its validators. */
  completeAt: instant("complete_at"),
  etag: text("etag"),
  lastModified: text("last_modified"),
});

export const calendarImports = sqliteTable(
  "calendar_imports",
  {
    ...common(),
    scheduleId: text("schedule_id")
      .notNull()
      .references(() => schedules.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    layer: integer("layer").notNull().default(1),
    /** Null for a posted text. */
    url: text("url"),
    ...readings(),
    shiftCount: integer("shift_count").notNull().default(0),
    /** Summaries of calendar events whose people are unknown. */
    unmatched: stringList("unmatched"),
    /** Until when the calendar's shifts are imported. */
    importedUntil: instant("imported_until"),
  },
  (table) => [
    uniqueIndex("calendar_imports_prefix_id").on(table.accountId, table.prefixId),
    index("calendar_imports_created").on(table.accountId, table.createdAt, table.id),
    index("calendar_imports_schedule").on(table.scheduleId),
    index("calendar_imports_next").on(table.nextReadAt),
  ],
);

/** The texts of imports without a URL, apart: lists of imports do not read them. */
export const calendarImportTexts = sqliteTable("calendar_import_texts", {
  importId: text("import_id")
    .primaryKey()
    .references(() => calendarImports.id, { onDelete: "cascade" }),
  accountId: text("account_id").notNull(),
  ical: text("ical").notNull(),
});

/** Calendars of a person's absences: of a URL, or the public holidays of a region. */
export const absenceCalendars = sqliteTable(
  "absence_calendars",
  {
    ...common(),
    accountUserId: text("account_user_id")
      .notNull()
      .references(() => accountUsers.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** Empty for public holidays. */
    url: text("url").notNull(),
    /** The code of the region whose public holidays it has; null for a URL. */
    region: text("region"),
    /** Whether it has the company holidays, too. */
    companyHolidays: flag("company_holidays").notNull().default(false),
    ...readings(),
  },
  (table) => [
    uniqueIndex("absence_calendars_prefix_id").on(table.accountId, table.prefixId),
    index("absence_calendars_created").on(table.accountId, table.createdAt, table.id),
    index("absence_calendars_person").on(table.accountUserId),
    index("absence_calendars_next").on(table.nextReadAt),
  ],
);
