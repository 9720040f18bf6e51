// Who has signed in to the console, and how often somebody tried. A session is a person's; it looks at one of their
// accounts at a time.
import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant } from "./columns.ts";
import { users } from "./people.ts";

export const sessions = sqliteTable(
  "sessions",
  {
    /** SHA-256 of the cookie's token, hexadecimal. The token itself is nowhere. */
    tokenHash: text("token_hash").primaryKey(),
    id: text("id").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The membership that is looked at. */
    accountUserId: text("account_user_id").notNull(),
    /** The browser, as it names itself, for its owner to know it again. */
    browser: text("browser").notNull().default(""),
    createdAt: instant("created_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    index("sessions_user").on(table.userId),
    index("sessions_expires").on(table.expiresAt),
  ],
);

/** Every try to sign in of the last hour, and every forgotten password: what limits how many there are. */
export const signInAttempts = sqliteTable(
  "sign_in_attempts",
  {
    /** SHA-256 of the e-mail address that was given, in lower case: it may be a mistyped password. */
    emailHash: text("email_hash").notNull(),
    /** Where it came from. */
    address: text("address").notNull(),
    attemptedAt: instant("attempted_at").notNull(),
  },
  (table) => [
    index("sign_in_attempts_email").on(table.emailHash, table.attemptedAt),
    index("sign_in_attempts_address").on(table.address, table.attemptedAt),
    index("sign_in_attempts_at").on(table.attemptedAt),
  ],
);
