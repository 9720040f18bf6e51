// Invitations that an account sent in the last hour, for the rate limit.
import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant } from "../../kernel/db/columns.ts";

export const invitationSends = sqliteTable(
  "invitation_sends",
  {
    accountId: text("account_id").notNull(),
    sentAt: instant("sent_at").notNull(),
  },
  (table) => [index("invitation_sends_account").on(table.accountId, table.sentAt)],
);
