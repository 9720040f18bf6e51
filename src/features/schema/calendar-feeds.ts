// Calendar feeds: secret URLs where a calendar program reads who is on call.
import { index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { common } from "../../kernel/db/columns.ts";
import { schedules, teams } from "./oncall.ts";
import { accountUsers } from "./people.ts";

/** Exactly one of the three sources is set. Deleted with its source and its creator. */
export const calendarFeeds = sqliteTable(
  "calendar_feeds",
  {
    ...common(),
    name: text("name").notNull().default(""),
    /** The creator. */
    accountUserId: text("account_user_id")
      .notNull()
      .references(() => accountUsers.id, { onDelete: "cascade" }),
    scheduleId: text("schedule_id").references(() => schedules.id, { onDelete: "cascade" }),
    teamId: text("team_id").references(() => teams.id, { onDelete: "cascade" }),
    personId: text("person_id").references(() => accountUsers.id, { onDelete: "cascade" }),
    /** SHA-256 of the secret in the feed's URL, hexadecimal. The secret itself is not stored. */
    secretHash: text("secret_hash").notNull(),
  },
  (table) => [
    uniqueIndex("calendar_feeds_secret").on(table.secretHash),
    uniqueIndex("calendar_feeds_prefix_id").on(table.accountId, table.prefixId),
    index("calendar_feeds_created").on(table.accountId, table.createdAt, table.id),
    index("calendar_feeds_account_user").on(table.accountUserId),
    index("calendar_feeds_schedule").on(table.scheduleId),
    index("calendar_feeds_team").on(table.teamId),
    index("calendar_feeds_person").on(table.personId),
  ],
);
