// Who has signed in to the console, and how often somebody tried. A session is a person's; it looks at one of their
// accounts at a time.
import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
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

/** Attempts to sign in, and mails for forgotten passwords, of the last hour: what both are limited by. */
export const signInAttempts = sqliteTable(
  "sign_in_attempts",
  {
    /** SHA-256 of the person's id, or of the address that was given and nobody has: it may be a mistyped password. */
    emailHash: text("email_hash").notNull(),
    /** The network that it came from, or the browser. */
    address: text("address").notNull(),
    attemptedAt: instant("attempted_at").notNull(),
    /** The password is being checked, until then at the latest; null once that has ended. */
    checkingUntil: instant("checking_until"),
  },
  (table) => [
    index("sign_in_attempts_email").on(table.emailHash, table.attemptedAt),
    index("sign_in_attempts_address").on(table.address, table.attemptedAt),
    index("sign_in_attempts_at").on(table.attemptedAt),
  ],
);

/** Who people are to a provider of single sign-on, once that is known: its issuer's name and its subject for them. */
export const userIdentities = sqliteTable(
  "user_identities",
  {
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    index("user_identities_user").on(table.userId),
  ],
);
