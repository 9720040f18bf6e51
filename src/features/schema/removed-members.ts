// Ended memberships, until the data stored about the person in that account has been erased. A
// trigger on `account_users` inserts the rows, however a membership ends.
import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant } from "../../kernel/db/columns.ts";

export const removedMembers = sqliteTable(
  "removed_members",
  {
    /** The membership's id, which its traces contain. */
    accountUserId: text("account_user_id").primaryKey(),
    accountId: text("account_id").notNull(),
    /** Null until the membership ends: an erasure may be requested with the removal. */
    userId: text("user_id"),
    removedAt: instant("removed_at"),
    /** When the erasure was requested; null = it waits until it is due. */
    requestedAt: instant("requested_at"),
    /** Progress of the erasure as JSON; null before it begins. */
    progress: text("progress"),
  },
  (table) => [
    index("removed_members_user").on(table.userId),
    index("removed_members_removed").on(table.removedAt),
  ],
);
