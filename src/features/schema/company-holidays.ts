// An account's own holidays, beside the public holidays of a region.
import { index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { common, flag } from "../../kernel/db/columns.ts";

export const companyHolidays = sqliteTable(
  "company_holidays",
  {
    ...common(),
    name: text("name").notNull(),
    /** Local dates, `YYYY-MM-DD`, both inclusive. */
    startDate: text("start_date").notNull(),
    endDate: text("end_date").notNull(),
    repeatsYearly: flag("repeats_yearly").notNull().default(false),
  },
  (table) => [
    uniqueIndex("company_holidays_prefix_id").on(table.accountId, table.prefixId),
    index("company_holidays_created").on(table.accountId, table.createdAt, table.id),
  ],
);
