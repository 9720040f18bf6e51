// Accounts, people, memberships and API keys. A person (`users`) is shared between accounts;
// everything else here leads with `account_id`.
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ShiftReminder } from "../../domain/oncall/notices/reminders.ts";
import { WEEKDAYS } from "../../domain/oncall/notices/weekly.ts";
import { CHAT_PRODUCTS } from "../../domain/people/chat.ts";
import { type AddressSettings, MESSENGERS } from "../../domain/people/messengers.ts";
import { common, flag, hash, identity, instant } from "../../kernel/db/columns.ts";

export const accounts = sqliteTable("accounts", {
  ...identity(),
  name: text("name").notNull(),
  /** When a page of a team's alert was first known to be sent. Null: not yet. */
  pageSentAt: instant("page_sent_at"),
  /** When the first page of a team's alert was answered: the setup is complete. Null: not yet. */
  pageAnsweredAt: instant("page_answered_at"),
  /** Whether its admins get a weekly digest of problems with who can be reached. */
  readinessDigest: flag("readiness_digest").notNull().default(true),
  /** False: the ids of its integrations are never enough to post to them. */
  integrationsById: flag("integrations_by_id").notNull().default(true),
  meta: hash("meta"),
});

export const users = sqliteTable(
  "users",
  {
    ...identity(),
    name: text("name").notNull(),
    timeZone: text("time_zone").notNull().default("UTC"),
    preferredLanguage: text("preferred_language").notNull().default("en"),
    notifyPush: flag("notify_push").notNull().default(true),
    notifyEmail: flag("notify_email").notNull().default(true),
    notifySms: flag("notify_sms").notNull().default(false),
    notifyVoice: flag("notify_voice").notNull().default(false),
    /** Whether a call about an unanswered alert is repeated once. */
    notifyVoiceRepeat: flag("notify_voice_repeat").notNull().default(true),
    /** Whether the person is notified when a change puts them on or takes them off a shift. */
    shiftNotices: flag("shift_notices").notNull().default(true),
    shiftReminders: text("shift_reminders", { mode: "json" })
      .$type<readonly ShiftReminder[]>()
      .notNull()
      .default([]),
    /** Null: no weekly digest. */
    shiftDigestDay: text("shift_digest_day", { enum: WEEKDAYS }),
    /** `HH:mm` in the person's time zone. */
    shiftDigestTimeOfDay: text("shift_digest_time_of_day").notNull().default("08:00"),
    lastSignInAt: instant("last_sign_in_at"),
    passwordHash: text("password_hash"),
    /** True for a generated first password: valid for one sign-in, until `firstPasswordUntil`. */
    passwordExpired: flag("password_expired").notNull().default(true),
    /** 0 once used; null = seven days after the person was created. */
    firstPasswordUntil: instant("first_password_until"),
    meta: hash("meta"),
  },
  (table) => [uniqueIndex("users_prefix_id").on(table.prefixId)],
);

export const userEmails = sqliteTable(
  "user_emails",
  {
    ...identity(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Lower case. Several people may have entered the same address; only one can verify it. */
    email: text("email").notNull(),
    primary: flag("primary").notNull().default(false),
    blockedAt: instant("blocked_at"),
    /** When the person proved that they read it; only a verified address identifies a person. */
    verifiedAt: instant("verified_at"),
    /** The account that entered it; until verified, only that account sees and uses it. */
    accountId: text("account_id"),
  },
  (table) => [
    uniqueIndex("user_emails_verified").on(table.email).where(sql`verified_at is not null`),
    index("user_emails_user").on(table.userId),
  ],
);

export const userPhones = sqliteTable(
  "user_phones",
  {
    ...identity(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** E.164. */
    phone: text("phone").notNull(),
    primary: flag("primary").notNull().default(false),
    /** ISO 3166 alpha-2, determined from the number. */
    country: text("country"),
    blocked: flag("blocked").notNull().default(false),
    confirmationMethod: text("confirmation_method", { enum: ["sms", "voice"] })
      .notNull()
      .default("sms"),
    confirmedAt: instant("confirmed_at"),
    /** Whether the person confirmed it: signed in, or with a key they created themself. */
    confirmedBySelf: flag("confirmed_by_self").notNull().default(false),
    /** The account that entered it; unless self-confirmed, only that account sees and uses it. */
    accountId: text("account_id"),
    codeHash: text("code_hash"),
    codeSentAt: instant("code_sent_at"),
    codeAttempts: integer("code_attempts").notNull().default(0),
  },
  (table) => [
    index("user_phones_user").on(table.userId),
    index("user_phones_phone").on(table.phone),
  ],
);

/** Security mail to be sent: one row per change and address, deleted once its mail is sent. */
export const securityNotices = sqliteTable(
  "security_notices",
  {
    id: text("id").primaryKey(),
    createdAt: instant("created_at").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** A verified address before the change. */
    to: text("to").notNull(),
    kind: text("kind").notNull(),
    detail: text("detail").notNull(),
    /** The account in which the change was made, and the person who made it; null if none. */
    accountId: text("account_id"),
    byUserId: text("by_user_id"),
  },
  (table) => [index("security_notices_user").on(table.userId, table.id)],
);

/** Links sent to unverified addresses in the last day, for the rate limit. */
export const emailLinkSends = sqliteTable(
  "email_link_sends",
  {
    accountId: text("account_id").notNull(),
    /** Lower case. The limit applies to the address, whoever entered it. */
    email: text("email").notNull(),
    sentAt: instant("sent_at").notNull(),
  },
  (table) => [
    index("email_link_sends_account").on(table.accountId, table.sentAt),
    index("email_link_sends_email").on(table.email, table.sentAt),
  ],
);

/** Codes sent to numbers in the last day, for the rate limit. */
export const phoneCodeSends = sqliteTable(
  "phone_code_sends",
  {
    accountId: text("account_id").notNull(),
    /** E.164. The limit applies to the number, whoever entered it. */
    phone: text("phone").notNull(),
    sentAt: instant("sent_at").notNull(),
  },
  (table) => [
    index("phone_code_sends_account").on(table.accountId, table.sentAt),
    index("phone_code_sends_phone").on(table.phone, table.sentAt),
  ],
);

export const accountUsers = sqliteTable(
  "account_users",
  {
    ...common(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    /** `active`, or `pending` until an invited person approves. */
    state: text("state", { enum: ["active", "pending"] })
      .notNull()
      .default("active"),
    /** What the inviter entered: all that a pending membership may show. */
    invitedName: text("invited_name"),
    invitedEmail: text("invited_email"),
    admin: flag("admin").notNull().default(false),
    billing: flag("billing").notNull().default(false),
    broadcaster: flag("broadcaster").notNull().default(false),
    communicator: flag("communicator").notNull().default(false),
    notificationRuleId: text("notification_rule_id"),
    /** Whether the person, as an admin, gets the account's weekly readiness digest. */
    readinessDigest: flag("readiness_digest").notNull().default(true),
    /** When a push service last reported that a browser of theirs is gone. */
    pushEndedAt: instant("push_ended_at"),
  },
  (table) => [
    uniqueIndex("account_users_user").on(table.accountId, table.userId),
    uniqueIndex("account_users_prefix_id").on(table.accountId, table.prefixId),
    index("account_users_created").on(table.accountId, table.createdAt, table.id),
    index("account_users_of_user").on(table.userId),
  ],
);

/** A browser that receives push notifications for a person of an account. */
export const pushSubscriptions = sqliteTable(
  "push_subscriptions",
  {
    ...common(),
    accountUserId: text("account_user_id")
      .notNull()
      .references(() => accountUsers.id, { onDelete: "cascade" }),
    name: text("name").notNull().default(""),
    /** The push service's URL of the browser; sending to it also needs our key. */
    endpoint: text("endpoint").notNull(),
    /** The browser's public key and the shared secret, base64url. */
    p256dh: text("p256dh").notNull(),
    auth: text("auth").notNull(),
    /** When it last showed a push or opened the console; null: not since it was subscribed. */
    seenAt: instant("seen_at"),
  },
  (table) => [
    uniqueIndex("push_subscriptions_prefix_id").on(table.accountId, table.prefixId),
    index("push_subscriptions_created").on(table.accountId, table.createdAt, table.id),
    index("push_subscriptions_own").on(
      table.accountId,
      table.accountUserId,
      table.createdAt,
      table.id,
    ),
    uniqueIndex("push_subscriptions_endpoint").on(table.accountUserId, table.endpoint),
  ],
);

/** An address of a person of an account on a messenger, such as an ntfy topic. */
export const channelAddresses = sqliteTable(
  "channel_addresses",
  {
    ...common(),
    accountUserId: text("account_user_id")
      .notNull()
      .references(() => accountUsers.id, { onDelete: "cascade" }),
    channel: text("channel", { enum: MESSENGERS }).notNull(),
    name: text("name").notNull().default(""),
    /** The channel's own settings, secrets included; those are never shown again. */
    settings: text("settings", { mode: "json" }).$type<AddressSettings>().notNull(),
    /** When the person proved that they read it; it is not used before. */
    confirmedAt: instant("confirmed_at"),
    codeHash: text("code_hash"),
    codeSentAt: instant("code_sent_at"),
    codeAttempts: integer("code_attempts").notNull().default(0),
    /** Since when the provider refuses it, and why; null: it works, or was not used yet. */
    failingSince: instant("failing_since"),
    failure: text("failure"),
  },
  (table) => [
    uniqueIndex("channel_addresses_prefix_id").on(table.accountId, table.prefixId),
    index("channel_addresses_own").on(
      table.accountId,
      table.accountUserId,
      table.createdAt,
      table.id,
    ),
    index("channel_addresses_person").on(table.accountUserId, table.channel),
  ],
);

/** A person's account in a workspace of a chat product, which they linked. */
export const chatAccounts = sqliteTable(
  "chat_accounts",
  {
    ...common(),
    accountUserId: text("account_user_id")
      .notNull()
      .references(() => accountUsers.id, { onDelete: "cascade" }),
    product: text("product", { enum: CHAT_PRODUCTS }).notNull(),
    workspaceId: text("workspace_id").notNull(),
    chatUserId: text("chat_user_id").notNull(),
    /** The person's name in the product when they linked it. */
    name: text("name").notNull(),
  },
  (table) => [
    uniqueIndex("chat_accounts_prefix_id").on(table.accountId, table.prefixId),
    index("chat_accounts_own").on(table.accountId, table.accountUserId, table.createdAt, table.id),
    index("chat_accounts_person").on(table.accountUserId),
    uniqueIndex("chat_accounts_chat_user").on(
      table.accountId,
      table.product,
      table.workspaceId,
      table.chatUserId,
    ),
  ],
);

export const apiKeys = sqliteTable(
  "api_keys",
  {
    ...common(),
    accountUserId: text("account_user_id")
      .notNull()
      .references(() => accountUsers.id, { onDelete: "cascade" }),
    name: text("name").notNull().default(""),
    /** SHA-256 of the whole key, hexadecimal. The key itself is not stored. */
    keyHash: text("key_hash").notNull(),
    readOnly: flag("read_only").notNull().default(false),
    /** Whether its holder created it: signed in, or with a key they created themself. */
    selfMade: flag("self_made").notNull().default(false),
  },
  (table) => [
    uniqueIndex("api_keys_hash").on(table.keyHash),
    uniqueIndex("api_keys_prefix_id").on(table.accountId, table.prefixId),
    index("api_keys_created").on(table.accountId, table.createdAt, table.id),
    index("api_keys_account_user").on(table.accountUserId),
  ],
);
