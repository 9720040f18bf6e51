// Console sessions, sign-in attempts and single sign-on identities. A session belongs to a person
// and has one of their accounts open.
import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant } from "../../kernel/db/columns.ts";
import { users } from "./people.ts";

export const sessions = sqliteTable(
  "sessions",
  {
    /** SHA-256 of the cookie's token, hexadecimal. The token itself is not stored. */
    tokenHash: text("token_hash").primaryKey(),
    id: text("id").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The membership whose account is open. */
    accountUserId: text("account_user_id").notNull(),
    /** The browser's user agent, so that its owner can recognise the session. */
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

/** Sign-in attempts and password reset mails of the last hour, for the rate limits. */
export const signInAttempts = sqliteTable(
  "sign_in_attempts",
  {
    /** SHA-256 of the person's id, or of an unknown address, which may be a mistyped password. */
    emailHash: text("email_hash").notNull(),
    /** The network or browser it came from. */
    address: text("address").notNull(),
    attemptedAt: instant("attempted_at").notNull(),
    /** Timeout of the running password check; null once it has ended. */
    checkingUntil: instant("checking_until"),
  },
  (table) => [
    index("sign_in_attempts_email").on(table.emailHash, table.attemptedAt),
    index("sign_in_attempts_address").on(table.address, table.attemptedAt),
    index("sign_in_attempts_at").on(table.attemptedAt),
  ],
);

/** Links of people to single sign-on providers: the issuer's name and its subject. */
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
