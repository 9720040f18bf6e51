// Memberships that have ended, until whatever was stored of the person in that account has been erased. Rows are written
// by a trigger on `account_users`, whatever ends a membership.
import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant } from "./columns.ts";

export const removedMembers = sqliteTable(
  "removed_members",
  {
    /** The membership's id, which its traces name. */
    accountUserId: text("account_user_id").primaryKey(),
    accountId: text("account_id").notNull(),
    /** Null until the membership has ended: an erasure asked for with its removal is noted before. */
    userId: text("user_id"),
    removedAt: instant("removed_at"),
    /** When somebody asked for the erasure, instead of waiting for it. */
    requestedAt: instant("requested_at"),
    /** How far the erasure has come, as JSON; null before it begins. */
    progress: text("progress"),
  },
  (table) => [
    index("removed_members_user").on(table.userId),
    index("removed_members_removed").on(table.removedAt),
  ],
);
